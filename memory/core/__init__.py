"""Foundations of memory: scope, statements, locks, trust, the switch."""
