"""Tools that delete facts, memories or messages."""
