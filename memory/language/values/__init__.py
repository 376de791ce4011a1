"""Readers that take a value out of a text, and the rules of when two values are the same."""
