"""The five designs: where each keeps memories, finds facts, writes and looks for contradictions.

All read the facts of the person as one thread may see them: what holds in this thread only comes
before what holds everywhere. None keeps an index of vectors: a thread's memories are read whole,
their vectors parsed and ranked, as retrieval in each of the designs does.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import numpy as np

from benchmarks.storage_options import files
from benchmarks.storage_options.design import (
    EVERYWHERE,
    PROMOTED,
    SLOT,
    VALUE,
    Design,
    first_statements,
    mark_overrides,
    stated,
)
from benchmarks.storage_options.files import Row
from benchmarks.storage_options.threads import Encode, Memory, Thread

Search = Callable[[str], list[Row]]
"""What a thread of that name has."""

_COPY = "copy of "
"""How the id of a memory begins that was copied from the pool."""

# What an answer reads of each thread beside the facts.
_BEST = 5


class GlobalAndThreads(Design):
    """1: a file of what holds everywhere, and a file a thread; both are read and merged."""

    name = "1 global and threads"
    tables = ("memories", "memories_global")
    thread_columns = ("is_global_override integer default 0",)

    def __init__(self, folder: Path, encode: Encode) -> None:
        super().__init__(folder, encode)
        self.everywhere = folder / "crt_memory_global_user.db"

    def build(self, threads: Sequence[Thread]) -> None:
        for thread, memories in threads:
            self.build_thread(thread, memories)
            with files.opened(self.file(thread), building=True) as connection:
                mark_overrides(connection, memories, "is_global_override")
        with files.opened(self.everywhere, building=True) as connection:
            files.make_table(
                connection,
                "memories_global",
                "user_id text",
                "source_thread_id text",
                "promoted_timestamp real",
            )
            for memory in first_statements(threads, EVERYWHERE):
                self._insert_everywhere(connection, memory)

    def facts(self, question: str, slots: Sequence[str], thread: str) -> dict[str, str]:
        asked, now = self.encode(question), time.time()
        here = self.ranked_here(asked, thread, "is_global_override")
        everywhere = files.ranked(asked, self._load_everywhere(), now)
        overrides = [row for row in here if row.override]
        return files.values_of(slots, overrides, everywhere, here)

    def write(self, memory: Memory) -> None:
        self.write_in_thread(memory)
        if memory.fact is not None and memory.trust > EVERYWHERE:
            with files.opened(self.everywhere) as connection:
                self._promote(connection, memory)

    def contradictions(self, memory: Memory) -> dict[str, float]:
        here = files.load(self.file(memory.thread))
        return files.contradicted(memory, [*self._load_everywhere(), *here])

    def _load_everywhere(self) -> list[Row]:
        return files.load(self.everywhere, table="memories_global")

    def _promote(self, connection: sqlite3.Connection, memory: Memory) -> None:
        """Believe more what is known there, or add it."""
        assert memory.fact is not None
        known = connection.execute(
            f"update memories_global set trust = min(1.0, trust + 0.05)"
            f" where {SLOT} = ? and {VALUE} = ?",
            (memory.fact.slot, memory.fact.value),
        )
        if not known.rowcount:
            self._insert_everywhere(connection, memory)

    def _insert_everywhere(self, connection: sqlite3.Connection, memory: Memory) -> None:
        files.insert(
            connection,
            [memory],
            "memories_global",
            user_id="user",
            source_thread_id=memory.thread,
            promoted_timestamp=memory.at,
        )


class Unified(Design):
    """2: one file for all, each row with its scope; what is stated twice is kept once."""

    name = "2 one file with scopes"

    def __init__(self, folder: Path, encode: Encode) -> None:
        super().__init__(folder, encode)
        self.path = folder / "crt_memory_user.db"

    def build(self, threads: Sequence[Thread]) -> None:
        everywhere = {memory.memory_id for memory in first_statements(threads, EVERYWHERE)}
        with files.opened(self.path, building=True) as connection:
            files.make_table(connection, "memories", "user_id text", "scope text default 'thread'")
            for _, memories in threads:
                for memory in memories:
                    if memory.memory_id in everywhere:
                        self._insert(connection, memory, "global")
                    elif memory.fact is None or memory.override:
                        self._insert(connection, memory, "thread")
            connection.execute(
                "create index idx_user_scope_thread on memories(user_id, scope, thread_id)"
            )
            connection.execute(
                "create index idx_user_trust_scope on memories(user_id, trust desc, scope)"
            )

    def facts(self, question: str, slots: Sequence[str], thread: str) -> dict[str, str]:
        rows = files.load(
            self.path,
            "user_id = ? and (scope = 'global' or thread_id = ?) and deprecated = 0"
            " order by case when scope = 'thread' then 1 else 2 end, trust desc",
            ("user", thread),
            override="scope = 'thread'",
        )
        best = files.ranked(self.encode(question), rows, time.time())
        return files.values_of(slots, [row for row in best if row.override], best)

    def write(self, memory: Memory) -> None:
        scope = "global" if memory.fact and memory.trust > EVERYWHERE else "thread"
        with files.opened(self.path) as connection:
            self._insert(connection, memory, scope)

    def contradictions(self, memory: Memory) -> dict[str, float]:
        assert memory.fact is not None
        rows = files.load(
            self.path, f"user_id = ? and deprecated = 0 and {SLOT} = ?", ("user", memory.fact.slot)
        )
        return files.contradicted(memory, rows)

    def _insert(self, connection: sqlite3.Connection, memory: Memory, scope: str) -> None:
        files.insert(connection, [memory], user_id="user", scope=scope)


class Federated(Design):
    """3: a file a thread and a list of them; each question opens all, ten at a time in threads."""

    name = "3 federated"
    _workers = 10
    # Texts that mean this much the same are one.
    _same = 0.98

    def __init__(self, folder: Path, encode: Encode) -> None:
        super().__init__(folder, encode)
        self.registry = folder / "thread_registry_user.json"

    def build(self, threads: Sequence[Thread]) -> None:
        for thread, memories in threads:
            self.build_thread(thread, memories)
        self.registry.write_text(json.dumps({"user": {"threads": [name for name, _ in threads]}}))

    def facts(self, question: str, slots: Sequence[str], thread: str) -> dict[str, str]:
        asked = self.encode(question)

        def search(name: str) -> list[Row]:
            rows = self.ranked_here(asked, name)
            return [*rows[:_BEST], *(row for row in rows[_BEST:] if row.slot in slots)]

        return files.values_of(slots, self._believed(self._without_repeats(self._in_all(search))))

    def contradictions(self, memory: Memory) -> dict[str, float]:
        assert memory.fact is not None
        slot = memory.fact.slot
        rows = self._in_all(
            lambda name: [row for row in files.load(self.file(name)) if row.slot == slot]
        )
        # Each pair of values that differ is compared, those of old threads with each other too.
        for number, row in enumerate(rows):
            for other in rows[number + 1 :]:
                if row.value != other.value:
                    files.drift(row.vector, other.vector)
        return files.contradicted(memory, rows)

    def _in_all(self, search: Search) -> list[Row]:
        names = json.loads(self.registry.read_text())["user"]["threads"]
        with ThreadPoolExecutor(max_workers=self._workers) as pool:
            searches = [pool.submit(search, name) for name in names]
            return [row for done in as_completed(searches) for row in done.result()]

    def _without_repeats(self, rows: list[Row]) -> list[Row]:
        """The first of those that mean the same, and each that states a value of its own."""
        kept: list[Row] = []
        meanings = np.empty((len(rows), len(rows[0].vector)), np.float32)
        for row in rows:
            meaning = row.vector / max(float(np.linalg.norm(row.vector)), 1e-9)
            alike = np.flatnonzero(meanings[: len(kept)] @ meaning > self._same)
            if any((kept[i].slot, kept[i].value) == (row.slot, row.value) for i in alike):
                continue
            meanings[len(kept)] = meaning
            kept.append(row)
        return kept

    def _believed(self, rows: list[Row]) -> list[Row]:
        return sorted(rows, key=lambda row: (-row.trust, -row.at))


class LazyCopies(Design):
    """4: a pool that each thread copies when it starts, and adds to when it ends."""

    name = "4 copied at the start"
    tables = ("memories", "memory_pool")
    thread_columns = ("promoted_to_pool integer default 0",)

    def __init__(self, folder: Path, encode: Encode) -> None:
        super().__init__(folder, encode)
        self.pool = folder / "crt_memory_pool_user.db"

    def build(self, threads: Sequence[Thread]) -> None:
        pool: dict[tuple[str, str], Memory] = {}
        for thread, memories in threads:
            copies = [
                replace(memory, memory_id=f"{_COPY}{memory.memory_id}", thread=thread)
                for memory in pool.values()
            ]
            self.build_thread(thread, (*copies, *memories))
            for memory in memories:
                if memory.fact and not memory.override and memory.trust >= PROMOTED:
                    pool.setdefault((memory.fact.slot, memory.fact.value), memory)
        with files.opened(self.pool, building=True) as connection:
            files.make_table(
                connection,
                "memory_pool",
                "user_id text",
                "source_thread_id text",
                "promotion_timestamp real",
                "promotion_count integer default 1",
            )
            for memory in pool.values():
                files.insert(
                    connection,
                    [memory],
                    "memory_pool",
                    user_id="user",
                    source_thread_id=memory.thread,
                    promotion_timestamp=memory.at,
                )

    def facts(self, question: str, slots: Sequence[str], thread: str) -> dict[str, str]:
        # What was copied has a name of its own: what was said here comes first.
        here = self.ranked_here(self.encode(question), thread, f"memory_id not like '{_COPY}%'")
        return files.values_of(slots, [row for row in here if row.override], here)

    def contradictions(self, memory: Memory) -> dict[str, float]:
        """As at the end of its thread: each thing that would go to the pool is looked up there."""
        sure = files.load(self.file(memory.thread), "deprecated = 0 and trust >= ?", (PROMOTED,))
        drifts: dict[str, float] = {}
        for slot in [row.slot for row in sure if row.slot]:
            self._in_pool(slot)
        if memory.fact is not None:
            drifts = files.contradicted(memory, self._in_pool(memory.fact.slot))
        return drifts

    def _in_pool(self, slot: str) -> list[Row]:
        return files.load(self.pool, f"{SLOT} = ?", (slot,), table="memory_pool")


class ProfileAndThreads(Design):
    """5: a profile with an index on its slots, and a file a thread with what holds there only."""

    name = "5 profile and threads"
    tables = ("memories", "profile_facts")
    thread_columns = ("is_profile_override integer default 0", "profile_fact_id text")

    def __init__(self, folder: Path, encode: Encode) -> None:
        super().__init__(folder, encode)
        self.profile = folder / "user_profile_user.db"

    def build(self, threads: Sequence[Thread]) -> None:
        with files.opened(self.profile, building=True) as connection:
            connection.execute(
                "create table profile_facts (fact_id text primary key, user_id text not null,"
                " slot text not null, value_text text not null, trust real not null,"
                " confidence real not null, last_verified real, source_thread_id text,"
                " vector_json text, metadata_json text, created_at real not null,"
                " updated_at real not null)"
            )
            connection.execute("create index idx_profile_user_slot on profile_facts(user_id, slot)")
            connection.execute("create index idx_profile_trust on profile_facts(trust desc)")
            firsts = first_statements(threads, EVERYWHERE)
            links = {stated(memory): self._insert_fact(connection, memory) for memory in firsts}
        for thread, memories in threads:
            self.build_thread(thread, memories)
            with files.opened(self.file(thread), building=True) as connection:
                mark_overrides(connection, memories, "is_profile_override")
                connection.executemany(
                    "update memories set profile_fact_id = ? where memory_id = ?",
                    [
                        (links[stated(memory)], memory.memory_id)
                        for memory in memories
                        if memory.fact and not memory.override
                    ],
                )

    def facts(self, question: str, slots: Sequence[str], thread: str) -> dict[str, str]:
        overrides = {slot: self._override(slot, thread) for slot in slots}
        known = {slot: value for slot, value in overrides.items() if value is not None}
        profile = {slot: self._fact(slot) for slot in slots if slot not in known}
        known |= {slot: fact[1] for slot, fact in profile.items() if fact is not None}
        rows = files.load(self.file(thread), "deprecated = 0 and profile_fact_id is null")
        context = files.ranked(self.encode(question), rows, time.time())
        known = files.values_of(slots, context) | known
        return {slot: known[slot] for slot in slots if slot in known}

    def write(self, memory: Memory) -> None:
        self.write_in_thread(memory)
        fact = memory.fact
        if fact is None or memory.trust <= EVERYWHERE:
            return
        known = self._fact(fact.slot)
        with files.opened(self.profile) as connection:
            if known is not None and known[1] == fact.value:
                connection.execute(
                    "update profile_facts set trust = min(1.0, trust + 0.05) where fact_id = ?",
                    (known[0],),
                )
            elif known is None or fact.many:
                self._insert_fact(connection, memory)

    def contradictions(self, memory: Memory) -> dict[str, float]:
        assert memory.fact is not None
        known = self._fact(memory.fact.slot)
        if memory.fact.many or known is None or known[1] == memory.fact.value:
            return {}
        vector = np.array(json.loads(known[3]), np.float32)
        new = np.array(json.loads(memory.vector), np.float32)
        return {known[1]: files.drift(new, vector)}

    def _override(self, slot: str, thread: str) -> str | None:
        with files.opened(self.file(thread)) as connection:
            row = connection.execute(
                f"select {VALUE} from memories where is_profile_override = 1 and {SLOT} = ?",
                (slot,),
            ).fetchone()
        return row[0] if row else None

    def _fact(self, slot: str) -> tuple[str, str, float, str] | None:
        with files.opened(self.profile) as connection:
            row: tuple[str, str, float, str] | None = connection.execute(
                "select fact_id, value_text, trust, vector_json from profile_facts"
                " where user_id = ? and slot = ? order by trust desc limit 1",
                ("user", slot),
            ).fetchone()
        return row

    def _insert_fact(self, connection: sqlite3.Connection, memory: Memory) -> str:
        assert memory.fact is not None
        fact_id = str(uuid4())
        connection.execute(
            "insert into profile_facts values (?, 'user', ?, ?, ?, ?, ?, ?, ?, '{}', ?, ?)",
            (
                fact_id,
                memory.fact.slot,
                memory.fact.value,
                memory.trust,
                memory.confidence,
                memory.at,
                memory.thread,
                memory.vector,
                memory.at,
                memory.at,
            ),
        )
        return fact_id


DESIGNS: tuple[type[Design], ...] = (
    GlobalAndThreads,
    Unified,
    Federated,
    LazyCopies,
    ProfileAndThreads,
)
