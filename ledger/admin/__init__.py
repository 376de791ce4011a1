"""The ledger's pages in Django's admin."""

from ledger.admin import classifier, conflicts

__all__ = ["classifier", "conflicts"]
