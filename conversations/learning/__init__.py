"""Learning facts and memories from messages."""
