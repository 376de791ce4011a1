"""Time and size of the last backup, in the file LAST_BACKUP that `manage.py backup` writes."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog
from django.conf import settings

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class LastBackup:
    """The time of the last backup and its size in bytes."""

    at: datetime
    size: int


def note_backup(at: datetime, size: int) -> None:
    """Write the file; a failure is logged and does not fail the backup."""
    place = Path(settings.LAST_BACKUP)
    unfinished = place.with_name(f"{place.name}.part")
    try:
        unfinished.write_text(json.dumps({"at": at.isoformat(), "size": size}))
        unfinished.replace(place)
    except OSError as error:
        log.warning("backup_not_noted", error=type(error).__name__)


def last_backup() -> LastBackup | None:
    """Return the last backup, or None if the file is missing or unreadable."""
    try:
        note = json.loads(Path(settings.LAST_BACKUP).read_text())
        at = datetime.fromisoformat(note["at"])
        return LastBackup(at if at.tzinfo else at.replace(tzinfo=UTC), int(note["size"]))
    except (OSError, ValueError, TypeError, LookupError):
        return None
