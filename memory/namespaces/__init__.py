"""JSON documents by namespace and key: what may stand in each, for how long, and in which tier."""
