"""Memory's pages and API, and facts and notes as their owner reads them."""
