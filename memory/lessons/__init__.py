"""Lessons shared by people with the same persona, and the guard against personal content."""
