"""Topics of conversations: detection, queries and manual changes."""
