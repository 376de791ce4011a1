"""Long-term memory about users: storing it, searching it, and adding it to prompts."""
