"""Searching for remains of erased data, and the receipts of erasures."""
