"""Answers from the profile: what holds, what held, since when."""
