"""Small helpers that every room uses: dates in words, event streams, cached values, failures."""
