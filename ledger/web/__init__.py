"""Pages and API of the ledger."""
