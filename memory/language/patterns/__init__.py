"""The patterns that read facts out of a clause, one package a theme."""
