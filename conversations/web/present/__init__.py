"""View models for templates."""
