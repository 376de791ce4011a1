"""Deleting for good, and finding everything that tells what is deleted."""
