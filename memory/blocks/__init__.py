"""Memory blocks: short texts with a label and a limit that stand in every prompt."""
