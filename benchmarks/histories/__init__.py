"""Recorded histories: what is read, kept and found of them, by the product and by its peers."""
