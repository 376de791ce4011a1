"""Values that are expensive to make and that a whole process shares."""

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar

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
