"""Conversations: messages, turns, and the pages and API for both."""
