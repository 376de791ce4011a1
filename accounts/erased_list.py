"""What was erased, in a file beside the database: a backup that is restored knows nothing of it.

One line an erasure: when, whose, of what kind, and the key of what went; no word and no name. The
command `erase_again` goes through it after a restore.
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
    """What went."""

    FACT = "fact"
    # Without others that said the same.
    FACT_ALONE = "fact_alone"
    NOTE = "note"
    MESSAGE = "message"
    CONVERSATION = "conversation"
    EVERYTHING = "everything"
    ACCOUNT = "account"


@dataclass(frozen=True)
class Erased:
    """One erasure."""

    at: datetime
    user_id: UUID
    kind: Kind
    subject: UUID


def note(user_id: UUID, kind: Kind, subject: UUID) -> None:
    """Add a line when the open transaction is committed."""
    line = {"at": now().isoformat(), "user": str(user_id), "kind": kind, "subject": str(subject)}

    def report(error: Exception) -> None:
        # What is erased stays erased; a full disk is for whoever keeps the backups to know.
        log.error("erasure_not_listed", kind=kind, error=type(error).__name__)

    def write() -> None:
        with best_effort(report), open(settings.ERASED_LIST, "a", opener=_private) as file:
            file.write(json.dumps(line) + "\n")

    transaction.on_commit(write)


def lines() -> Iterator[Erased]:
    """Every erasure, the oldest first."""
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
