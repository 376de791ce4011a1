"""Talking: messages, turns, and the pages around them."""
