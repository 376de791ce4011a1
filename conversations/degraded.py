"""Reading memory where that may fail: the conversation goes on without it."""

from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import connection, transaction

from accounts.support.best_effort import best_effort

log = structlog.get_logger(__name__)
Read = TypeVar("Read")


def tried(read: Callable[[], Read], **ids: str) -> Read | None:
    """Return what `read` returns; on an error log it with these ids and return None.

    In a savepoint of the open block, so that a statement that failed breaks nothing around it. A
    database that went away is raised: there is nothing left to go on with.
    """

    def note(error: Exception) -> None:
        if connection.needs_rollback:
            raise error
        # Only its kind: a message may quote what was said.
        log.error("recall_failed", error=type(error).__name__, **ids)

    with best_effort(note), transaction.atomic():
        return read()
    return None
