"""Backups of the whole database in one file: `manage.py backup` and `restore`."""
