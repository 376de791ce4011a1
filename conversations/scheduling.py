"""Limits the number of answers that work at the same time in this process.

Python runs one thread at a time, so hundreds of running answers would slow down every page; a few
do not make any answer slower. An answer holds a place while it works, and releases the place and
its database connection while it waits for the model.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from django.db import OperationalError, connection

from accounts.database.connections import release_connection

# How many answers work at the same time: while one waits for the database another runs. A beginning
# answer has much to do before its first wait, later little at a time, so that not all places are
# open to beginning answers.
PLACES, FOR_BEGINNING = 3, 2
# How many seconds to wait for one's turn in a conversation.
PATIENCE = 60


class Places:
    """A bounded number of places, given to users in turn; one user's requests keep their order."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._lock = threading.Lock()
        self._waiting: OrderedDict[UUID, deque[threading.Event]] = OrderedDict()

    def enter(self, person: UUID) -> None:
        """Take a place; block while all are taken."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Event()
            self._waiting.setdefault(person, deque()).append(turn)
        turn.wait()

    def leave(self) -> None:
        """Give the place to the next waiting user."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            person, turns = self._waiting.popitem(last=False)
            turns.popleft().set()
            if turns:
                self._waiting[person] = turns

    def waiting(self) -> int:
        """Return how many threads wait for a place."""
        with self._lock:
            return sum(map(len, self._waiting.values()))


class _ThreadState(threading.local):
    """Per thread: the user whose place it holds, and whether it has never waited since."""

    person: UUID | None = None
    beginning: bool = False


_places, _for_beginning = Places(PLACES), Places(FOR_BEGINNING)
_thread = _ThreadState()
_active = 0
_counting = threading.Lock()


@contextmanager
def working(person: UUID) -> Iterator[None]:
    """Hold a place during the block, except within `waiting`; nested blocks hold one place.

    Inside a transaction no place is taken, because the holder of a place may wait for a lock of
    that transaction.
    """
    if _thread.person is not None or connection.in_atomic_block:
        yield
        return
    release_connection()
    with counted_in_progress():
        _for_beginning.enter(person)
        _places.enter(person)
        _thread.person, _thread.beginning = person, True
        try:
            yield
        finally:
            _thread.person = None
            _leave()


@contextmanager
def waiting() -> Iterator[None]:
    """Release the place and the database connection while the block waits for something slow."""
    release_connection()
    person = _thread.person
    if person is None or connection.in_atomic_block:
        yield
        return
    _leave()
    try:
        yield
    finally:
        _places.enter(person)


def _leave() -> None:
    if _thread.beginning:
        _thread.beginning = False
        _for_beginning.leave()
    _places.leave()


def spaced(seconds: float, cost: float) -> float:
    """Return the interval in seconds at which an answer in progress repeats a task. At least
    `seconds`; longer with many answers, as each repetition takes `cost` seconds of processor time.
    """
    return max(seconds, 4 * cost * _active)


def active() -> int:
    """Return how many answers are in progress in this process, working or waiting."""
    return _active


@contextmanager
def counted_in_progress() -> Iterator[None]:
    """Count the block as one answer in progress (see `active`)."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(change: int) -> None:
    global _active  # noqa: PLW0603 - one number for the process
    with _counting:
        _active += change


# --- Waiting in line -----------------------------------------------------------------------------

_locks: "WeakValueDictionary[Hashable, threading.Lock]" = WeakValueDictionary()
_naming = threading.Lock()


@contextmanager
def in_turn(name: Hashable) -> Iterator[None]:
    """Lock `name` in this process during the block, without a database connection while waiting.

    Database locks work between processes; this keeps many threads from waiting there. Raises
    OperationalError after `PATIENCE` seconds.
    """
    if connection.in_atomic_block:
        yield
        return
    with _naming:
        lock = _locks.setdefault(name, threading.Lock())
    if not lock.acquire(blocking=False):
        release_connection()
        if not lock.acquire(timeout=PATIENCE):
            raise OperationalError("Too many messages are waiting here.")
    try:
        yield
    finally:
        lock.release()
