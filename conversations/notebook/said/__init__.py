"""Answers from what was said: events, people, things, conversations."""
