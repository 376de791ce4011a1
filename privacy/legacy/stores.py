"""Files of an earlier store: copied, or opened read-only and read row by row."""

import hashlib
import json
import math
import os
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid5

from django.conf import settings
from django.utils.timezone import now

from conversations.messages import keepable

_SPACE = UUID("6a6f2f0e-6f3b-5c1c-9a43-0b6c5f3e8d11")
# Columns derived from others: only their checksum is stored.
MADE_OF_OTHERS = frozenset({"vector_json", "full_conversation_history"})
_ID_LENGTH = 200
# From this number on, a time is in milliseconds.
_MILLISECONDS = 100_000_000_000
_TIMES = ("timestamp", "compact_timestamp", "started_at", "created_at", "last_activity")
USER_TEXTS = ("user_prompt", "query", "user_query", "prompt")
REPLIES = ("llm_reply", "response", "reply")


def key_of(user_id: UUID, source: str, table: str, original_id: str, place: int = 0) -> UUID:
    """Return the UUID of an original row in this database; always the same."""
    return uuid5(_SPACE, json.dumps([str(user_id), source, table, original_id, place]))


def key_made(row: UUID, what: str) -> UUID:
    """Return the UUID of something made from a LegacyRow; always the same."""
    return uuid5(row, what)


@dataclass(frozen=True)
class OddText:
    """A text that is not UTF-8, or that PostgreSQL cannot store."""

    data: bytes


def read_text(data: bytes) -> str | OddText:
    """Return a text of SQLite as str, or as OddText if it cannot be stored unchanged."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return OddText(data)
    return OddText(data) if "\0" in text else text


def as_json(column: str, value: Any) -> Any:
    """Return a value as JSON without loss of information."""
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
    """Return the SHA-256 of a row as JSON, in hexadecimal digits."""
    text = json.dumps(original, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _is_plain(value: float) -> bool:
    """Return whether PostgreSQL stores the number without changing it."""
    negative_zero = value == 0 and math.copysign(1, value) < 0
    return math.isfinite(value) and "e" not in repr(value) and not negative_zero


@dataclass(frozen=True)
class SourceRow:
    """A row of a file; `thread` names the conversation if the file contains only one."""

    source: str
    table: str
    original_id: str
    place: int
    original: Mapping[str, Any]
    thread: str = ""

    @cached_property
    def checksum(self) -> str:
        """Return the SHA-256 of `original`."""
        return checksum(self.original)

    def key(self, user_id: UUID) -> UUID:
        """Return the UUID of the row in this database."""
        return key_of(user_id, self.source, self.table, self.original_id, self.place)

    @property
    def said(self) -> str:
        """Return the user's text in a row that contains a question and an answer."""
        return text_of(self.original, *USER_TEXTS)

    @property
    def answered(self) -> str:
        """Return the answer in a row that contains a question and an answer."""
        return text_of(self.original, *REPLIES)


def text_of(original: Mapping[str, Any], *columns: str) -> str:
    """Return the first column with text, else ''; decoded as Windows-1252 if not UTF-8."""
    for column in columns:
        value = original.get(column)
        if isinstance(value, dict):
            data = bytes.fromhex(value.get("text") or value.get("blob") or "")
            value = _decoded(data)
        if value is not None and (text := keepable(str(value)).strip()):
            return text
    return ""


def share_of(original: Mapping[str, Any], column: str, without: float) -> float:
    """Return a number clamped to 0 to 1; `without` if the column has none."""
    try:
        value = float(text_of(original, column))
    except ValueError:
        return without
    return min(1.0, max(0.0, value)) if math.isfinite(value) else without


def number_of(original: Mapping[str, Any], column: str) -> int:
    """Return a whole number; 0 if the column has none."""
    try:
        return int(float(text_of(original, column)))
    except (ValueError, OverflowError):
        return 0


def moment_of(original: Mapping[str, Any], *columns: str) -> datetime | None:
    """Return the first time in these columns, or the usual ones; UTC is assumed without a zone."""
    for column in columns or _TIMES:
        if moment := _moment(text_of(original, column)):
            return moment
    return None


def short_id(text: str) -> str:
    """Return an id that fits its column and stays unique for each text."""
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


_OF_A_THREAD = re.compile(r"crt_(memory|ledger|active_learning)_(.+)\.db")
SUFFIXES = frozenset({".db", ".sqlite", ".sqlite3"})
# The columns that identify a row, for tables without a primary key.
_IDS = {
    "memories": ("memory_id", "interaction_id"),
    "contradictions": ("ledger_id",),
    "interaction_logs": ("interaction_id",),
    "conversations": ("conversation_id",),
    "conversation_compacts": ("compact_id",),
    "topics": ("topic_id",),
    "memory_topics": ("interaction_id", "topic_id"),
    "conversation_topics": ("conversation_id", "topic_id"),
}
# Tables whose rows are read in the order of a conversation.
_ORDER = {
    "memories": ("conversation_id", "timestamp"),
    "interaction_logs": ("timestamp",),
    "conversation_compacts": ("conversation_id", "messages_up_to"),
}


class NotAStore(ValueError):
    """Raised when there is no store at the path, or it is in use; the message says what to do."""


@dataclass
class StoreFile:
    """A SQLite file. After reading, `faults` lists what could not be read."""

    path: Path
    name: str
    thread: str = ""
    tables: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def rows(self, table: str) -> Iterator[SourceRow]:
        """Yield the readable rows of a table; none if the table does not exist."""
        if table not in self.tables:
            return
        seen: Counter[str] = Counter()
        with closing(_open(self.path)) as connection:
            columns, ids = _columns(connection, table)
            for values in self._values(connection, table, columns):
                original = {
                    name: as_json(name, value) for name, value in zip(columns, values, strict=True)
                }
                key = "/".join(text_of(original, name) for name in ids)
                key = short_id(key if key.strip("/") else checksum(original))
                yield SourceRow(self.name, table, key, seen[key], original, self.thread)
                seen[key] += 1

    def _values(
        self, connection: sqlite3.Connection, table: str, columns: list[str]
    ) -> Iterator[tuple[object, ...]]:
        """Yield rows in the order of their conversations; of a damaged file, the readable ones."""
        query = f"select * from {_quoted(table)}"  # noqa: S608
        order = [_quoted(name) for name in _ORDER.get(table, ()) if name in columns]
        read = 0
        try:
            sorted_by = f" order by {', '.join(order)}" if order else ""
            for values in connection.execute(query + sorted_by):
                read += 1
                yield values
        except sqlite3.DatabaseError:
            self._note_fault(table)
            # Sorting needs all rows first; of a damaged table, those before the damage are read.
            if order and not read:
                with suppress(sqlite3.DatabaseError):
                    yield from connection.execute(query)

    def _note_fault(self, table: str) -> None:
        fault = f"{self.name}: {table} is damaged. As much as possible was read."
        if fault not in self.faults:
            self.faults.append(fault)


def find(path: Path) -> list[StoreFile]:
    """Return the files of a store, by name. Raises NotAStore, also while the store is in use."""
    stores = [_store(file) for file in _files(path)]
    if not stores and path.is_file():
        stores = [_store(path)]
    if not any(store.tables for store in stores):
        raise NotAStore(
            f"There is no store in {path.name}. Give the folder with the crt_memory_….db files, "
            "or the database file that has a table called memories."
        )
    return stores


def _files(path: Path) -> list[Path]:
    """Return the database files at a path, sorted by name. Raises NotAStore."""
    if not path.exists():
        raise NotAStore(f"There is no {path.name}. Name a file or a directory that exists.")
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file for file in files if file.suffix in SUFFIXES and file.is_file()]


def _store(path: Path) -> StoreFile:
    waiting = path.with_name(f"{path.name}-wal")
    if waiting.exists() and waiting.stat().st_size:
        raise NotAStore(
            f"{path.name} has changes that are not yet in the file itself ({waiting.name}). Run "
            "`legacy backup` and use the directory that it prints."
        )
    matched = _OF_A_THREAD.fullmatch(path.name)
    store = StoreFile(path, short_id(path.name), matched[2] if matched else "")
    try:
        with closing(_open(path)) as connection:
            query = "select name from sqlite_master where type = 'table' order by name"
            names = [str(name) for (name,) in connection.execute(query)]
            store.tables = [name for name in names if not name.startswith("sqlite_")]
    except sqlite3.DatabaseError:
        store.faults.append(f"{store.name} is not a readable SQLite file, so it was skipped.")
    return store


def _open(path: Path) -> sqlite3.Connection:
    """Open a file read-only, creating no files beside it, so that its users are not disturbed."""
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    connection = sqlite3.connect(address, uri=True)
    connection.text_factory = read_text
    try:
        connection.execute("select count(*) from sqlite_master").fetchone()
    except sqlite3.DatabaseError:
        # In this mode SQLite also opens truncated files. The file is opened read-only.
        connection.execute("pragma writable_schema = on")
    return connection


def _columns(connection: sqlite3.Connection, table: str) -> tuple[list[str], list[str]]:
    """Return the names of a table's columns, and of those that identify a row."""
    described = list(connection.execute(f"pragma table_info({_quoted(table)})"))
    columns = [str(name) for _, name, *_ in described]
    known = [name for name in _IDS.get(table, ()) if name in columns]
    return columns, known or [str(column[1]) for column in described if column[5]]


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


@dataclass(frozen=True)
class FileCopy:
    """The path of a copied file, and whether SQLite could copy it (False if it is damaged)."""

    path: Path
    consistent: bool


def back_up(path: Path, into: Path | None = None) -> Iterator[FileCopy]:
    """Copy the files one by one, under their own names; yield after each.

    Without `into`, the directory is below DATA_DIR and named by the time. Raises NotAStore if there
    is no store, and FileExistsError if the directory is not empty.
    """
    files = _files(path)
    if not files:
        raise NotAStore(
            f"{path.name} contains no database files. Name a file, or a directory that contains "
            "some."
        )
    into = into or Path(settings.DATA_DIR) / "legacy-backups" / f"{now():%Y%m%dT%H%M%S%fZ}"
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(into.iterdir()):
        raise FileExistsError(f"{into} is not empty. Name a new directory.")
    for file in files:
        yield _copied(file, into / file.name)


def _copied(file: Path, into: Path) -> FileCopy:
    os.close(os.open(into, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    address = f"file:{quote(str(file.resolve()))}?mode=ro"
    try:
        with (
            closing(sqlite3.connect(address, uri=True)) as there,
            closing(sqlite3.connect(into)) as here,
        ):
            there.backup(here)
            # Copy into a file that has no write-ahead log beside it.
            here.execute("pragma journal_mode = delete")
    except sqlite3.DatabaseError:
        shutil.copyfile(file, into)
        return FileCopy(into, consistent=False)
    return FileCopy(into, consistent=True)
