"""What is only an aid may fail: the failure is reported, and the work goes on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def best_effort(report: Callable[[Exception], object]) -> Iterator[None]:
    """Go on after the block when anything fails in it, once `report` was told what."""
    try:
        yield
    # Whatever it is: the callers stand before libraries, models and tools of any make, and each
    # of them says why nothing in its block may cost more than itself.
    except Exception as error:  # noqa: BLE001
        report(error)
