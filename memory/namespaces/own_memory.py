"""What the product itself remembers, read like any namespace; written by its own verbs alone."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from memory.models import Memory, MemoryBlock, ProfileFact
from memory.namespaces import schemas
from memory.namespaces.entries import By, StoredEntry
from memory.namespaces.registry import Namespace, Tier
from memory.namespaces.schemas import Entry


def read(user_id: UUID, namespace: Namespace, key: str) -> StoredEntry | None:
    """One fact, note, summary or block by its key: the id, of a block its label."""
    return next((entry for entry in query(user_id, namespace) if entry.key == key), None)


def query(user_id: UUID, namespace: Namespace) -> list[StoredEntry]:
    """All that is in use, in the order of writing."""
    return _READERS[namespace.name](user_id)


def _facts(user_id: UUID) -> list[StoredEntry]:
    facts = ProfileFact.objects.for_user(user_id).current().defer("embedding")
    return [
        _stored(
            "user.facts",
            str(fact.pk),
            schemas.Fact(
                slot=fact.slot,
                trust=fact.trust,
                last_verified=fact.last_verified.date(),
                disputed=any(entry.is_open for entry in fact.disputed_by.all()),
                value=fact.value,
            ),
            fact,
        )
        for fact in facts.prefetch_related("disputed_by").order_by("created_at", "pk")
    ]


def _memories(name: str, user_id: UUID, *, summaries: bool) -> list[StoredEntry]:
    notes = Memory.objects.for_user(user_id).filter(status=Memory.Status.ACTIVE)
    one_kind = notes.filter if summaries else notes.exclude
    rows = one_kind(category=Memory.Category.SUMMARY).defer("embedding", "terms", "original")
    return [
        _stored(
            name,
            str(note.pk),
            schemas.Note(day=note.said_at.date(), trust=note.trust, text=note.content),
            note,
        )
        for note in rows.order_by("created_at", "pk")
    ]


def _blocks(user_id: UUID) -> list[StoredEntry]:
    blocks = MemoryBlock.objects.filter(user_id=user_id).order_by("updated_at", "pk")
    return [
        _stored("user.blocks", block.label, schemas.Block(text=block.content), block)
        for block in blocks
    ]


def _stored(
    name: str, key: str, entry: Entry, row: ProfileFact | Memory | MemoryBlock
) -> StoredEntry:
    return StoredEntry(
        name,
        key,
        entry.model_dump(mode="json", exclude_none=True),
        version=getattr(row, "version", 1),
        tier=Tier.WARM,
        written_by=By.ASSISTANT,
        written_at=row.updated_at,
    )


_READERS: dict[str, Callable[[UUID], list[StoredEntry]]] = {
    "user.facts": _facts,
    "user.notes": partial(_memories, "user.notes", summaries=False),
    "user.summaries": partial(_memories, "user.summaries", summaries=True),
    "user.blocks": _blocks,
}
