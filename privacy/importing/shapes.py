"""The dataclasses that readers return, and helpers for times, texts and roles."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from django.utils.dateparse import parse_date, parse_datetime

from accounts.support.refusals import Refused

Role = Literal["user", "assistant"]
# Numbers from these on are milliseconds, microseconds and nanoseconds.
_FINER = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
_DAY = len("2024-03-14")
# Words for the types of attachments in a message.
_KINDS = ("image", "audio", "video")
# The marker at the start of a list item.
_MARKS = ("- ", "* ", "• ")
_LINE = re.compile(r"[^\r\n]+")
# How much of an item's id is used in the ids of its lines: it may be the whole text.
_ID = 200

EMPTY = "I can’t read any message in it"
BROKEN = "it’s damaged"
WITHOUT_TEXT = "it has no text"


class NotAnImport(Refused):
    """Raised when a file cannot be imported; the message says what is wrong and what to do."""

    field = "file"


class Unreadable(ValueError):
    """Raised when one item of a file cannot be read; the message is a short reason."""


@dataclass(frozen=True)
class ImportedMessage:
    """A message of an import; `said_at` is None if the file gives no time."""

    role: Role
    content: str
    said_at: datetime | None
    source_id: str


@dataclass(frozen=True)
class ImportedConversation:
    """A conversation of an import with at least one message, in reading order."""

    source_id: str
    title: str
    started_at: datetime | None
    messages: tuple[ImportedMessage, ...]


@dataclass(frozen=True)
class ImportedMemory:
    """One memory of another assistant."""

    text: str
    said_at: datetime | None
    source_id: str


@dataclass(frozen=True)
class Skipped:
    """An item that is not imported, with a short reason."""

    reason: str


ImportedItem = ImportedConversation | ImportedMemory | Skipped


@dataclass(frozen=True)
class Reader:
    """A format: how an item is recognised and read. `read` raises Unreadable."""

    source: str
    recognises: Callable[[Mapping[str, Any]], bool]
    read: Callable[
        [Mapping[str, Any]], ImportedConversation | ImportedMemory | Iterable[ImportedMemory]
    ]


def moment(value: Any) -> datetime | None:
    """Return the time of a number (seconds or smaller units) or an ISO text; None if invalid."""
    try:
        if isinstance(value, str):
            return _of_text(value)
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            return None
        parts = next((parts for least, parts in _FINER if value >= least), 1.0)
        return datetime.fromtimestamp(value / parts, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _of_text(value: str) -> datetime | None:
    text = value.strip()
    if text.replace(".", "", 1).isdecimal():
        return moment(float(text))
    if (day := parse_date(text) if len(text) == _DAY else None) is not None:
        # Noon is on the same day in nearly all time zones.
        return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    at = parse_datetime(text)
    if at is None:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return at.astimezone(UTC) if at.year < 9999 else None


def later(at: datetime | None) -> datetime:
    """Return a sort key for times; an unknown time sorts first."""
    return at or datetime.min.replace(tzinfo=UTC) + timedelta(days=1)


def mapping_of(value: Any) -> Mapping[str, Any]:
    """Return a JSON object, or an empty one if the value is something else."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """Return a JSON list, or an empty one if the value is something else."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Return a text without surrounding spaces; '' if the value is something else."""
    return value.strip() if isinstance(value, str) else ""


def text_of_parts(parts: Any) -> str:
    """Return the text of a message in parts; other parts become a word in brackets."""
    if not isinstance(parts, list):
        return text_of(parts)
    return "\n".join(filter(None, map(_text_of_part, parts)))


def _text_of_part(part: Any) -> str:
    if isinstance(part, str):
        return part.strip()
    fields = mapping_of(part)
    text = fields.get("text")
    text = text_of(mapping_of(text).get("value") if isinstance(text, dict) else text)
    if text or not fields:
        return text
    kind = str(fields.get("content_type") or fields.get("type") or "")
    if kind == "text":
        return ""
    return f"[{next((name for name in _KINDS if name in kind), 'attachment')}]"


def lines_of(memory: ImportedMemory) -> Iterator[ImportedMemory]:
    """Yield each line of a memory as a memory with a stable id; headings are ignored."""
    for line in _LINE.finditer(memory.text):
        text = line[0].strip()
        mark = next((mark for mark in _MARKS if text.startswith(mark)), "")
        text = text.removeprefix(mark).strip()
        heading = text.startswith("#") or (text.startswith("**") and text.endswith("**"))
        if text and not heading:
            yield replace(memory, text=text, source_id=f"{memory.source_id[:_ID]}:{text}")


def conversation(
    source_id: Any, title: Any, started_at: Any, read: Iterable[ImportedMessage | None]
) -> ImportedConversation:
    """Return a conversation of the messages read. Raises Unreadable if there are none."""
    messages = [message for message in read if message is not None]
    if not messages:
        raise Unreadable(EMPTY)
    known = [message.said_at for message in messages if message.said_at is not None]
    begun = moment(started_at) or (min(known) if known else None)
    name = " ".join(text_of(title).split())
    # Without an id, a conversation is recognised by its first message.
    key = str(source_id or "") or f"{name}:{begun}:{messages[0].content[:200]}"
    return ImportedConversation(key, name, begun, tuple(messages))
