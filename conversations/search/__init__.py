"""Searching messages."""
