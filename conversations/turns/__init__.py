"""A turn: the message is kept, the answer is written once."""
