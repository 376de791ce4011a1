"""Work that must not be lost: rows that say what is to be done, claimed with a lease.

Whoever does a piece of work (the web process that has the reader on the line, or the worker that
sweeps behind it) first claims its row by a conditional update. The lease is how long the others
keep away; a killed process loses its lease and somebody else takes over. A notification of
PostgreSQL, or on a site with a broker a message of Celery's, only wakes the worker: it carries
nothing and may be lost, because a sweep every two seconds finds what it missed.
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

# After this many failed attempts a piece of work rests until somebody looks at it; when whoever
# held it vanished each time and left no word, it is tried again an hour later.
MOST_ATTEMPTS = 6
# What a job of the site's own is done for, where there is but one of its kind.
THE_SITE = UUID(int=0)
# What a database that is away, or cannot write, raises.
DATABASE_AWAY = (OperationalError, InterfaceError, PoolTimeout)
# Where PostgreSQL tells `manage.py work` of new work.
CHANNEL = "throughline_work"
# How long work waits for a database that cannot write, in seconds.
PAUSE = 10


@dataclass(frozen=True)
class Claim:
    """The right to do one piece of work until the lease ends; `attempt` fences off the late.

    `owner` is the person whose work it is, None for the site's own.
    """

    work_id: UUID
    owner: UUID | None
    kind: str
    subject: UUID
    attempt: int

    @property
    def user_id(self) -> UUID:
        """The person it is done for. Raises LookupError for work of the site itself."""
        if self.owner is None:
            raise LookupError(f"Work of the kind {self.kind} belongs to nobody.")
        return self.owner

    def acting(self) -> AbstractContextManager[None]:
        """The block in which its row is seen: its owner's, or the worker's for the site's own."""
        return acting_as_worker() if self.owner is None else acting_as(self.owner)


class DueWork(NamedTuple):
    """Work that became necessary, to be done `delay` seconds from now at the earliest."""

    kind: str
    subject: UUID
    delay: float = 0.0


def enqueue(user: User, kind: str, subject: UUID, *, delay: float = 0.0) -> None:
    """Write down that `kind` is to be done for `subject`, `delay` seconds from now at the earliest.

    Call it inside the transaction that makes the work necessary, in the person's own block. Asking
    twice is the same as asking once.
    """
    enqueue_all(user, [DueWork(kind, subject, delay)])


def enqueue_for_site(kind: str, subject: UUID = THE_SITE, *, delay: float = 0.0) -> None:
    """Enqueue a job of the site's own; `subject` tells apart those of one kind."""
    with acting_as_worker():
        enqueue_all(None, [DueWork(kind, subject, delay)])


def enqueue_all(user: User | None, due: Collection[DueWork]) -> None:
    """The same for several pieces of work of one person, in one statement; None is the site."""
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
    """The same, for what may be just being done, or have failed too often and rest.

    Whoever is finishing it waits for this transaction and then finds what it brings; and what is
    new is a reason to try once more.
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
    """Write down `kind` for people whose turn it is today and who have not had it; how many.

    Asked again and again it works through everybody, however many there are, and makes up for a
    machine that was asleep at night.
    """
    today = localdate()
    waiting = User.objects.filter(Q(tended_on__lt=today) | Q(tended_on__isnull=True))
    people = list(waiting.filter(is_active=True).order_by("tended_on")[:most])
    for user in people:
        with acting_as(user):
            enqueue(user, kind, user.pk)
    return len(people)


def withdraw(user: User, kind: str, subject: UUID) -> None:
    """Take a piece of work back from whoever may hold it: their claim is void."""
    Work.objects.filter(user=user, kind=kind, subject=subject).delete()


def notify_worker() -> None:
    """Wake a worker. Never raises: a broker that is away costs two seconds, not the work."""
    # Each transport raises its own kind. They all mean the same here: the sweep will find the row.
    with best_effort(lambda error: log.warning("bell_not_rung", error=type(error).__name__)):
        if settings.CELERY_BROKER_URL:
            import_string(settings.WORKER_APP).send_task(
                settings.WORK_TASK, retry=False, expires=10, ignore_result=True
            )
            return
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")


def claim(user_id: UUID, kind: str, subject: UUID) -> Claim | None:
    """Claim one named piece of work now, or None when it is done, claimed by another or unknown."""
    with acting_as(user_id):
        return claim_here(user_id, kind, subject)


def claim_here(user_id: UUID, kind: str, subject: UUID) -> Claim | None:
    """The same in the person's open block: the claim is others' to see when that is over."""
    return _claim("w.user_id = %s and w.kind = %s and w.subject = %s", [user_id, kind, subject])


def remove_in_transaction(user_id: UUID, kind: str, subject: UUID) -> bool:
    """Take work off the list that is done in this very transaction, in the person's open block.

    It needs no lease: if the transaction fails, it is on the list as before. False when it is done,
    claimed by another or unknown.
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
    """Claim whatever has waited longest and may run now, of any person."""
    with acting_as_worker():
        vanished = "w.lease_until < now() - interval '1 hour'"
        return _claim(f"w.run_after <= now() and (w.attempts < %s or {vanished})", [MOST_ATTEMPTS])


def _claim(condition: str, params: list[UUID | str | int]) -> Claim | None:
    with connection.cursor() as cursor:
        cursor.execute(
            # `condition` is one of the two texts above; values go in as parameters.
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
    """Its row, as long as nobody took the work over; in its owner's open block."""
    return Work.objects.filter(Q(user_id=held.owner), pk=held.work_id, attempts=held.attempt)


def still_holding(held: Claim) -> bool:
    """Whether this claim is still ours; locks its row, so ask inside the writing transaction.

    A process that slept through its lease must not write over whoever took over.
    """
    return _row_of(held).select_for_update().exists()


@contextmanager
def keeping(held: Claim) -> Iterator[None]:
    """Renew the lease for as long as the block runs: a model may be silent for minutes.

    The lease itself stays short, so that work of a killed process is taken over soon.
    """
    with repeatedly(lambda: renew(held), settings.WORK_LEASE_SECONDS / 3):
        yield


@contextmanager
def repeatedly(action: Callable[[], object], seconds: float) -> Iterator[None]:
    """Do something every so many seconds, in another thread, for as long as the block runs."""
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
    """Begin the lease anew; False when the claim is no longer ours."""
    with held.acting():
        # By the database's clock, as it was claimed.
        lease = timedelta(seconds=settings.WORK_LEASE_SECONDS)
        mine = _row_of(held).update(lease_until=Now() + lease)
    return mine == 1


def finish(held: Claim) -> bool:
    """Strike the work off, in the transaction that holds its result. False when no longer ours."""
    deleted, _ = _row_of(held).delete()
    return deleted == 1


def give_back(held: Claim, failure: str = "") -> None:
    """Put failed work back, to be tried again later and later (2, 4, 8 … seconds)."""
    _row_of(held).update(
        lease_until=None,
        run_after=now() + timedelta(seconds=2.0**held.attempt),
        **_failed(failure),
    )


def _failed(failure: str) -> dict[str, Any]:
    """Return the columns that tell of a failure, by the name of its class; '' for none."""
    return {"failure": failure[:200], "failed_at": now() if failure else None}


class PutOff(Exception):
    """Raise it from a handler whose work is to be done later; it counts as no attempt."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def put_off(held: Claim, failure: str = "", *, seconds: float = PAUSE) -> None:
    """Put work back for so many seconds, without counting an attempt."""
    _row_of(held).update(
        attempts=held.attempt - 1,
        lease_until=None,
        run_after=now() + timedelta(seconds=seconds),
        **_failed(failure),
    )


def is_being_done(kind: str) -> bool:
    """Whether anybody, in any process, is at work of this kind right now, for any person."""
    with acting_as_worker():
        return Work.objects.filter(kind=kind, lease_until__gt=now()).exists()


def is_the_databases(error: Exception) -> bool:
    """Whether the database cannot be reached or cannot write, whatever it was asked to do."""
    if isinstance(error, InterfaceError | PoolTimeout):
        return True
    state = getattr(error.__cause__, "sqlstate", None) or ""
    # No state: no connection. 08 lost ones, 53 no room, 57P on its way down, 58 a failing disk.
    away = not state or state.startswith(("08", "53", "57P", "58"))
    return isinstance(error, OperationalError) and away


def do_waiting_work(limit: int = 200) -> int:
    """Do what waits, one claim at a time, until nothing is left; returns how many were done."""
    beat()
    done = 0
    # A piece of work may take minutes, and whoever does it is alive all the while.
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
    # One person's failing work must not stop everybody else's: log it, put it back, go on.
    except Exception as error:
        log.exception("work_failed", kind=held.kind, work=str(held.work_id), try_=held.attempt)
        back = put_off if is_the_databases(error) else give_back
        with held.acting():
            back(held, type(error).__name__)
        return "failed"
    return "done"


def beat() -> None:
    """Leave a sign that a worker is alive on this host."""
    WorkerSeen.objects.update_or_create(host=socket.gethostname(), defaults={"at": now()})


def worker_seen() -> datetime | None:
    """When any worker last looked for work."""
    return WorkerSeen.objects.order_by("-at").values_list("at", flat=True).first()


def oldest_waiting() -> datetime | None:
    """Since when the oldest work has been due that no one has claimed."""
    with acting_as_worker():
        return (
            Work.objects.filter(run_after__lte=now(), attempts__lt=MOST_ATTEMPTS)
            .order_by("run_after")
            .values_list("run_after", flat=True)
            .first()
        )
