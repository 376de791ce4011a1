"""What a conversation was about: its title, a line, a bounded text."""
