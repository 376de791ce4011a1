"""The pages about conversations, one module a subject."""
