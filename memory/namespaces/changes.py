"""Following changes: callbacks in this process, and reading the log from a number for streams.

The log itself is written and numbered by triggers (migration 0028), which notify a PostgreSQL
channel; one connection a process listens while anybody waits.
"""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import psycopg
import structlog
from django.db import connection, transaction
from django.dispatch import Signal
from django.utils.timezone import now

from accounts.database.connections import listen
from accounts.database.isolation import acting_as
from accounts.support.best_effort import best_effort
from memory.models import CHANGES_CHANNEL, ChangeCounter, MemoryChange, MemoryOperation

log = structlog.get_logger(__name__)

# How many changes are read at a time.
PIECE = 200
# After how many seconds a broken connection is tried again.
_TRY_AGAIN = 10
# So many changes that are written down nowhere are kept for a follower who is slow to take them.
_MOST_PASSING = 1000

# Calls something in a thread, for who waits in an event loop.
Run = Callable[[Callable[[], Any]], Awaitable[Any]]
Callback = Callable[[UUID, str, str], None]


@dataclass(frozen=True)
class Change:
    """A change. `number` counts commits from 1; None in the hot tier, which is not logged."""

    number: int | None
    namespace: str
    key: str
    version: int | None
    kind: str
    at: datetime


class TooLongAgo(LookupError):
    """The log no longer reaches back to this number: the reader has to read everything anew."""


# --- The log --------------------------------------------------------------------------------------


def latest(user_id: UUID) -> int:
    """Return the number of the latest change, 0 for none; in the person's open block."""
    last = ChangeCounter.objects.filter(user_id=user_id).values_list("last", flat=True).first()
    return last or 0


def after(user_id: UUID, number: int, namespaces: Collection[str]) -> tuple[list[Change], int]:
    """Return the next changes in these namespaces, at most PIECE, and the number up to which that
    is all; in the person's open block.

    Raises TooLongAgo when the log no longer reaches back so far, or never reached so far.
    """
    # First: whatever has a number up to this is committed.
    counter = latest(user_id)
    logged = MemoryChange.objects.filter(user_id=user_id, number__lte=counter).order_by("number")
    oldest = logged.values_list("number", flat=True).first() or counter + 1
    if number + 1 < oldest or number > counter:
        raise TooLongAgo(
            f"The change log covers only {oldest} to {counter}. Read everything again."
        )
    rows = logged.filter(number__gt=number, namespace__in=[*namespaces, ""])[:PIECE]
    changes = [
        Change(row.number or 0, row.namespace, row.key, row.version, row.kind, row.at)
        for row in rows
    ]
    return changes, (changes[-1].number or 0) if len(changes) == PIECE else counter


def clear_changes(user_id: UUID) -> None:
    """Empty both logs, and log that everything was forgotten; in the person's open block."""
    MemoryOperation.objects.filter(user_id=user_id).delete()
    MemoryChange.objects.filter(user_id=user_id).delete()
    MemoryChange.objects.create(
        user_id=user_id, namespace="", key="", kind=MemoryChange.Kind.CLEARED, at=now()
    )


def forget_key(user_id: UUID, namespace: str, key: str) -> None:
    """Remove an erased key from the logs; followers hear of a removal that names no key."""
    named = {"user_id": user_id, "namespace": namespace}
    MemoryOperation.objects.filter(**named, key=key).update(key="")
    MemoryChange.objects.filter(**named, key=key).delete()
    MemoryChange.objects.create(**named, key="", kind=MemoryChange.Kind.REMOVED, at=now())


# --- In this process ------------------------------------------------------------------------------

_entry_changed = Signal()


def subscribe(namespace: str, callback: Callback) -> Callable[[], object]:
    """Call back with (user id, namespace, key) when an entry changed in this process.

    Called once the change is committed; a subscriber's fault is logged, and keeps nobody else from
    hearing. Returns what ends the subscription.
    """

    def report(error: Exception) -> None:
        name = type(error).__name__
        log.error("subscriber_failed", error=name, namespace=namespace, exc_info=error)

    def receive(user_id: UUID, changed: str, key: str, **_: Any) -> None:
        if changed == namespace:
            with best_effort(report):
                callback(user_id, changed, key)

    _entry_changed.connect(receive, weak=False)
    return partial(_entry_changed.disconnect, receive)


def tell_after_commit(user_id: UUID, namespace: str, key: str) -> None:
    """Call the subscribers of this process once the transaction is committed."""
    if _entry_changed.has_listeners():
        change = {"user_id": user_id, "changed": namespace, "key": key}
        transaction.on_commit(lambda: _entry_changed.send(sender=None, **change))


# --- In every process -----------------------------------------------------------------------------


def announce(user_id: UUID, namespace: str, key: str, kind: MemoryChange.Kind) -> None:
    """Notify followers in every process of a change that is not logged, after the commit."""
    change = {"user": user_id, "namespace": namespace, "key": key, "kind": kind, "at": now()}
    with connection.cursor() as cursor:
        payload = json.dumps(change, default=str)
        cursor.execute("select pg_notify(%s, %s)", [CHANGES_CHANNEL, payload])


def _announced(payload: str) -> tuple[UUID, Change | None]:
    """Return whose memory changed, and how if the notification says so."""
    if not payload.startswith("{"):
        return UUID(payload), None
    change = json.loads(payload)
    at = datetime.fromisoformat(change["at"])
    return UUID(change["user"]), Change(
        None, change["namespace"], change["key"], None, change["kind"], at
    )


async def follow_changes(
    user_id: UUID, number: int, namespaces: Collection[str], run: Run, every: float
) -> AsyncGenerator[list[Change]]:
    """Yield changes after a number as they are committed, by whatever process, without end.

    Those of the hot tier come among them without a number: who was away has missed them. Yields an
    empty list when there was no news for `every` seconds. `run` calls what asks the database in a
    thread, in which this opens the person's block; while it waits it holds neither thread nor
    connection. Raises TooLongAgo.
    """

    def read() -> tuple[list[Change], int]:
        with acting_as(user_id):
            return after(user_id, number, namespaces)

    with _listener.subscribed(user_id) as follower:
        news: list[Change | None] = []
        while True:
            news += follower.taken()
            passing = [change for change in news if change and change.namespace in namespaces]
            news = []
            logged, number = await run(read)
            if not passing and not logged:
                with suppress(TimeoutError):
                    news = [await asyncio.wait_for(follower.news.get(), every)]
                if news:
                    continue
            yield passing + logged


class _Follower:
    """A reader in an event loop that waits for one user's changes; None means: read the log."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.news: asyncio.Queue[Change | None] = asyncio.Queue(_MOST_PASSING)

    def taken(self) -> list[Change | None]:
        """Return what arrived since the last call."""
        return [self.news.get_nowait() for _ in range(self.news.qsize())]

    def hear(self, change: Change | None) -> None:
        """Add news; called by the listening thread."""
        # The loop is closed when the server goes down while somebody follows.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._put, change)

    def _put(self, change: Change | None) -> None:
        if self.news.full():
            self.news.get_nowait()
        self.news.put_nowait(change)


class _ChannelListener:
    """One connection that listens for this process, open while anybody waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[UUID, _Follower]] = []
        self._thread: threading.Thread | None = None

    @contextmanager
    def subscribed(self, user_id: UUID) -> Iterator[_Follower]:
        """Listen for one user's changes within the block; it holds no thread."""
        waiting = (user_id, _Follower())
        with self._lock:
            self._waiting.append(waiting)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._listen, name="changes", daemon=True)
                self._thread.start()
        try:
            yield waiting[1]
        finally:
            with self._lock:
                self._waiting.remove(waiting)

    def _listen(self) -> None:
        """Listen until nobody waits. Readers poll while it cannot listen."""
        while self._someone_waits():
            try:
                self._hear()
            except (psycopg.Error, OSError) as error:
                log.warning("listening_broke", error=type(error).__name__)
                self._wake(None)
                threading.Event().wait(_TRY_AGAIN)

    def _hear(self) -> None:
        with listen(CHANGES_CHANNEL) as server:
            # What was committed before it listened.
            self._wake(None)
            while self._someone_waits():
                for notice in server.notifies(timeout=1.0):
                    self._wake(*_announced(notice.payload))

    def _someone_waits(self) -> bool:
        with self._lock:
            if not self._waiting:
                self._thread = None
            return bool(self._waiting)

    def _wake(self, user_id: UUID | None, change: Change | None = None) -> None:
        with self._lock:
            for waiting, follower in self._waiting:
                if user_id in (None, waiting):
                    follower.hear(change)


_listener = _ChannelListener()
