"""Reading messages for what they say about the person."""
