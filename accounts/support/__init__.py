"""Helpers for all packages: dates in words, event streams, cached values, failures."""
