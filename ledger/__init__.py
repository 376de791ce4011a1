"""The ledger: conflicts, their resolutions, and promotion. Only it changes stored facts."""
