"""The API of memory, one module for each subject."""
