"""The trained reader: a small network that marks what a message says about its author."""
