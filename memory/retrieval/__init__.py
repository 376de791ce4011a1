"""Finding messages, facts and notes, best first, each with reasons."""
