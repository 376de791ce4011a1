"""Webhooks: what happens in an account is sent to addresses that its owner registered."""
