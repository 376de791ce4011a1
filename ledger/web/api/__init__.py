"""The API of the ledger, one module for each subject."""
