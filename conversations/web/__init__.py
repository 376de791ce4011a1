"""The pages and the API of conversations."""
