"""The current HTTP request, for log lines of layers that have no request object."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Visit:
    """A request: its id, and a function that resolves its route (costs a URL lookup)."""

    request_id: str
    route: Callable[[], str]


current_visit: ContextVar[Visit | None] = ContextVar("current_visit", default=None)


def visit_fields() -> dict[str, str]:
    """Return the log fields that identify the request; empty outside of a request."""
    visit = current_visit.get()
    return {"request_id": visit.request_id, "route": visit.route()} if visit else {}
