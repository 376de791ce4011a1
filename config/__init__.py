"""Assembling: settings, addresses, the API's route table, and the processes around the house."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
