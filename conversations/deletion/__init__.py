"""Deleting messages, and what was learned from them only."""
