"""SQLite files of memories with their vectors as JSON text, and how their rows are ranked.

A file is opened for each operation and closed after it, and its settings are SQLite's own: what is
written is on the disk when the operation is over.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.storage_options.threads import Memory, Vector

# The share of trust beside confidence, and the days in which a memory loses half its weight.
_ALPHA, _HALF_LIFE = 0.7, 30.0
_DAY = 86_400.0

THREAD_COLUMNS = """
    memory_id text primary key, vector_json text not null, text text not null,
    timestamp real not null, confidence real not null, trust real not null, source text not null,
    sse_mode text not null, context_json text, tags_json text, thread_id text,
    deprecated integer default 0, deprecation_reason text
"""
_WRITTEN = (
    "memory_id, vector_json, text, timestamp, confidence, trust, source, sse_mode, tags_json,"
    " thread_id"
)
_READ = "memory_id, vector_json, text, timestamp, confidence, trust, tags_json"


@dataclass(frozen=True)
class Row:
    """A memory as it was read, with its vector and what it states; `override` in its thread."""

    memory_id: str
    vector: Vector
    text: str
    at: float
    confidence: float
    trust: float
    slot: str
    value: str
    override: bool


@contextmanager
def opened(path: Path, *, building: bool = False) -> Iterator[sqlite3.Connection]:
    """The file in one transaction, committed at the end; `building` does not wait for the disk."""
    connection = sqlite3.connect(path)
    try:
        if building:
            connection.execute("pragma synchronous = off")
            connection.execute("pragma journal_mode = off")
        yield connection
        connection.commit()
    finally:
        connection.close()


def make_table(connection: sqlite3.Connection, table: str, *more: str) -> None:
    """An empty table of memories, with more columns than those of a thread."""
    connection.execute(f"create table {table} ({', '.join((THREAD_COLUMNS, *more))})")


def insert(
    connection: sqlite3.Connection,
    memories: Iterable[Memory],
    table: str = "memories",
    **more: object,
) -> None:
    """Write memories down; `more` are the values of further columns, the same for each."""
    columns = ", ".join((_WRITTEN, *more))
    places = ", ".join(["?"] * (10 + len(more)))
    connection.executemany(
        f"insert into {table} ({columns}) values ({places})",
        [
            (
                memory.memory_id,
                memory.vector,
                memory.text,
                memory.at,
                memory.confidence,
                memory.trust,
                memory.source,
                "L",
                memory.tags,
                memory.thread,
                *more.values(),
            )
            for memory in memories
        ],
    )


def load(
    path: Path,
    where: str = "deprecated = 0",
    values: Sequence[object] = (),
    *,
    table: str = "memories",
    override: str = "0",
) -> list[Row]:
    """All rows of a file that `where` lets through, their vectors parsed.

    `override` is the column that tells what holds in this thread before all else.
    """
    with opened(path) as connection:
        rows = connection.execute(
            f"select {_READ}, {override} from {table} where {where}", values
        ).fetchall()
    return [_row(*row) for row in rows]


def _row(
    memory_id: str,
    vector: str,
    text: str,
    at: float,
    confidence: float,
    trust: float,
    tags: str,
    override: int,
) -> Row:
    parsed = np.array(json.loads(vector), np.float32)
    slot, value = stated_in(tags)
    return Row(memory_id, parsed, text, at, confidence, trust, slot, value, bool(override))


def stated_in(tags: str) -> tuple[str, str]:
    """The slot and the value in the tags of a row; empty for none."""
    stated = json.loads(tags)
    return stated.get("slot", ""), stated.get("value", "")


def ranked(question: Vector, rows: Sequence[Row], now: float) -> list[Row]:
    """The rows by similarity times recency times belief, the best first."""
    if not rows:
        return []
    vectors = np.stack([row.vector for row in rows])
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(question)
    similarity = (vectors @ question) / np.maximum(lengths, 1e-9)
    ages = np.array([max(now - row.at, 0.0) for row in rows]) / _DAY
    belief = np.array([_ALPHA * row.trust + (1 - _ALPHA) * row.confidence for row in rows])
    scores = similarity * np.power(0.5, ages / _HALF_LIFE) * belief
    return [rows[position] for position in np.argsort(-scores, kind="stable")]


def values_of(slots: Sequence[str], *layers: Iterable[Row]) -> dict[str, str]:
    """The value of each slot that is stated, from the first layer that states it."""
    stated: dict[str, str] = {}
    wanted = set(slots)
    for layer in layers:
        for row in layer:
            if row.slot in wanted:
                stated.setdefault(row.slot, row.value)
    return {slot: stated[slot] for slot in slots if slot in stated}


def contradicted(new: Memory, rows: Iterable[Row]) -> dict[str, float]:
    """The values that cannot hold beside what a memory states, each with how far away it is."""
    if new.fact is None or new.fact.many:
        return {}
    meaning = np.array(json.loads(new.vector), np.float32)
    return {
        row.value: drift(meaning, row.vector)
        for row in rows
        if row.slot == new.fact.slot and row.value != new.fact.value
    }


def drift(vector: Vector, other: Vector) -> float:
    """How far apart two meanings are, 0..2."""
    lengths = float(np.linalg.norm(vector) * np.linalg.norm(other))
    return 1.0 - float(vector @ other) / max(lengths, 1e-9)


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def count(paths: Iterable[Path], tables: Collection[str]) -> int:
    """Rows in these files, of whichever of these tables each has."""
    rows = 0
    for path in paths:
        with opened(path) as connection:
            names = [name for (name,) in connection.execute("select name from sqlite_master")]
            for table in names:
                if table in tables:
                    rows += connection.execute(f"select count(*) from {table}").fetchone()[0]
    return rows
