"""What must not be noted, not be quoted, or not be obeyed."""
