"""What a message says, read by rules: no model, no database, no Django."""
