"""Migrating a whole store in batches, each a transaction, and the report about it."""

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, groupby, islice
from pathlib import Path
from uuid import UUID

from django.db import transaction

from accounts import audit
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.promotion.gates import gates_of
from privacy.legacy import settling, stores
from privacy.legacy.conversation_rows import (
    THREAD,
    VALUE,
    WHOLE,
    Batch,
    ConversationRows,
    TopicRows,
)
from privacy.legacy.memory_rows import MemoryRows
from privacy.legacy.stores import SourceRow, StoreFile, moment_of
from privacy.models import LegacyRow

_NAMES = {
    "conversations.conversation": "conversations",
    "conversations.message": "messages",
    "memory.profilefact": "facts",
    "memory.mention": "messages that mention a fact",
    "memory.memory": "memories",
    "memory.trustchange": "entries in the history of trust",
    "ledger.contradiction": "conflicts",
    "conversations.topic": "topics",
    "conversations.conversationtopic": "topics of conversations",
}


@dataclass
class Report:
    """Counts of rows and values by what they became, and of the rows made from them."""

    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)
    conflicts: Counter[str] = field(default_factory=Counter)
    # Rows that changed in the store after they were migrated.
    changed: int = 0
    faults: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the report as lines of text."""
        yield f"Rows read: {sum(self.rows.values()):,}"
        for (table, kind), many in sorted(self.rows.items()):
            yield f"  {table}: {many:,} became {LegacyRow.Kind(kind).label}"
        if self.values:
            yield f"Values found in messages: {sum(self.values.values()):,}"
        for kind, many in sorted(self.values.items()):
            yield f"  {many:,} became {LegacyRow.Kind(kind).label}"
        yield "Created from them:"
        for label, name in _NAMES.items():
            yield f"  {name}: {self.made[label]:,}"
        if self.conflicts:
            slots = ", ".join(f"{slot} ({many:,})" for slot, many in sorted(self.conflicts.items()))
            yield f"Waiting for their owner to settle: {slots}"
        if self.changed:
            yield f"Changed in the store since the import, and not imported again: {self.changed:,}"
        yield from (f"Problem: {fault}" for fault in self.faults)


def report_of(user_id: UUID, files: Collection[StoreFile], *, changed: int = 0) -> Report:
    """Return the report on what was migrated from these files, within `acting_as(user)`."""
    lines = LegacyRow.objects.filter(user_id=user_id, source__in=[file.name for file in files])
    result = Report(changed=changed, faults=[fault for file in files for fault in file.faults])
    columns = ("table", "kind", "made", "slot")
    for table, kind, made, slot in lines.values_list(*columns).iterator(500):
        if table == VALUE:
            result.values[kind] += 1
        elif table != THREAD:
            result.rows[table, kind] += 1
        result.made.update(name.split(" ")[0] for name in made)
        if kind == LegacyRow.Kind.DISPUTED:
            result.conflicts[slot] += 1
    return result


# How many rows one transaction migrates.
BATCH = 100
# Tables that are referred to come first; tables not listed come after these.
_FIRST = ("conversations", "topics")
_TALK = ("interaction_logs", "memories")
_LATER = ("memory_topics", "conversation_topics", "conversation_compacts")
# Trust changes need facts and memories to exist.
_LAST = ("trust_log",)
Tell = Callable[[str], None]


class CannotBring(ValueError):
    """Raised when nothing can be migrated for this user now; the message says what to do."""


@dataclass
class _Counts:
    done: int = 0
    new: int = 0
    changed: int = 0


def bring(user: User, path: Path, tell: Tell) -> Report:
    """Migrate all or the rest of a store. Raises NotAStore and CannotBring."""
    files = stores.find(path)
    with acting_as(user):
        _refuse_where_memory_is_off(user)
    counts = _bring(user, files, tell)
    with acting_as(user):
        report = report_of(user.pk, files, changed=counts.changed)
        if counts.new:
            brought = f"{counts.new:,} rows of an earlier store"
            audit.record(user.pk, Action.RESTORED, by=audit.By.HOUSE, after=brought)
    return report


def _refuse_where_memory_is_off(user: User) -> None:
    """Raise CannotBring if memory is off; the rest is migrated once it is on again."""
    if not User.objects.get(pk=user.pk).memory_on:
        raise CannotBring("This person has turned memory off. They need to turn it on first.")


def rehearse(user: User, path: Path, tell: Tell) -> Report:
    """Return the report that `bring` would return, and roll everything back."""
    with transaction.atomic():
        with acting_as(user):
            report = bring(user, path, tell)
        transaction.set_rollback(True)
    return report


def _bring(user: User, files: list[StoreFile], tell: Tell) -> _Counts:
    counts = _Counts()
    for _, several in groupby(_by_thread(files), key=lambda file: file.thread or file.name):
        together = list(several)
        _write(user, _rows_of(together), counts, tell)
        _mark_whole(user, together)
    names = [file.name for file in files]
    with acting_as(user):
        slots = settling.slots_to_settle(user.pk, names)
    for slot in slots:
        with acting_as(user):
            settling.settle(user, names, slot)
        tell(f"{slot}: values compared")
    for file in files:
        _write(user, (row for table in _LAST for row in file.rows(table)), counts, tell)
    return counts


def _by_thread(files: list[StoreFile]) -> list[StoreFile]:
    return sorted(files, key=lambda file: (file.thread or file.name, file.name))


def _rows_of(files: list[StoreFile]) -> Iterator[SourceRow]:
    """Yield the rows of one thread or database in the order of migration."""
    for table in _FIRST:
        yield from chain.from_iterable(file.rows(table) for file in files)
    talk = [file.rows(table) for table in _TALK for file in files]
    # The rows of a thread by time across its files; those of a database in its own order.
    yield from heapq.merge(*talk, key=_when) if files[0].thread else chain.from_iterable(talk)
    for table in _LATER:
        yield from chain.from_iterable(file.rows(table) for file in files)
    known = {*_FIRST, *_TALK, *_LATER, *_LAST}
    for file in files:
        for table in file.tables:
            if table not in known:
                yield from file.rows(table)


def _when(row: SourceRow) -> datetime:
    return moment_of(row.original) or datetime.min.replace(tzinfo=UTC)


def _write(user: User, rows: Iterator[SourceRow], counts: _Counts, tell: Tell) -> None:
    while batch := list(islice(rows, BATCH)):
        with acting_as(user):
            _refuse_where_memory_is_off(user)
            _write_batch(user, batch, counts)
        counts.done += len(batch)
        tell(f"{batch[-1].source}: {batch[-1].table}, {counts.done:,} rows so far")


def _write_batch(user: User, batch: Sequence[SourceRow], counts: _Counts) -> None:
    """Migrate rows that are not stored yet; stored ones are not updated."""
    keys = [row.key(user.pk) for row in batch]
    known = LegacyRow.objects.filter(user=user, pk__in=keys)
    checksums = dict(known.values_list("pk", "checksum"))
    new = []
    for row, key in zip(batch, keys, strict=True):
        if key not in checksums:
            new.append(row)
        elif checksums[key] != row.checksum:
            counts.changed += 1
    counts.new += len(new)
    _bring_rows(Batch(user, gates_of(user.pk, "")), new)


def _bring_rows(batch: Batch, new: Sequence[SourceRow]) -> None:
    conversations = ConversationRows(batch)
    memories, topics = MemoryRows(batch, conversations), TopicRows(batch, conversations)
    by_table = {
        "conversations": conversations.bring_conversation,
        "memories": memories.bring,
        "interaction_logs": conversations.bring_interaction,
        "topics": topics.bring_topic,
        "conversation_topics": topics.link_conversation,
        "memory_topics": topics.link_interaction,
        "conversation_compacts": topics.bring_summary,
        "trust_log": memories.bring_trust_change,
    }
    memories.look_up_notes(new)
    for row in new:
        by_table.get(row.table, conversations.keep)(row)
    batch.insert()


def _mark_whole(user: User, files: list[StoreFile]) -> None:
    """Mark the conversations of undamaged files as complete."""
    names = [file.name for file in files if not file.faults]
    with acting_as(user):
        lines = LegacyRow.objects.filter(user=user, source__in=names, table=THREAD)
        lines.update(schema_version=WHOLE)
