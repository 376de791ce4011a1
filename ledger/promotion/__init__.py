"""What was said and may become a fact: the gates before the profile, and what waits for a yes."""
