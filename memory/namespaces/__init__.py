"""JSON documents by namespace and key: their schemas, lifetimes and storage tiers."""
