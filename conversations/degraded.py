"""Reading memory where an error must not end the conversation."""

from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import connection, transaction

from accounts.support.best_effort import best_effort

log = structlog.get_logger(__name__)
Read = TypeVar("Read")


def tried(read: Callable[[], Read], **ids: str) -> Read | None:
    """Return what `read` returns; on an error log it with these ids and return None.

    Runs in a savepoint, so that a failed statement does not break the caller's transaction. A lost
    database connection is raised.
    """

    def note(error: Exception) -> None:
        if connection.needs_rollback:
            raise error
        # Only the kind of error: a message may quote the user.
        log.error("recall_failed", error=type(error).__name__, **ids)

    with best_effort(note), transaction.atomic():
        return read()
    return None
