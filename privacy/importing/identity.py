"""What is known again: ids made of whose it is, and of the id that it has where it comes from."""

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TypeVar
from uuid import UUID, uuid5

from conversations.models import Conversation
from memory.models import Memory
from privacy.importing.shapes import ImportedConversation, ImportedMemory
from privacy.models import ImportedRow

Keyed = tuple[UUID, str, ImportedConversation | ImportedMemory]
Any_ = TypeVar("Any_")


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


def in_batches(items: Iterable[Any_], size: int) -> Iterator[list[Any_]]:
    """The items in lists of at most so many."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
