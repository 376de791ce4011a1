"""Finding what was said and noted, best first, each with its reasons."""
