"""Plans as a calendar reads them."""
