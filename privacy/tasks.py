"""The Celery task of this package; safe to repeat."""

from celery import shared_task

from privacy import account_deletion, exporting, retention
from privacy.importing import requests as imports
from privacy.restoring import requests as restores


@shared_task(name="privacy.tasks.do_what_is_due", ignore_result=True)
def do_what_is_due() -> int:
    """Enqueue due deletions, and delete expired files; return the number of users."""
    due = account_deletion.enqueue_due() + retention.enqueue_due()
    brought = restores.drop_all_expired() + imports.drop_all_expired()
    return due + exporting.drop_all_expired() + brought
