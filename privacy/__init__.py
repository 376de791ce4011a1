"""What a person can do about all of it at once: see it, take it along, have it deleted."""
