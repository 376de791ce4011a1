"""View models of the pages."""
