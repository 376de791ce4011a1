"""Summaries of conversations, of bounded length."""
