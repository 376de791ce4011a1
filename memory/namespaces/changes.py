"""Following changes of entries: callbacks in this process, and reading the log for streams.

Triggers write and number the log (migration 0028) and notify a PostgreSQL channel; one connection
per process listens while there are followers.
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

# The number of changes that are read at a time.
PIECE = 200
# Seconds before reconnecting.
_TRY_AGAIN = 10
# The number of unlogged changes that are queued for a slow follower.
_MOST_PASSING = 1000

# Runs a function in a thread and awaits the result.
Run = Callable[[Callable[[], Any]], Awaitable[Any]]
Callback = Callable[[UUID, str, str], None]


@dataclass(frozen=True)
class Change:
    """A change of an entry.

    `number` counts a user's commits from 1; None for the hot tier, which is not logged.
    """

    number: int | None
    namespace: str
    key: str
    version: int | None
    kind: str
    at: datetime


class TooLongAgo(LookupError):
    """The log has no changes after this number any more: the reader must read all entries again."""


# --- The log --------------------------------------------------------------------------------------


def latest(user_id: UUID) -> int:
    """Return the number of the user's latest change; 0 for none. Needs the user's transaction."""
    last = ChangeCounter.objects.filter(user_id=user_id).values_list("last", flat=True).first()
    return last or 0


def after(user_id: UUID, number: int, namespaces: Collection[str]) -> tuple[list[Change], int]:
    """Return the next changes in these namespaces, at most PIECE, and the last number covered.

    Must run in the user's transaction. Raises TooLongAgo if the log does not contain `number`.
    """
    # Read first: all changes up to this number are committed.
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
    """Empty both logs, and log that everything was forgotten. Needs the user's transaction."""
    MemoryOperation.objects.filter(user_id=user_id).delete()
    MemoryChange.objects.filter(user_id=user_id).delete()
    MemoryChange.objects.create(
        user_id=user_id, namespace="", key="", kind=MemoryChange.Kind.CLEARED, at=now()
    )


def forget_key(user_id: UUID, namespace: str, key: str) -> None:
    """Remove an erased key from both logs; followers get a removal without a key."""
    named = {"user_id": user_id, "namespace": namespace}
    MemoryOperation.objects.filter(**named, key=key).update(key="")
    MemoryChange.objects.filter(**named, key=key).delete()
    MemoryChange.objects.create(**named, key="", kind=MemoryChange.Kind.REMOVED, at=now())


# --- In this process ------------------------------------------------------------------------------

_entry_changed = Signal()


def subscribe(namespace: str, callback: Callback) -> Callable[[], object]:
    """Call `callback` with (user id, namespace, key) after an entry changed in this process.

    Called after the commit; exceptions of a callback are logged and do not affect others. Returns a
    function that ends the subscription.
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
    """Call the subscribers of this process after the transaction is committed."""
    if _entry_changed.has_listeners():
        change = {"user_id": user_id, "changed": namespace, "key": key}
        transaction.on_commit(lambda: _entry_changed.send(sender=None, **change))


# --- In every process -----------------------------------------------------------------------------


def announce(user_id: UUID, namespace: str, key: str, kind: MemoryChange.Kind) -> None:
    """Notify followers in all processes of an unlogged change when the transaction commits."""
    change = {"user": user_id, "namespace": namespace, "key": key, "kind": kind, "at": now()}
    with connection.cursor() as cursor:
        payload = json.dumps(change, default=str)
        cursor.execute("select pg_notify(%s, %s)", [CHANGES_CHANNEL, payload])


def _announced(payload: str) -> tuple[UUID, Change | None]:
    """Return the user id of a notification, and the change if it contains one."""
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
    """Yield a user's committed changes after `number`, from all processes, without end.

    Changes of the hot tier have no number and are lost while not connected. Yields an empty list
    after `every` seconds without changes. `run` runs database reads in a thread, which opens the
    user's transaction; while waiting, no thread or connection is held. Raises TooLongAgo.
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
    """A reader in an event loop that waits for a user's changes; None means: read the log."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.news: asyncio.Queue[Change | None] = asyncio.Queue(_MOST_PASSING)

    def taken(self) -> list[Change | None]:
        """Return the changes that arrived since the last call."""
        return [self.news.get_nowait() for _ in range(self.news.qsize())]

    def hear(self, change: Change | None) -> None:
        """Queue a change; called from the listening thread."""
        # The loop is closed if the server stops while somebody follows.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._put, change)

    def _put(self, change: Change | None) -> None:
        if self.news.full():
            self.news.get_nowait()
        self.news.put_nowait(change)


class _ChannelListener:
    """One database connection that listens for this process while there are followers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[UUID, _Follower]] = []
        self._thread: threading.Thread | None = None

    @contextmanager
    def subscribed(self, user_id: UUID) -> Iterator[_Follower]:
        """Yield a follower of a user's changes, registered for the `with` block."""
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
        """Listen until nobody waits. Followers poll while the connection is broken."""
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
