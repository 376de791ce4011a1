"""The staff's pages: what is named here is registered with Django's admin."""

from memory.admin import figures, lessons, reports

__all__ = ["figures", "lessons", "reports"]
