"""The list of erasures, a file beside the database: a restored backup does not know about them.

Each line has time, user, kind, and the key of what was erased; no text and no names. The command
`erase_again` repeats them after a restore.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.timezone import now

from accounts.support.best_effort import best_effort

log = structlog.get_logger(__name__)


class Kind(StrEnum):
    """The kind of what was erased."""

    FACT = "fact"
    # Without other facts of the same value.
    FACT_ALONE = "fact_alone"
    NOTE = "note"
    MESSAGE = "message"
    CONVERSATION = "conversation"
    EVERYTHING = "everything"
    ACCOUNT = "account"


@dataclass(frozen=True)
class Erased:
    """A line of the list."""

    at: datetime
    user_id: UUID
    kind: Kind
    subject: UUID


def note(user_id: UUID, kind: Kind, subject: UUID) -> None:
    """Add a line when the current transaction commits."""
    line = {"at": now().isoformat(), "user": str(user_id), "kind": kind, "subject": str(subject)}

    def report(error: Exception) -> None:
        # The erasure stands even if the list cannot be written; log it for the administrator.
        log.error("erasure_not_listed", kind=kind, error=type(error).__name__)

    def write() -> None:
        with best_effort(report), open(settings.ERASED_LIST, "a", opener=_private) as file:
            file.write(json.dumps(line) + "\n")

    transaction.on_commit(write)


def lines() -> Iterator[Erased]:
    """Yield every line, oldest first."""
    path = Path(settings.ERASED_LIST)
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            data = json.loads(line)
            at = datetime.fromisoformat(data["at"])
            yield Erased(at, UUID(data["user"]), Kind(data["kind"]), UUID(data["subject"]))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
