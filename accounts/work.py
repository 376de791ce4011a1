"""The queue of jobs: rows that are claimed with a lease, so that none is lost.

A web process or worker claims a row by a conditional update and renews its lease. A killed process
loses the lease, and another takes over. A PostgreSQL notification, or a Celery message on sites
with a broker, only wakes the worker; if it is lost, a sweep every two seconds finds the row.
"""

import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.module_loading import import_string
from django.utils.timezone import localdate, now
from psycopg_pool import PoolTimeout
from structlog.contextvars import bound_contextvars

from accounts.database.isolation import acting_as, acting_as_worker
from accounts.models import User, Work, WorkerSeen
from accounts.support.best_effort import best_effort
from accounts.support.measuring import measure

log = structlog.get_logger(__name__)

# After this many failures a job is no longer retried; if its workers vanished without an error,
# it is retried after an hour.
MOST_ATTEMPTS = 6
# The subject of a job of the site if there is only one of its kind.
THE_SITE = UUID(int=0)
# Errors of a database that is unreachable or cannot write.
DATABASE_AWAY = (OperationalError, InterfaceError, PoolTimeout)
# The PostgreSQL channel that notifies `manage.py work` of new jobs.
CHANNEL = "throughline_work"
# Seconds before a job is retried if the database cannot write.
PAUSE = 10


@dataclass(frozen=True)
class Claim:
    """The right to run a job until the lease ends; `attempt` invalidates older claims.

    `owner` is the user of the job, None for one of the site.
    """

    work_id: UUID
    owner: UUID | None
    kind: str
    subject: UUID
    attempt: int

    @property
    def user_id(self) -> UUID:
        """Return the user of the job. Raises LookupError for a job of the site."""
        if self.owner is None:
            raise LookupError(f"Work of the kind {self.kind} belongs to nobody.")
        return self.owner

    def acting(self) -> AbstractContextManager[None]:
        """Return the context manager in which the job's row is visible."""
        return acting_as_worker() if self.owner is None else acting_as(self.owner)


class DueWork(NamedTuple):
    """A job to enqueue, to run after `delay` seconds at the earliest."""

    kind: str
    subject: UUID
    delay: float = 0.0


def enqueue(user: User, kind: str, subject: UUID, *, delay: float = 0.0) -> None:
    """Enqueue job `kind` for `subject`, to run after `delay` seconds at the earliest.

    Call it within `acting_as(user)`, in the transaction that makes the job necessary. Safe to
    repeat.
    """
    enqueue_all(user, [DueWork(kind, subject, delay)])


def enqueue_for_site(kind: str, subject: UUID = THE_SITE, *, delay: float = 0.0) -> None:
    """Enqueue a job of the site; `subject` distinguishes jobs of the same kind."""
    with acting_as_worker():
        enqueue_all(None, [DueWork(kind, subject, delay)])


def enqueue_all(user: User | None, due: Collection[DueWork]) -> None:
    """Enqueue several jobs of a user in one statement; None is the site."""
    moment = now()
    rows = [
        Work(
            user=user,
            kind=item.kind,
            subject=item.subject,
            run_after=moment + timedelta(seconds=item.delay),
        )
        for item in due
    ]
    Work.objects.bulk_create(rows, ignore_conflicts=True)
    if any(item.delay == 0 for item in due):
        transaction.on_commit(notify_worker)


def enqueue_anew(user: User, kind: str, subject: UUID, *, delay: float = 0.0) -> None:
    """Enqueue a job that may be running, or may have failed too often, as a new one.

    A worker just finishing the job waits for this transaction, and then runs it again.
    """
    rows = Work.objects.select_for_update().filter(user=user, kind=kind, subject=subject)
    waiting = rows.first()
    if waiting is not None and _rests(waiting):
        waiting.delete()
        waiting = None
    if waiting is None:
        enqueue(user, kind, subject, delay=delay)


def _rests(waiting: Work) -> bool:
    held = waiting.lease_until is not None and waiting.lease_until > now()
    return waiting.attempts >= MOST_ATTEMPTS and not held


def enqueue_daily(kind: str, *, most: int = 500) -> int:
    """Enqueue `kind` for users who have not had it today; return their number.

    Called repeatedly it covers all users, also after the machine was off at night.
    """
    today = localdate()
    waiting = User.objects.filter(Q(tended_on__lt=today) | Q(tended_on__isnull=True))
    people = list(waiting.filter(is_active=True).order_by("tended_on")[:most])
    for user in people:
        with acting_as(user):
            enqueue(user, kind, user.pk)
    return len(people)


def withdraw(user: User, kind: str, subject: UUID) -> None:
    """Delete a job, which invalidates any claim on it."""
    Work.objects.filter(user=user, kind=kind, subject=subject).delete()


def notify_worker() -> None:
    """Wake a worker. Never raises: an unreachable broker costs two seconds, but not the job."""
    # Each transport raises its own exceptions, all with the same effect: the sweep finds the row.
    with best_effort(lambda error: log.warning("bell_not_rung", error=type(error).__name__)):
        if settings.CELERY_BROKER_URL:
            import_string(settings.WORKER_APP).send_task(
                settings.WORK_TASK, retry=False, expires=10, ignore_result=True
            )
            return
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")


def claim(user_id: UUID, kind: str, subject: UUID) -> Claim | None:
    """Claim a job now; None if it is done, claimed by another or unknown."""
    with acting_as(user_id):
        return claim_here(user_id, kind, subject)


def claim_here(user_id: UUID, kind: str, subject: UUID) -> Claim | None:
    """Claim a job within `acting_as(user)`: others see the claim when that transaction commits."""
    return _claim("w.user_id = %s and w.kind = %s and w.subject = %s", [user_id, kind, subject])


def remove_in_transaction(user_id: UUID, kind: str, subject: UUID) -> bool:
    """Delete a job that this transaction itself does, within `acting_as(user)`.

    No lease is needed: on rollback the job stays queued. False if it is done, claimed by another or
    unknown.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            delete from accounts_work where id = (
                select w.id from accounts_work w
                where w.user_id = %s and w.kind = %s and w.subject = %s
                  and (w.lease_until is null or w.lease_until < now())
                for update skip locked)
            """,
            [user_id, kind, subject],
        )
        return bool(cursor.rowcount == 1)


def claim_next() -> Claim | None:
    """Claim the job of any user that has waited longest and is due, or return None."""
    with acting_as_worker():
        vanished = "w.lease_until < now() - interval '1 hour'"
        return _claim(f"w.run_after <= now() and (w.attempts < %s or {vanished})", [MOST_ATTEMPTS])


def _claim(condition: str, params: list[UUID | str | int]) -> Claim | None:
    with connection.cursor() as cursor:
        cursor.execute(
            # `condition` is one of the two texts above; values are passed as parameters.
            f"""
            update accounts_work set attempts = attempts + 1,
                   lease_until = now() + make_interval(secs => %s)
            where id = (
                select w.id from accounts_work w
                where {condition} and (w.lease_until is null or w.lease_until < now())
                order by w.run_after limit 1 for update skip locked)
            returning id, user_id, kind, subject, attempts
            """,  # noqa: S608
            [settings.WORK_LEASE_SECONDS, *params],
        )
        row = cursor.fetchone()
    return Claim(*row) if row else None


def _row_of(held: Claim) -> QuerySet[Work]:
    """Return the job's row as a queryset, empty if another took over; within `held.acting()`."""
    return Work.objects.filter(Q(user_id=held.owner), pk=held.work_id, attempts=held.attempt)


def still_holding(held: Claim) -> bool:
    """Return whether the claim is valid, and lock its row; call it in the writing transaction.

    A process whose lease expired must not overwrite its successor's results.
    """
    return _row_of(held).select_for_update().exists()


@contextmanager
def keeping(held: Claim) -> Iterator[None]:
    """Context manager that renews the lease during long work, such as a model's answer.

    The lease itself is short, so that jobs of a killed process are taken over soon.
    """
    with repeatedly(lambda: renew(held), settings.WORK_LEASE_SECONDS / 3):
        yield


@contextmanager
def repeatedly(action: Callable[[], object], seconds: float) -> Iterator[None]:
    """Context manager that calls `action` every `seconds` in another thread."""
    done = threading.Event()

    def repeat() -> None:
        while not done.wait(seconds):
            with suppress(DatabaseError, InterfaceError):
                action()
            connection.close()

    threading.Thread(target=repeat, name="meanwhile", daemon=True).start()
    try:
        yield
    finally:
        done.set()


def renew(held: Claim) -> bool:
    """Renew the lease; False if the claim is no longer valid."""
    with held.acting():
        # By the database's clock, as in the claim.
        lease = timedelta(seconds=settings.WORK_LEASE_SECONDS)
        mine = _row_of(held).update(lease_until=Now() + lease)
    return mine == 1


def finish(held: Claim) -> bool:
    """Delete the job, in the transaction of its result. False if the claim is no longer valid."""
    deleted, _ = _row_of(held).delete()
    return deleted == 1


def give_back(held: Claim, failure: str = "") -> None:
    """Return a failed job to the queue, with growing delays (2, 4, 8 … seconds)."""
    _row_of(held).update(
        lease_until=None,
        run_after=now() + timedelta(seconds=2.0**held.attempt),
        **_failed(failure),
    )


def _failed(failure: str) -> dict[str, Any]:
    """Return the columns that tell of a failure, by the name of its class; '' for none."""
    return {"failure": failure[:200], "failed_at": now() if failure else None}


class PutOff(Exception):
    """Raised by a handler to run its job later, without counting an attempt."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def put_off(held: Claim, failure: str = "", *, seconds: float = PAUSE) -> None:
    """Return a job to the queue for some seconds, without counting an attempt."""
    _row_of(held).update(
        attempts=held.attempt - 1,
        lease_until=None,
        run_after=now() + timedelta(seconds=seconds),
        **_failed(failure),
    )


def is_being_done(kind: str) -> bool:
    """Return whether any process is running a job of this kind for any user."""
    with acting_as_worker():
        return Work.objects.filter(kind=kind, lease_until__gt=now()).exists()


def is_the_databases(error: Exception) -> bool:
    """Return whether the error means that the database is unreachable or cannot write."""
    if isinstance(error, InterfaceError | PoolTimeout):
        return True
    state = getattr(error.__cause__, "sqlstate", None) or ""
    # SQLSTATE: none without connection; 08 connection lost, 53 no space, 57P shutdown, 58 disk
    # error.
    away = not state or state.startswith(("08", "53", "57P", "58"))
    return isinstance(error, OperationalError) and away


def do_waiting_work(limit: int = 200) -> int:
    """Run due jobs one at a time until none is left; return how many succeeded."""
    beat()
    done = 0
    # Keep the heartbeat alive during jobs, which may take minutes.
    with repeatedly(beat, settings.WORKER_HEARTBEAT_SECONDS / 2):
        for _ in range(limit):
            held = claim_next()
            if held is None:
                break
            done += _run_handler(held)
    return done


def _run_handler(held: Claim) -> bool:
    began, result = time.monotonic(), _handle(held)
    measure("job", time.monotonic() - began, kind=held.kind, result=result)
    return result == "done"


def _handle(held: Claim) -> str:
    """Run the handler; return 'done', 'put off' or 'failed'."""
    try:
        handler: Callable[[Claim], None] = import_string(settings.WORK_HANDLERS[held.kind])
        with bound_contextvars(job=held.kind):
            handler(held)
    except PutOff as later:
        with held.acting():
            put_off(held, seconds=later.seconds)
        return "put off"
    # Any exception: a failing job must not stop others. Log it, return it to the queue, continue.
    except Exception as error:
        log.exception("work_failed", kind=held.kind, work=str(held.work_id), try_=held.attempt)
        back = put_off if is_the_databases(error) else give_back
        with held.acting():
            back(held, type(error).__name__)
        return "failed"
    return "done"


def beat() -> None:
    """Record the heartbeat of this host's worker."""
    WorkerSeen.objects.update_or_create(host=socket.gethostname(), defaults={"at": now()})


def worker_seen() -> datetime | None:
    """Return when any worker last looked for jobs, None if never."""
    return WorkerSeen.objects.order_by("-at").values_list("at", flat=True).first()


def oldest_waiting() -> datetime | None:
    """Return since when the oldest unclaimed job has been due, None if there is none."""
    with acting_as_worker():
        return (
            Work.objects.filter(run_after__lte=now(), attempts__lt=MOST_ATTEMPTS)
            .order_by("run_after")
            .values_list("run_after", flat=True)
            .first()
        )
