"""Taking out what was said, and what was learned from it and from nothing else."""
