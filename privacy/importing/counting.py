"""What is in a file, and what of it is here already, counted before anything is taken in."""

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
        values = [at for at in (*moments, self.first_at, self.last_at) if at is not None]
        self.first_at, self.last_at = min(values, default=None), max(values, default=None)


def count(user_id: UUID, file: IO[bytes]) -> FileCounts:
    """Count what is in a file and what of it is here already. Raises NotAnImport."""
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
    """What is new in a file: "2 conversations and 5 messages"."""
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


# --- What is known again: ids made of whose it is, and of its id where it comes from --------------


def key_of(user_id: UUID, source: str, item: ImportedConversation | ImportedMemory) -> UUID:
    """The id of a conversation here, or of what was imported as a memory."""
    kind = "conversation" if isinstance(item, ImportedConversation) else "memory"
    return uuid5(user_id, f"{source}:{kind}:{item.source_id}")


def message_key(conversation: UUID, number: int) -> UUID:
    """The id of a message here, by its number."""
    return uuid5(conversation, str(number))


def known_among(user_id: UUID, keys: Collection[UUID]) -> set[UUID]:
    """Which of them are here already, in the person's open block."""
    talks = Conversation.objects.for_user(user_id).filter(pk__in=keys)
    kept = Memory.objects.for_user(user_id).values("pk")
    rows = ImportedRow.objects.filter(user_id=user_id, pk__in=keys, memory__in=kept)
    return {*talks.values_list("pk", flat=True), *rows.values_list("pk", flat=True)}
