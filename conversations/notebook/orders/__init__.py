"""Orders in the middle of a talk: forget something that is named, take something back."""
