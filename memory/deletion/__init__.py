"""Permanent deletion, and finding everything that contains the deleted content."""
