"""The patterns that read facts out of a clause, one TOML file a theme."""
