"""Waiting for the database to say that somebody's memory changed: one connection a process."""

import asyncio
import json
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import psycopg
import structlog
from django.db import connections

from memory.namespaces.tables import CHANNEL

log = structlog.get_logger(__name__)

# After how many seconds a broken connection is tried again.
_TRY_AGAIN = 10
# So many changes that are written down nowhere are kept for one who is slow to take them.
_MOST_PASSING = 1000


@dataclass(frozen=True)
class Change:
    """A change. `number` counts commits from 1; None in the hot tier, which is not logged."""

    number: int | None
    namespace: str
    key: str
    version: int | None
    kind: str
    at: datetime


class ChangeSubscriber:
    """A task that waits for news of one person's memory; made in its event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._passing: deque[Change] = deque(maxlen=_MOST_PASSING)

    def take(self) -> list[Change]:
        """What passed since it was last asked; from here on there is no news."""
        self._news.clear()
        taken = []
        while self._passing:
            taken.append(self._passing.popleft())
        return taken

    @property
    def has_news(self) -> bool:
        """Whether there is news that was not taken yet."""
        return self._news.is_set()

    async def wait(self, seconds: float) -> None:
        """Return when there is news, or after so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)

    def hear(self, passing: Change | None) -> None:
        """There is news; called by the thread that listens."""
        if passing is not None:
            self._passing.append(passing)
        # The loop is closed when the server goes down while somebody follows.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._news.set)


def encode_change(change: Change, user_id: UUID) -> str:
    """A change that is written down nowhere, as it is said over the channel."""
    told = {"user": str(user_id), "namespace": change.namespace, "key": change.key}
    return json.dumps(told | {"kind": change.kind, "at": change.at.isoformat()})


def _decode_change(payload: str) -> tuple[UUID, Change | None]:
    """Whose memory changed, and how, where that stands in no row."""
    if not payload.startswith("{"):
        return UUID(payload), None
    told = json.loads(payload)
    at = datetime.fromisoformat(told["at"])
    return UUID(told["user"]), Change(None, told["namespace"], told["key"], None, told["kind"], at)


class _ChannelListener:
    """One connection that listens for this process, open while anybody waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[UUID, set[ChangeSubscriber]] = {}
        self._thread: threading.Thread | None = None

    def add(self, user_id: UUID, ear: ChangeSubscriber) -> None:
        with self._lock:
            self._waiting.setdefault(user_id, set()).add(ear)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._listen, name="changes", daemon=True)
                self._thread.start()

    def drop(self, user_id: UUID, ear: ChangeSubscriber) -> None:
        with self._lock:
            self._waiting[user_id].discard(ear)
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
                threading.Event().wait(_TRY_AGAIN)

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
                    self._wake(*_decode_change(notice.payload))

    def _someone_waits(self) -> bool:
        with self._lock:
            if not self._waiting:
                self._thread = None
            return bool(self._waiting)

    def _wake(self, user_id: UUID | None, passing: Change | None = None) -> None:
        with self._lock:
            named = self._waiting.values() if user_id is None else [self._waiting.get(user_id, ())]
            for ear in [ear for waiting in named for ear in waiting]:
                ear.hear(passing)


_listener = _ChannelListener()


@contextmanager
def subscribed(user_id: UUID) -> Iterator[ChangeSubscriber]:
    """Listen for one person's changes for the length of the block; it holds no thread."""
    made = ChangeSubscriber()
    _listener.add(user_id, made)
    try:
        yield made
    finally:
        _listener.drop(user_id, made)
