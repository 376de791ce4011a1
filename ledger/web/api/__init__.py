"""The ledger for other software, one module a subject."""
