"""Conversations for other software, one module a subject."""
