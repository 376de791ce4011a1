"""Personas: kinds of professionals, and which users belong to which."""
