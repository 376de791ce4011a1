"""Turns: the message is stored, the answer is written once."""
