"""Tools that look something up and change nothing."""
