"""Plans in calendar formats."""
