"""What all of memory stands on: where something was said, statements, locks, trust, the switch."""
