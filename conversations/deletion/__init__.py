"""Deleting messages and everything that was learned only from them."""
