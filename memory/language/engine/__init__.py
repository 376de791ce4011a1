"""From a masked text to sentences, clauses and predicates, and what a pattern is tried on."""
