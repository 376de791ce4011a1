"""Lessons shared by the members of a persona, and the guard against personal content."""
