"""Memory's pages, its API, and facts and notes as their owner reads them."""
