"""Memories (notes) beside the profile: extracting, saving, merging, proposing and ending them."""
