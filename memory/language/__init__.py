"""What a text says, read by rules: no database, no Django, no language model."""
