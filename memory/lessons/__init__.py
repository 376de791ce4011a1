"""Lessons that people of one persona share, and the guard that keeps everything personal out."""
