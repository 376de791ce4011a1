"""Turns: a message is stored, and its answer is written once."""
