"""The files of an earlier store: found, opened for reading alone, and read row by row."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from privacy.legacy import rows
from privacy.legacy.rows import SourceRow

_OF_A_THREAD = re.compile(r"crt_(memory|ledger|active_learning)_(.+)\.db")
SUFFIXES = frozenset({".db", ".sqlite", ".sqlite3"})
# What tells one row of a table from the others, where the table itself does not say.
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
# Rows of these come in the order of a conversation.
_ORDER = {
    "memories": ("conversation_id", "timestamp"),
    "interaction_logs": ("timestamp",),
    "conversation_compacts": ("conversation_id", "messages_up_to"),
}


class NotAStore(ValueError):
    """There is nothing to bring there, or not just now; says what to do."""


@dataclass
class StoreFile:
    """One SQLite file. `faults` says what could not be read of it, once it was read."""

    path: Path
    name: str
    thread: str = ""
    tables: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def rows(self, table: str) -> Iterator[SourceRow]:
        """The rows of a table as far as they can be read; none of a table that is not there."""
        if table not in self.tables:
            return
        seen: Counter[str] = Counter()
        with closing(_open(self.path)) as connection:
            columns, ids = _columns(connection, table)
            for values in self._values(connection, table, columns):
                original = {
                    name: rows.as_json(name, value)
                    for name, value in zip(columns, values, strict=True)
                }
                key = "/".join(rows.text_of(original, name) for name in ids)
                key = rows.short_id(key if key.strip("/") else rows.checksum(original))
                yield SourceRow(self.name, table, key, seen[key], original, self.thread)
                seen[key] += 1

    def _values(
        self, connection: sqlite3.Connection, table: str, columns: list[str]
    ) -> Iterator[tuple[object, ...]]:
        """In the order of its conversations; of a damaged file, those that can still be read."""
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
            # Nothing comes before all is sorted: of a damaged table, what stands before the damage.
            if order and not read:
                with suppress(sqlite3.DatabaseError):
                    yield from connection.execute(query)

    def _note_fault(self, table: str) -> None:
        fault = f"{self.name}: {table} is damaged. As much as possible was read."
        if fault not in self.faults:
            self.faults.append(fault)


def find(path: Path) -> list[StoreFile]:
    """The files of a store: one that is named, or all of a directory, in the order of their names.

    Raises NotAStore where there are none, and for one that is still being written.
    """
    if not path.exists():
        raise NotAStore(f"There is no {path.name}. Name a file or a directory that exists.")
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    stores = [_store(file) for file in files if file.suffix in SUFFIXES and file.is_file()]
    if not stores and path.is_file():
        stores = [_store(path)]
    if not any(store.tables for store in stores):
        raise NotAStore(
            f"There is no store in {path.name}. Give the folder with the crt_memory_….db files, "
            "or the database file that has a table called memories."
        )
    return stores


def _store(path: Path) -> StoreFile:
    waiting = path.with_name(f"{path.name}-wal")
    if waiting.exists() and waiting.stat().st_size:
        raise NotAStore(
            f"{path.name} has changes that are not yet in the file itself ({waiting.name}). Run "
            "`legacy backup` and use the directory that it prints."
        )
    matched = _OF_A_THREAD.fullmatch(path.name)
    store = StoreFile(path, rows.short_id(path.name), matched[2] if matched else "")
    try:
        with closing(_open(path)) as connection:
            query = "select name from sqlite_master where type = 'table' order by name"
            names = [str(name) for (name,) in connection.execute(query)]
            store.tables = [name for name in names if not name.startswith("sqlite_")]
    except sqlite3.DatabaseError:
        store.faults.append(f"{store.name} is not a readable SQLite file, so it was skipped.")
    return store


def _open(path: Path) -> sqlite3.Connection:
    """Read-only, and without a file beside it: whoever uses the store is not disturbed."""
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    connection = sqlite3.connect(address, uri=True)
    connection.text_factory = rows.read_text
    try:
        connection.execute("select count(*) from sqlite_master").fetchone()
    except sqlite3.DatabaseError:
        # So it opens a file whose end is missing as well. It is open for reading alone.
        connection.execute("pragma writable_schema = on")
    return connection


def _columns(connection: sqlite3.Connection, table: str) -> tuple[list[str], list[str]]:
    """The names of its columns, and of those that tell its rows apart."""
    described = list(connection.execute(f"pragma table_info({_quoted(table)})"))
    columns = [str(name) for _, name, *_ in described]
    known = [name for name in _IDS.get(table, ()) if name in columns]
    return columns, known or [str(column[1]) for column in described if column[5]]


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
