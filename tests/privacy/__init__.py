"""What a person can do about all of it at once."""
