"""Authentication: sign-in, addresses and tokens, and the bases of pages and endpoints."""
