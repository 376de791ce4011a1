"""Hearing of changes: callbacks in this process, and reading on from a number for whoever streams.

The log itself is written and numbered by the database (`memory.namespaces.tables`).
"""

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import psycopg
import structlog
from django.db import connection, connections, transaction
from django.utils.timezone import now

from accounts.isolation import acting_as
from memory.models import ChangeCounter, MemoryChange, MemoryOperation
from memory.namespaces.tables import CHANNEL

log = structlog.get_logger(__name__)

# How many changes are read at a time.
PIECE = 200
# Without a word from the database, look for oneself every so many seconds.
_LOOK_EVERY = 10.0


@dataclass(frozen=True)
class Change:
    """One change of one person's memory; `number` counts from 1 in the order of commits."""

    number: int
    namespace: str
    key: str
    version: int | None
    kind: str
    at: datetime


class TooLongAgo(LookupError):
    """What follows this number is no longer in the log: whoever asks has to read all anew."""


def latest(user_id: UUID) -> int:
    """The number of the latest change, 0 for none; in the person's open block."""
    last = ChangeCounter.objects.filter(user_id=user_id).values_list("last", flat=True).first()
    return last or 0


def after(user_id: UUID, number: int, namespaces: Collection[str]) -> tuple[list[Change], int]:
    """The next changes in these namespaces, at most PIECE, and the number up to which that is all;
    in the person's open block.

    Raises TooLongAgo when the log no longer reaches back so far, or never reached so far.
    """
    # First: whatever has a number up to this is committed.
    counter = latest(user_id)
    logged = MemoryChange.objects.filter(user_id=user_id, number__lte=counter).order_by("number")
    oldest = logged.values_list("number", flat=True).first() or counter + 1
    if number + 1 < oldest or number > counter:
        raise TooLongAgo(f"The log of changes holds {oldest} to {counter}; read all anew.")
    heard = logged.filter(number__gt=number, namespace__in=[*namespaces, ""])[:PIECE]
    found = [
        Change(row.number or 0, row.namespace, row.key, row.version, row.kind, row.at)
        for row in heard
    ]
    return found, found[-1].number if len(found) == PIECE else counter


def clear(user_id: UUID) -> None:
    """Empty the logs of changes and operations, and say in the first that all was forgotten; in the
    person's open block.
    """
    MemoryOperation.objects.filter(user_id=user_id).delete()
    MemoryChange.objects.filter(user_id=user_id).delete()
    MemoryChange.objects.create(
        user_id=user_id, namespace="", key="", kind=MemoryChange.Kind.CLEARED, at=now()
    )


def follow(
    user_id: UUID, number: int, namespaces: Collection[str], gone: threading.Event
) -> Iterator[list[Change]]:
    """Changes after a number as they are committed, by whatever process, until `gone` is set.

    Yields an empty list, too, before it waits. Opens the person's block itself, only while it
    reads. Raises TooLongAgo.
    """
    with _hearing(user_id) as news:
        while not gone.is_set():
            news.clear()
            with acting_as(user_id):
                found, number = after(user_id, number, namespaces)
            connection.close()
            yield found
            if not found:
                news.wait(_LOOK_EVERY)


class _Listener:
    """One connection of this process that hears whose memory changed, and wakes who waits for it.

    It is opened with the first who waits and closed after the last.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[UUID, set[threading.Event]] = {}
        self._thread: threading.Thread | None = None

    def add(self, user_id: UUID, news: threading.Event) -> None:
        with self._lock:
            self._waiting.setdefault(user_id, set()).add(news)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._listen, name="changes", daemon=True)
                self._thread.start()

    def drop(self, user_id: UUID, news: threading.Event) -> None:
        with self._lock:
            self._waiting[user_id].discard(news)
            if not self._waiting[user_id]:
                del self._waiting[user_id]

    def _listen(self) -> None:
        """Until nobody waits. Whoever waits looks for themselves while it cannot listen."""
        while self._someone_waits():
            try:
                self._hear()
            except (psycopg.Error, OSError) as error:
                log.warning("listening_broke", error=type(error).__name__)
                self._wake(None)
                threading.Event().wait(_LOOK_EVERY)

    def _hear(self) -> None:
        parameters = connections["default"].get_connection_params()
        login = {
            name: parameters[name]
            for name in ("host", "port", "dbname", "user", "password", "sslmode")
            if name in parameters
        }
        with psycopg.connect(**login, autocommit=True) as server:
            server.execute(f"listen {CHANNEL}")
            # What was committed before it listened.
            self._wake(None)
            while self._someone_waits():
                for notice in server.notifies(timeout=1.0):
                    with suppress(ValueError):
                        self._wake(UUID(notice.payload))

    def _someone_waits(self) -> bool:
        with self._lock:
            if not self._waiting:
                self._thread = None
            return bool(self._waiting)

    def _wake(self, user_id: UUID | None) -> None:
        with self._lock:
            named = self._waiting.values() if user_id is None else [self._waiting.get(user_id, ())]
            for news in [news for waiting in named for news in waiting]:
                news.set()


_listener = _Listener()


@contextmanager
def _hearing(user_id: UUID) -> Iterator[threading.Event]:
    news = threading.Event()
    _listener.add(user_id, news)
    try:
        yield news
    finally:
        _listener.drop(user_id, news)


Callback = Callable[[UUID, str, str], None]
_callbacks: dict[str, list[Callback]] = {}


def subscribe(namespace: str, callback: Callback) -> Callable[[], None]:
    """Call back with (user id, namespace, key) when an entry changed in this process.

    Called once the change is committed. Returns what ends the subscription.
    """
    _callbacks.setdefault(namespace, []).append(callback)
    return lambda: _callbacks[namespace].remove(callback)


def tell_after_commit(user_id: UUID, namespace: str, key: str) -> None:
    """Tell who subscribed in this process, once the transaction is committed."""
    if _callbacks.get(namespace):
        transaction.on_commit(lambda: _tell(user_id, namespace, key))


def _tell(user_id: UUID, namespace: str, key: str) -> None:
    """One that fails keeps nobody else from hearing."""
    for callback in list(_callbacks.get(namespace, ())):
        try:
            callback(user_id, namespace, key)
        # A subscriber's fault is not the writer's.
        except Exception as error:
            log.exception("subscriber_failed", error=type(error).__name__, namespace=namespace)
