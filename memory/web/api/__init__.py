"""The API of memory, one module per topic."""
