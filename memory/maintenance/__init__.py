"""What happens to notes while nobody looks, and how many there are of which quality."""
