"""Ignoring failures of optional work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def best_effort(report: Callable[[Exception], object]) -> Iterator[None]:
    """Context manager that passes any exception to `report`, and continues after the block."""
    try:
        yield
    # Any exception: callers wrap libraries, models and tools of all kinds, and each says why a
    # failure of its block must not affect anything else.
    except Exception as error:  # noqa: BLE001
        report(error)
