"""Who you are and what you allow: the person, their tokens, and the wall between people."""
