"""Accounts, tokens, consents, and the isolation of users from each other."""
