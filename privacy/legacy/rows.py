"""What a row of an earlier store holds: texts, numbers and moments, exactly and in plain words."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from uuid import UUID, uuid5

from conversations.messages import keepable

_SPACE = UUID("6a6f2f0e-6f3b-5c1c-9a43-0b6c5f3e8d11")
# Columns that repeat other rows, or are made of them: of these the checksum is kept.
MADE_OF_OTHERS = frozenset({"vector_json", "full_conversation_history"})
_ID_LENGTH = 200
# From this number on a time is in milliseconds.
_MILLISECONDS = 100_000_000_000
_TIMES = ("timestamp", "compact_timestamp", "started_at", "created_at", "last_activity")
USER_TEXTS = ("user_prompt", "query", "user_query", "prompt")
REPLIES = ("llm_reply", "response", "reply")


def key_of(user_id: UUID, source: str, table: str, original_id: str, place: int = 0) -> UUID:
    """The key of an original row here: the same whenever it is brought."""
    return uuid5(_SPACE, json.dumps([str(user_id), source, table, original_id, place]))


def key_made(row: UUID, what: str) -> UUID:
    """The key of something that is made of a row."""
    return uuid5(row, what)


@dataclass(frozen=True)
class OddText:
    """A text that is not UTF-8, or that the database cannot hold."""

    data: bytes


def read_text(data: bytes) -> str | OddText:
    """A text of SQLite as Python has it; as bytes where it cannot be kept as it is."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return OddText(data)
    return OddText(data) if "\0" in text else text


def as_json(column: str, value: Any) -> Any:
    """A value as JSON that says the same, whatever it is."""
    if column in MADE_OF_OTHERS and value is not None:
        data = value.data if isinstance(value, OddText) else _bytes(value)
        return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    if isinstance(value, OddText):
        return {"text": value.data.hex()}
    if isinstance(value, bytes):
        return {"blob": value.hex()}
    if isinstance(value, float) and not _is_plain(value):
        return {"real": repr(value)}
    return value


def checksum(original: Mapping[str, Any]) -> str:
    """SHA-256 of a row as JSON, in hexadecimal digits."""
    text = json.dumps(original, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _is_plain(value: float) -> bool:
    """Whether a database that keeps decimals gives back the same number."""
    negative_zero = value == 0 and math.copysign(1, value) < 0
    return math.isfinite(value) and "e" not in repr(value) and not negative_zero


@dataclass(frozen=True)
class SourceRow:
    """One row as it stands in its file; `thread` names the conversation of a file with one."""

    source: str
    table: str
    original_id: str
    place: int
    original: Mapping[str, Any]
    thread: str = ""

    @cached_property
    def checksum(self) -> str:
        """Of `original`."""
        return checksum(self.original)

    def key(self, user_id: UUID) -> UUID:
        """Its key here."""
        return key_of(user_id, self.source, self.table, self.original_id, self.place)

    @property
    def said(self) -> str:
        """What its person said, of a row that holds an exchange."""
        return text_of(self.original, *USER_TEXTS)

    @property
    def answered(self) -> str:
        """What was answered."""
        return text_of(self.original, *REPLIES)


def text_of(original: Mapping[str, Any], *columns: str) -> str:
    """The first of these columns that has words; '' where none has.

    Bytes that are not UTF-8 are read as Windows-1252, which files of that time mostly are.
    """
    for column in columns:
        value = original.get(column)
        if isinstance(value, dict):
            data = bytes.fromhex(value.get("text") or value.get("blob") or "")
            value = _decoded(data)
        if value is not None and (text := keepable(str(value)).strip()):
            return text
    return ""


def share_of(original: Mapping[str, Any], column: str, without: float) -> float:
    """A number from 0 to 1; `without` where there is none, and the nearest for one outside."""
    try:
        value = float(text_of(original, column))
    except ValueError:
        return without
    return min(1.0, max(0.0, value)) if math.isfinite(value) else without


def number_of(original: Mapping[str, Any], column: str) -> int:
    """A whole number; 0 where there is none."""
    try:
        return int(float(text_of(original, column)))
    except (ValueError, OverflowError):
        return 0


def moment_of(original: Mapping[str, Any], *columns: str) -> datetime | None:
    """The first moment in these columns, or in those that mostly hold one; None without any.

    Numbers are seconds since 1970. A time that names no distance from UTC is in UTC.
    """
    for column in columns or _TIMES:
        if moment := _moment(text_of(original, column)):
            return moment
    return None


def short_id(text: str) -> str:
    """An id that fits into its column, and is still another one for every other text."""
    if len(text) <= _ID_LENGTH:
        return text
    return f"{text[:100]}…{hashlib.sha256(text.encode()).hexdigest()}"


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _moment(text: str) -> datetime | None:
    try:
        seconds = float(text)
        seconds = seconds / 1000 if abs(seconds) >= _MILLISECONDS else seconds
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        try:
            moment = datetime.fromisoformat(text)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            moment = moment.astimezone(UTC)
        except (ValueError, OverflowError):
            return None
    return moment if 1970 <= moment.year < 9000 else None
