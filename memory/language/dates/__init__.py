"""Times named in a text, as spans of days."""
