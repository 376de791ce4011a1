"""Times that a text names, as spans of days."""
