"""Waiting jobs for staff: counts by kind, last failures, jobs given up; no text of users."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Min, Q, QuerySet
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as_worker
from accounts.models import Work
from accounts.work import MOST_ATTEMPTS

# Jobs of these kinds were promised to a user, so staff cannot drop them.
NEVER_DROPPED = frozenset({"answer", "delete_account", "retention", "vanish"})
_SHOWN = 20


@dataclass(frozen=True)
class JobsOfKind:
    """Numbers of jobs of one kind: due now, due later, failing (and retried), given up.

    oldest: since when the oldest job is due.
    """

    kind: str
    waiting: int
    later: int
    failing: int
    given_up: int
    oldest: datetime | None

    @property
    def oldest_seconds(self) -> float:
        """Seconds since the oldest job became due; 0 if none is due."""
        return (now() - self.oldest).total_seconds() if self.oldest else 0.0


@dataclass(frozen=True)
class FailedJob:
    """A job that failed the last time. `error` is the class of the exception."""

    id: UUID
    kind: str
    error: str
    tries: int
    at: datetime | None
    may_be_dropped: bool


@dataclass(frozen=True)
class Jobs:
    """The waiting jobs by kind, and the newest failing and given up jobs."""

    kinds: list[JobsOfKind]
    failing: list[FailedJob]
    given_up: list[FailedJob]


def waiting_jobs() -> Jobs:
    """Return the waiting jobs of all users and of the site, in a transaction as the worker."""
    moment = now()
    failing = Work.objects.filter(attempts__lt=MOST_ATTEMPTS).exclude(failure="")
    newest = failing.order_by(F("failed_at").desc(nulls_last=True))
    with acting_as_worker():
        return Jobs(
            [JobsOfKind(**row) for row in _counted(moment)],
            [_as_failed(job) for job in newest[:_SHOWN]],
            [_as_failed(job) for job in _given_up(moment).order_by("created_at")[:_SHOWN]],
        )


def retry(job: UUID) -> bool:
    """Queue a job that was given up again, due now. Return whether there was such a job."""
    with acting_as_worker():
        moment = now()
        fresh = {"attempts": 0, "failure": "", "failed_at": None, "lease_until": None}
        is_queued = _given_up(moment).filter(pk=job).update(run_after=moment, **fresh) > 0
        if is_queued:
            work.notify_worker()
    return is_queued


def drop(job: UUID) -> bool:
    """Delete a job that was given up. Return whether there was such a job that may be dropped."""
    with acting_as_worker():
        dropped = _given_up(now()).filter(pk=job).exclude(kind__in=NEVER_DROPPED)
        return dropped.delete()[0] > 0


def _given_up(moment: datetime) -> QuerySet[Work]:
    held = Q(lease_until__gt=moment)
    return Work.objects.filter(~held | Q(lease_until=None), attempts__gte=MOST_ATTEMPTS)


def _counted(moment: datetime) -> Iterable[Any]:
    open_ = Q(attempts__lt=MOST_ATTEMPTS)
    due = open_ & Q(run_after__lte=moment)
    return (
        Work.objects.values("kind")
        .annotate(
            waiting=Count("pk", due),
            later=Count("pk", open_ & Q(run_after__gt=moment)),
            failing=Count("pk", open_ & ~Q(failure="")),
            given_up=Count("pk", Q(attempts__gte=MOST_ATTEMPTS)),
            oldest=Min("run_after", filter=due),
        )
        .order_by("kind")
    )


def _as_failed(job: Work) -> FailedJob:
    may_be_dropped = job.kind not in NEVER_DROPPED
    error = job.failure or "its process ended"
    return FailedJob(job.pk, job.kind, error, job.attempts, job.failed_at, may_be_dropped)
