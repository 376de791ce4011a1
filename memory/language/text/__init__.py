"""Texts as words, vectors, stems and tokens, and comparing texts."""

# The dimensions of the built-in embeddings, and of their database columns.
EMBEDDING_DIMENSIONS = 256
