"""Counting the items of an import file, and those already stored, before anything is imported."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import IO, Any
from uuid import UUID, uuid5

from accounts.support import formatting
from conversations.models import Conversation
from memory.models import Memory
from privacy.importing import reading
from privacy.importing.reading import Sourced
from privacy.importing.shapes import ImportedConversation, ImportedMemory, NotAnImport, Skipped
from privacy.models import Import, ImportedRow

# Maximum number of conversations and memories in a file: their ids are held in memory.
_BATCH, _MOST = 200, 200_000
_WORDS = {
    "conversations": ("1 conversation", "{:,} conversations"),
    "messages": ("1 message", "{:,} messages"),
    "memories": ("1 memory", "{:,} memories"),
}


@dataclass
class FileCounts:
    """Numbers of items in a file: new by kind, `known` (already stored), `skipped` by reason."""

    source: str = ""
    conversations: int = 0
    messages: int = 0
    memories: int = 0
    known: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """Return the number of all items, also of known and skipped ones."""
        return self.conversations + self.memories + self.known + sum(self.skipped.values())

    def as_fields(self) -> dict[str, Any]:
        """Return the counts as field values of an `Import`."""
        return {**vars(self), "skipped": dict(self.skipped), "total": self.total}

    def add(self, item: ImportedConversation | ImportedMemory) -> None:
        """Count a new item."""
        if isinstance(item, ImportedConversation):
            self.conversations += 1
            self.messages += len(item.messages)
            moments = [item.started_at, *(message.said_at for message in item.messages)]
        else:
            self.memories += 1
            moments = [item.said_at]
        values = [at for at in (*moments, self.first_at, self.last_at) if at is not None]
        self.first_at, self.last_at = min(values, default=None), max(values, default=None)


def count(user_id: UUID, file: IO[bytes]) -> FileCounts:
    """Count the items of a file, and those already stored. Raises NotAnImport."""
    counts, seen = FileCounts(), set[UUID]()
    items = reading.items(file)
    while batch := list(islice(items, _BATCH)):
        _count(user_id, batch, counts, seen)
        if len(seen) > _MOST:
            things = f"{_MOST:,} conversations or memories"
            raise NotAnImport(f"This file contains more than {things}. Import it in parts.")
    if counts.total == sum(counts.skipped.values()):
        reasons = ", ".join(counts.skipped) or "it’s empty"
        raise NotAnImport(f"Nothing in this file can be imported: {reasons}. Choose another file.")
    return counts


def in_words(counts: FileCounts | Import) -> str:
    """Return the new items of a file in words: "2 conversations and 5 messages"."""
    values = [(words, getattr(counts, name)) for name, words in _WORDS.items()]
    counted = [words[count != 1].format(count) for words, count in values if count]
    return formatting.listed(counted) or "nothing new"


def _count(user_id: UUID, batch: Sequence[Sourced], counts: FileCounts, seen: set[UUID]) -> None:
    keyed = []
    for source, item in batch:
        counts.source = counts.source or source
        if isinstance(item, Skipped):
            counts.skipped[item.reason] += 1
        else:
            keyed.append((key_of(user_id, source, item), item))
    seen |= known_among(user_id, [key for key, _ in keyed])
    for key, item in keyed:
        if key in seen:
            counts.known += 1
        else:
            counts.add(item)
        seen.add(key)


# --- Ids derived from the user and the original id, so that items are recognised ------------------


def key_of(user_id: UUID, source: str, item: ImportedConversation | ImportedMemory) -> UUID:
    """Return the UUID under which an imported conversation or memory is stored; always the same."""
    kind = "conversation" if isinstance(item, ImportedConversation) else "memory"
    return uuid5(user_id, f"{source}:{kind}:{item.source_id}")


def message_key(conversation: UUID, number: int) -> UUID:
    """Return the UUID under which a message is stored, by its number in the conversation."""
    return uuid5(conversation, str(number))


def known_among(user_id: UUID, keys: Collection[UUID]) -> set[UUID]:
    """Return those of the keys that are already stored, within `acting_as(user)`."""
    talks = Conversation.objects.for_user(user_id).filter(pk__in=keys)
    kept = Memory.objects.for_user(user_id).values("pk")
    rows = ImportedRow.objects.filter(user_id=user_id, pk__in=keys, memory__in=kept)
    return {*talks.values_list("pk", flat=True), *rows.values_list("pk", flat=True)}
