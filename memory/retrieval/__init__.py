"""Searching messages, facts and memories, best first, with the reasons for each result."""
