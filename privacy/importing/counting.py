"""What is in a file, counted before anything of it is taken in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any
from uuid import UUID

from accounts.support import formatting
from privacy.importing import identity, reading
from privacy.importing.reading import Sourced
from privacy.importing.shapes import ImportedConversation, ImportedMemory, NotAnImport, Skipped
from privacy.models import Import

# A file has so many conversations and memories at most: their ids are held while it is counted.
_BATCH, _MOST = 200, 200_000
_WORDS = {
    "conversations": ("1 conversation", "{:,} conversations"),
    "messages": ("1 message", "{:,} messages"),
    "memories": ("1 memory", "{:,} memories"),
}


@dataclass
class FileCounts:
    """How much a file holds; `known` is here already, `skipped` stays behind, by the reason."""

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
        """How many items there are, whatever becomes of them."""
        return self.conversations + self.memories + self.known + sum(self.skipped.values())

    def as_fields(self) -> dict[str, Any]:
        """The same as the fields of an `Import`."""
        return {**vars(self), "skipped": dict(self.skipped), "total": self.total}

    def add(self, item: ImportedConversation | ImportedMemory) -> None:
        """Count something that is new."""
        if isinstance(item, ImportedConversation):
            self.conversations += 1
            self.messages += len(item.messages)
            moments = [item.started_at, *(message.said_at for message in item.messages)]
        else:
            self.memories += 1
            moments = [item.said_at]
        told = [at for at in (*moments, self.first_at, self.last_at) if at is not None]
        self.first_at, self.last_at = min(told, default=None), max(told, default=None)


def count(user_id: UUID, file: IO[bytes]) -> FileCounts:
    """Count what is in a file and what of it is known, in the person's open block.

    Raises NotAnImport for a file of which nothing can be taken in.
    """
    counts, seen = FileCounts(), set[UUID]()
    for batch in identity.in_batches(reading.items(file), _BATCH):
        _count(user_id, batch, counts, seen)
        if len(seen) > _MOST:
            things = f"{_MOST:,} conversations or memories"
            raise NotAnImport(f"This file contains more than {things}. Import it in parts.")
    if counts.total == sum(counts.skipped.values()):
        reasons = ", ".join(counts.skipped) or "it’s empty"
        raise NotAnImport(f"Nothing in this file can be imported: {reasons}. Choose another file.")
    return counts


def in_words(counts: FileCounts | Import) -> str:
    """What is new in a file: "2 conversations and 5 messages"."""
    told = [(words, getattr(counts, name)) for name, words in _WORDS.items()]
    counted = [words[count != 1].format(count) for words, count in told if count]
    return formatting.listed(counted) or "nothing new"


def _count(user_id: UUID, batch: Sequence[Sourced], counts: FileCounts, seen: set[UUID]) -> None:
    keyed = []
    for source, item in batch:
        counts.source = counts.source or source
        if isinstance(item, Skipped):
            counts.skipped[item.reason] += 1
        else:
            keyed.append((identity.key_of(user_id, source, item), item))
    seen |= identity.known_among(user_id, [key for key, _ in keyed])
    for key, item in keyed:
        if key in seen:
            counts.known += 1
        else:
            counts.add(item)
        seen.add(key)
