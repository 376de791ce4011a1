"""Choosing what of memory goes into a prompt."""
