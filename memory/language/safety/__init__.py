"""Detecting what must not be stored, quoted or obeyed."""
