"""What the five designs have in common: files under a folder, and mostly a file a thread."""

import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.storage_options import files
from benchmarks.storage_options.files import Row
from benchmarks.storage_options.threads import Encode, Memory, Thread, Vector

# From this trust on a fact holds in every thread; from the other one it enters the pool.
EVERYWHERE, PROMOTED = 0.85, 0.9
SLOT = "json_extract(tags_json, '$.slot')"
VALUE = "json_extract(tags_json, '$.value')"


class Design(ABC):
    """One way to keep the threads of a person, in files of its own under `folder`."""

    name: str
    tables: tuple[str, ...] = ("memories",)

    def __init__(self, folder: Path, encode: Encode) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.encode = folder, encode

    @abstractmethod
    def build(self, threads: Sequence[Thread]) -> None:
        """Keep all of it; is not timed."""

    @abstractmethod
    def facts(self, question: str, slots: Sequence[str], thread: str) -> dict[str, str]:
        """What a thread may know of these slots, beside the memories that bear on the question."""

    def write(self, memory: Memory) -> None:
        """Keep one more memory, on the disk."""
        self.write_in_thread(memory)

    @abstractmethod
    def contradictions(self, memory: Memory) -> dict[str, float]:
        """The values known elsewhere that cannot hold beside what a memory states, with drift."""

    def rows(self) -> int:
        """How many rows it keeps."""
        return files.count(self.folder.glob("*.db"), self.tables)

    def size(self) -> int:
        """How many bytes it takes."""
        return files.size(self.folder)

    # --- What those with a file a thread share ---

    thread_columns: tuple[str, ...] = ()

    def file(self, thread: str) -> Path:
        return self.folder / f"crt_memory_{thread}.db"

    def build_thread(self, thread: str, memories: Iterable[Memory]) -> None:
        with files.opened(self.file(thread), building=True) as connection:
            files.make_table(connection, "memories", *self.thread_columns)
            files.insert(connection, memories)

    def write_in_thread(self, memory: Memory) -> None:
        with files.opened(self.file(memory.thread)) as connection:
            files.insert(connection, [memory])

    def ranked_here(self, question: Vector, thread: str, override: str = "0") -> list[Row]:
        rows = files.load(self.file(thread), override=override)
        return files.ranked(question, rows, time.time())


def stated(memory: Memory) -> tuple[str, str]:
    """The slot and the value that a memory states; empty for none."""
    return (memory.fact.slot, memory.fact.value) if memory.fact else ("", "")


def first_statements(threads: Iterable[Thread], trust: float) -> Iterator[Memory]:
    """The first memory that states each fact, surely enough to hold in other threads."""
    known: set[tuple[str, str]] = set()
    for _, memories in threads:
        for memory in memories:
            if memory.fact and not memory.override and memory.trust >= trust:
                if stated(memory) not in known:
                    yield memory
                known.add(stated(memory))


def mark_overrides(connection: sqlite3.Connection, memories: Iterable[Memory], column: str) -> None:
    """Set a column of those that hold in their thread only."""
    connection.executemany(
        f"update memories set {column} = 1 where memory_id = ?",
        [(memory.memory_id,) for memory in memories if memory.override],
    )
