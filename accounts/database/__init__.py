"""Rows and who may read them: keys, owners, row-level security, and pooled connections."""
