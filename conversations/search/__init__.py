"""Finding what was said."""
