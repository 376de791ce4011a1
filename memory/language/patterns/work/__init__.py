"""Patterns about work and schools."""
