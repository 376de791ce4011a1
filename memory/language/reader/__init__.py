"""The trained reader: one small network that marks what a message says of whoever wrote it."""
