"""Admin pages for staff; importing this package registers them with Django's admin."""

from memory.admin import figures, lessons, reports

__all__ = ["figures", "lessons", "reports"]
