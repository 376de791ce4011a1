"""Celery's door. It carries no content and is safe to ring twice."""

from celery import shared_task

from privacy import account_deletion, exporting
from privacy.restoring import requests


@shared_task(name="privacy.tasks.do_what_is_due", ignore_result=True)
def do_what_is_due() -> int:
    """Write down accounts whose days of grace are over, and drop copies that expired."""
    dropped = exporting.drop_all_expired() + requests.drop_all_expired()
    return account_deletion.enqueue_due() + dropped
