"""Poisoned texts, lying models and servers that misbehave: what of it stays."""
