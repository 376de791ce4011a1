"""Reading what a text says: rules and small trained models; no database, no language model."""
