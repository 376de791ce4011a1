"""Values that are expensive to make and that a whole process shares."""

import threading
import time
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, ClassVar, Generic, TypeVar

T = TypeVar("T")


class once_per_process(Generic[T]):  # noqa: N801 - it stands before functions, as functools.cache does
    """Decorate a function without arguments: the first who asks makes its value, others wait.

    `functools.cache` lets every thread that asks before the first answer make a value of its own.
    Nothing is kept when making it fails: the next one tries again.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        # The same thread may come back while it makes the value, as a first use inside another.
        self._lock = threading.RLock()
        self._value: list[T] = []
        update_wrapper(self, make)

    def __call__(self) -> T:
        """The value, made now if nobody has made it."""
        if not self._value:
            with self._lock:
                if not self._value:
                    self._value.append(self._make())
        return self._value[0]

    def cache_clear(self) -> None:
        """Forget the value; the next call makes another."""
        with self._lock:
            self._value = []


def read_every(seconds: float) -> Callable[[Callable[[], T]], "TimedRead[T]"]:
    """Decorate a function without arguments: its value is kept for so many seconds."""
    return lambda read: TimedRead(read, seconds)


class TimedRead(Generic[T]):
    """A function whose value the process keeps for a while, see `read_every`."""

    # All of them in this process. What ends with a test is forgotten by clearing each.
    all_reads: ClassVar[list["TimedRead[Any]"]] = []

    def __init__(self, read: Callable[[], T], seconds: float) -> None:
        self._read, self._seconds = read, seconds
        # The value, and until when it is used by time.monotonic.
        self._kept: tuple[T, float] | None = None
        self.all_reads.append(self)
        update_wrapper(self, read)

    def __call__(self) -> T:
        """Return the value, read now if none is kept or the one kept is too old."""
        kept = self._kept
        if kept is None or time.monotonic() >= kept[1]:
            kept = self._kept = self._read(), time.monotonic() + self._seconds
        return kept[0]

    def last(self) -> T | None:
        """Return the value that was read last, however old; None where none is kept."""
        return self._kept[0] if self._kept else None

    def cache_clear(self) -> None:
        """Forget the value; the next call reads it."""
        self._kept = None
