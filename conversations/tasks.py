"""Celery tasks, idempotent and without user data as arguments."""

from celery import shared_task

from accounts import work
from conversations.learning import embedding
from memory.lessons.upkeep import LESSONS_UPKEEP
from memory.manager import TEND_NOTES


@shared_task(name="conversations.tasks.do_waiting_work", ignore_result=True)
def do_waiting_work() -> int:
    """Run the queued jobs that are due; return how many were run."""
    return work.do_waiting_work()


@shared_task(name="conversations.tasks.tend_notes", ignore_result=True)
def tend_notes() -> int:
    """Queue the daily maintenance of memories, lessons and embeddings; return for how many users.
    The job for lessons is queued only the first time; each run queues the next.
    """
    work.enqueue_for_site(LESSONS_UPKEEP)
    count = work.enqueue_daily(TEND_NOTES)
    embedding.enqueue_backfill()
    return count
