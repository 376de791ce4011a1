"""What a conversation was about: its weightiest sentences, a bounded text."""
