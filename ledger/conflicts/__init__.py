"""Conflicts: opening, answering, settling and undoing."""
