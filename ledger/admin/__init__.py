"""The staff's pages: what is named here is registered with Django's admin."""

from ledger.admin import classifier, conflicts

__all__ = ["classifier", "conflicts"]
