"""Maintenance and statistics of notes."""
