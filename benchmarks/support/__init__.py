"""What the measurements share: throw-away sites, people who have talked for years, a report."""
