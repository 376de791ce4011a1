"""What pages show, in words and shapes."""
