"""Contradictions: opened, answered, settled, and opened again."""
