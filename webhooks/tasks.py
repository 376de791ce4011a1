"""Celery's entry points. They carry no content, and calling them twice is calling them once."""

from celery import shared_task

from webhooks import sending


@shared_task(name="webhooks.tasks.look_for_due", ignore_result=True)
def look_for_due() -> int:
    """Write down work for endpoints to which something is due."""
    return sending.enqueue_due()


@shared_task(name="webhooks.tasks.drop_old", ignore_result=True)
def drop_old() -> int:
    """Delete what was sent long ago."""
    return sending.drop_old()
