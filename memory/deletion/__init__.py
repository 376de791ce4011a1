"""Taking out for good, and finding all that tells what is taken out."""
