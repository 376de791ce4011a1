"""Limiting concurrent answers: a few at a time, people in turn, and none while waiting.

Python runs one thread at a time. Two hundred answers that all want to run would leave a page its
two-hundredth part; a few leave it its share, and none of them is slower for it. So an answer holds
a place while it works and gives it up, with its database connection, while it waits for the model.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from django.db import OperationalError, connection

from accounts.database.connections import release_connection

# How many answers are worked on at the same moment: while one asks the database another runs. Until
# it waits for the first time an answer has much to do and then little at a time, so not all places
# are for those that begin.
PLACES, FOR_BEGINNING = 3, 2
# How long somebody waits for their turn to say something in one conversation, in seconds.
PATIENCE = 60


class Places:
    """A bounded number of places; people take turns, and one person's requests keep their order."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._lock = threading.Lock()
        self._waiting: OrderedDict[UUID, deque[threading.Event]] = OrderedDict()

    def enter(self, person: UUID) -> None:
        """Take a place; wait while all are taken."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Event()
            self._waiting.setdefault(person, deque()).append(turn)
        turn.wait()

    def leave(self) -> None:
        """Give the place to the next person who waits."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            person, turns = self._waiting.popitem(last=False)
            turns.popleft().set()
            if turns:
                self._waiting[person] = turns

    def waiting(self) -> int:
        """Return how many wait for a place."""
        with self._lock:
            return sum(map(len, self._waiting.values()))


class _ThreadState(threading.local):
    """The state of this thread: whose place it holds, and whether it has not waited since."""

    person: UUID | None = None
    beginning: bool = False


_places, _for_beginning = Places(PLACES), Places(FOR_BEGINNING)
_thread = _ThreadState()
_active = 0
_counting = threading.Lock()


@contextmanager
def working(person: UUID) -> Iterator[None]:
    """Hold a place while the block runs, but for what runs in `waiting`. Nested it is held once.

    Nobody waits for a place inside a transaction: who has one may wait for what it has locked.
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
    """Release place and connection while the block runs: it waits for something slow."""
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
    """Return the interval between two repetitions of a job that each answer in progress does, in
    seconds.

    At least `seconds`; longer where there are so many answers that doing it, at `cost` seconds
    each, would take too much of the processor.
    """
    return max(seconds, 4 * cost * _active)


def active() -> int:
    """Return how many answers are in progress in this process, working or waiting."""
    return _active


@contextmanager
def counted_in_progress() -> Iterator[None]:
    """Count as an answer in progress while the block runs."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(change: int) -> None:
    global _active  # noqa: PLW0603 - one number for the process
    with _counting:
        _active += change


# --- One after the other -------------------------------------------------------------------------

_locks: "WeakValueDictionary[Hashable, threading.Lock]" = WeakValueDictionary()
_naming = threading.Lock()


@contextmanager
def in_turn(name: Hashable) -> Iterator[None]:
    """Admit one holder of this name at a time in this process; who waits holds no database
    connection.

    The database's own locks hold between processes: this keeps a crowd from waiting there.
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
