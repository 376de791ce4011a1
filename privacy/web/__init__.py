"""Privacy in pages and in the API."""
