"""Slots that a user blocked, and retracting the facts and memories of a blocked slot."""

from typing import NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction

from accounts import audit
from accounts.audit import Action
from memory.core.persistence_gate import closing
from memory.core.signals import fact_judged_by_hand, slot_closed
from memory.core.slot_locks import lock_slot
from memory.facts import revision
from memory.language.reading import Reading
from memory.language.safety import sensitivity
from memory.models import BlockedSlot, Memory, ProfileFact
from memory.notes import note_store
from memory.slots import SLOTS


class KindHoldings(NamedTuple):
    """The facts and memories that belong to a slot."""

    facts: list[ProfileFact]
    notes: list[Memory]


def slots_of(user_id: UUID) -> frozenset[str]:
    """Return the keys of the slots that a user blocked."""
    return frozenset(BlockedSlot.objects.filter(user_id=user_id).values_list("slot", flat=True))


def holdings_of(user_id: UUID, slot: str) -> KindHoldings:
    """Return all facts and memories that blocking a slot would retract.

    Includes memories whose text states a value of the slot.
    """
    facts = ProfileFact.objects.for_user(user_id).current().order_by("created_at")
    notes = Memory.objects.for_user(user_id).shown().exclude(category=Memory.Category.SUMMARY)
    return KindHoldings(
        [fact for fact in facts if closing({slot}, fact.slot, fact.value)],
        [note for note in notes.order_by("said_at") if _is_of_kind(note, slot)],
    )


def _is_of_kind(note: Memory, slot: str) -> bool:
    text = f"{note.content} {note.original}"
    if closing({slot}, note.slot, text):
        return True
    # A memory that quotes a whole sentence may contain a value of the slot.
    if any(value.label == slot for value in Reading(text).read.spans):
        return True
    return not note.is_sensitive and slot in sensitivity.find_private_slots(text)


def block_slot(user_id: UUID, slot: str) -> BlockedSlot:
    """Block a slot and retract its facts and memories. Raises KeyError for an unknown slot."""
    label = SLOTS[slot].label
    lock_slot(user_id, slot)
    try:
        with transaction.atomic():
            closed = BlockedSlot.objects.create(user_id=user_id, slot=slot)
    except IntegrityError:
        return BlockedSlot.objects.get(user_id=user_id, slot=slot)
    audit.record(user_id, Action.BLOCKED, subject=closed.pk, slot=slot, after=label)
    slot_closed.send(BlockedSlot, user_id=user_id, slot=slot)
    holdings = holdings_of(user_id, slot)
    for fact in holdings.facts:
        fact_judged_by_hand.send(ProfileFact, fact=fact, deed=Action.BLOCKED)
        revision.retract(fact, why="You asked me never to note this kind of fact.")
    for note in holdings.notes:
        note.refresh_from_db(fields=["status"])
        note_store.remove_note(note)
    return closed


def unblock(user_id: UUID, slot: str) -> None:
    """Unblock a slot; retracted facts and memories are not restored."""
    closed = BlockedSlot.objects.filter(user_id=user_id, slot=slot).first()
    if closed is not None:
        audit.record(
            user_id, Action.UNBLOCKED, subject=closed.pk, slot=slot, before=closed.kind.label
        )
        closed.delete()
