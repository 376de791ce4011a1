"""Durations of requests, jobs and model calls, without ids or text of users.

Call `measure` to report a duration; add a function to `measure_listeners` to receive them all.
"""

from collections.abc import Callable, Mapping
from typing import Literal

import structlog

from accounts.support.best_effort import best_effort

log = structlog.get_logger(__name__)

Measured = Literal["http_request", "job", "model_call"]
Listener = Callable[[Measured, float, Mapping[str, str]], None]
measure_listeners: list[Listener] = []


def measure(what: Measured, seconds: float, **labels: str) -> None:
    """Send a duration to all listeners; each label must have few different values."""
    for listener in measure_listeners:
        with best_effort(lambda error: log.warning("measure_lost", error=type(error).__name__)):
            listener(what, seconds, labels)
