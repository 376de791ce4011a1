"""Notes beside the profile: saving, merging, proposing, ending."""
