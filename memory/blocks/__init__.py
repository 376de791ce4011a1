"""Memory blocks: short texts with a label and a size limit, part of every prompt."""
