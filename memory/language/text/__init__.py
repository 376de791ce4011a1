"""Texts as words, vectors, stems and tokens; and what one text bears out of another."""
