"""The request that is being answered, for log lines of layers that know no requests."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Visit:
    """A request: its id, and how to get its route, which costs a look into all addresses."""

    request_id: str
    route: Callable[[], str]


current_visit: ContextVar[Visit | None] = ContextVar("current_visit", default=None)


def visit_fields() -> dict[str, str]:
    """Return the fields of a log line that name the request; empty outside of one."""
    visit = current_visit.get()
    return {"request_id": visit.request_id, "route": visit.route()} if visit else {}
