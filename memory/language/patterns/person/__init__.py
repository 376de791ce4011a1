"""Patterns about who somebody is, where they live and who lives with them."""
