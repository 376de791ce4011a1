"""Texts as words, vectors, stems and tokens, and comparing them."""

# Of every vector that is made and kept: the width of the columns in the database.
EMBEDDING_DIMENSIONS = 256
