"""Celery's door. It carries no content and is safe to ring twice."""

from celery import shared_task

from privacy import account_deletion, exporting


@shared_task(name="privacy.tasks.do_what_is_due", ignore_result=True)
def do_what_is_due() -> int:
    """Write down accounts whose days of grace are over, and drop copies that expired."""
    return account_deletion.enqueue_due() + exporting.drop_all_expired()
