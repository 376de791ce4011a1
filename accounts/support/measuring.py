"""Durations of requests, jobs and calls of models, for whoever counts them; nobody's ids or words.

Who measures calls `measure`; who counts adds a function to `measure_listeners`.
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
    """Tell all listeners how long something took; a label has few different values."""
    for listener in measure_listeners:
        with best_effort(lambda error: log.warning("measure_lost", error=type(error).__name__)):
            listener(what, seconds, labels)
