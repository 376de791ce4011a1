"""Pages and API of memory."""
