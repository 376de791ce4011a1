"""The pages of the ledger, one module a page."""
