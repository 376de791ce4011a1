"""Word lists: the closed classes that patterns alone cannot know."""
