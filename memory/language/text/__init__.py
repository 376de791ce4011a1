"""Texts as words, vectors, stems and tokens; and what one text bears out of another."""

# Of every vector that is made and kept: the width of the columns in the database.
EMBEDDING_DIMENSIONS = 256
