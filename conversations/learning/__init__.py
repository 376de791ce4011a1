"""Learning from messages."""
