"""The API of conversations, one module for each subject."""
