"""Conversations: messages, turns, and their pages."""
