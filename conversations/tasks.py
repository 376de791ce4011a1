"""Celery tasks. They carry no content and are idempotent."""

from celery import shared_task

from accounts import work
from conversations.learning import embedding
from memory.lessons.upkeep import LESSONS_UPKEEP
from memory.manager import TEND_NOTES


@shared_task(name="conversations.tasks.do_waiting_work", ignore_result=True)
def do_waiting_work() -> int:
    """Do what waits; returns how much was done."""
    return work.do_waiting_work()


@shared_task(name="conversations.tasks.tend_notes", ignore_result=True)
def tend_notes() -> int:
    """Write down the daily round for those who have not had it; returns for how many.

    That of the lessons waits already but for the first time: each round writes down the next.
    """
    work.enqueue_for_site(LESSONS_UPKEEP)
    count = work.enqueue_daily(TEND_NOTES)
    embedding.enqueue_backfill()
    return count
