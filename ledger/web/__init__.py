"""The pages and the interface of the ledger."""
