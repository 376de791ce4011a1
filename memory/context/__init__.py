"""What a prompt gets of what is remembered."""
