"""Memory blocks: short texts with a label and a limit, part of every prompt."""
