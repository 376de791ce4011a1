"""Caches of expensive values, shared by a whole process."""

import threading
import time
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, ClassVar, Generic, TypeVar

T = TypeVar("T")


class once_per_process(Generic[T]):  # noqa: N801 - it stands before functions, as functools.cache does
    """Decorates a function without arguments: the first call computes the value, others wait.

    With `functools.cache`, concurrent first calls would each compute it. Failures are not cached.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        # Reentrant: computing the value may call this again in the same thread.
        self._lock = threading.RLock()
        self._value: list[T] = []
        update_wrapper(self, make)

    def __call__(self) -> T:
        """Return the cached value, computed now if missing."""
        if not self._value:
            with self._lock:
                if not self._value:
                    self._value.append(self._make())
        return self._value[0]

    def cache_clear(self) -> None:
        """Clear the value; the next call computes it again."""
        with self._lock:
            self._value = []


def read_every(seconds: float) -> Callable[[Callable[[], T]], "TimedRead[T]"]:
    """Decorator that caches the value of a function without arguments for some seconds."""
    return lambda read: TimedRead(read, seconds)


class TimedRead(Generic[T]):
    """A function whose value is cached for some time, see `read_every`."""

    # All instances in this process, so that tests can clear them.
    all_reads: ClassVar[list["TimedRead[Any]"]] = []

    def __init__(self, read: Callable[[], T], seconds: float) -> None:
        self._read, self._seconds = read, seconds
        # The value, and its expiry by time.monotonic.
        self._kept: tuple[T, float] | None = None
        self.all_reads.append(self)
        update_wrapper(self, read)

    def __call__(self) -> T:
        """Return the value, computed now if missing or too old."""
        kept = self._kept
        if kept is None or time.monotonic() >= kept[1]:
            kept = self._kept = self._read(), time.monotonic() + self._seconds
        return kept[0]

    def last(self) -> T | None:
        """Return the last value, however old; None if there is none."""
        return self._kept[0] if self._kept else None

    def cache_clear(self) -> None:
        """Clear the value; the next call computes it again."""
        self._kept = None
