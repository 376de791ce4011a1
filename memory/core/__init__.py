"""Foundations of memory: scopes, prepared statements, locks, trust, and the on/off switch."""
