"""Backups of the whole database into one file, and back: `manage.py backup` and `restore`."""
