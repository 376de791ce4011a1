"""Patterns about what somebody likes, does, eats, and how they want to be answered."""
