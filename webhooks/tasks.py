"""The Celery tasks of this package; safe to repeat."""

from celery import shared_task

from webhooks import sending


@shared_task(name="webhooks.tasks.look_for_due", ignore_result=True)
def look_for_due() -> int:
    """Enqueue jobs for endpoints with due deliveries."""
    return sending.enqueue_due()


@shared_task(name="webhooks.tasks.drop_old", ignore_result=True)
def drop_old() -> int:
    """Delete old deliveries."""
    return sending.drop_old()
