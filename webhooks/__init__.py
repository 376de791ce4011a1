"""Webhooks: events of an account, sent to URLs that its user registered."""
