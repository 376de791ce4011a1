"""Coming in: log-in, addresses and tokens, and what each page and endpoint begins with."""
