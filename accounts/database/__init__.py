"""Database access: keys, owners, row-level security, and pooled connections."""
