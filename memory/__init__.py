"""What is remembered of a person, how it is found, and how it gets into an answer."""
