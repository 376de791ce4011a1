"""Restoring an export: checked on upload, restored by the worker once accepted.

Files are untrusted. `opening` limits them, `lines` validates every row, `tables` says which tables
are restored, `writing` writes them in one transaction.
"""
