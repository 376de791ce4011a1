"""Nightly maintenance and statistics of memories."""
