"""Looking afterwards whether anything is left of what was erased, and the receipt that says so."""
