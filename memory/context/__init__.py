"""What a prompt contains of memory."""
