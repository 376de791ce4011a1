"""Accounts, tokens, consent, and the isolation of people from each other."""
