"""Kinds of facts that a person never wants noted: the one list, and what closing one does."""

from uuid import UUID

from django.db import IntegrityError, transaction

from accounts import audit
from accounts.audit import Deed
from memory import memories, revision
from memory.locks import hold_slot
from memory.models import BlockedSlot, Memory, ProfileFact
from memory.signals import fact_judged_by_hand, slot_closed
from memory.slots import SLOTS


def slots_of(user_id: UUID) -> frozenset[str]:
    """The keys of the slots that are closed."""
    return frozenset(BlockedSlot.objects.filter(user_id=user_id).values_list("slot", flat=True))


def block(user_id: UUID, slot: str) -> BlockedSlot:
    """Note nothing of this kind any more, and take back what is noted. Twice is once.

    What is taken back can be brought back once the slot is open again. Raises KeyError for a slot
    that does not exist.
    """
    label = SLOTS[slot].label
    hold_slot(user_id, slot)
    try:
        with transaction.atomic():
            closed = BlockedSlot.objects.create(user_id=user_id, slot=slot)
    except IntegrityError:
        return BlockedSlot.objects.get(user_id=user_id, slot=slot)
    audit.record(user_id, Deed.BLOCKED, subject=closed.pk, slot=slot, after=label)
    slot_closed.send(BlockedSlot, user_id=user_id, slot=slot)
    for fact in ProfileFact.objects.for_user(user_id).current().filter(slot=slot):
        fact_judged_by_hand.send(ProfileFact, fact=fact, deed=Deed.BLOCKED)
        revision.retract(fact, why="You closed this kind of fact.")
    for note in Memory.objects.for_user(user_id).shown().filter(slot=slot):
        memories.remove(note)
    return closed


def unblock(user_id: UUID, slot: str) -> None:
    """Let it be noted again; nothing comes back by itself."""
    closed = BlockedSlot.objects.filter(user_id=user_id, slot=slot).first()
    if closed is not None:
        audit.record(
            user_id, Deed.UNBLOCKED, subject=closed.pk, slot=slot, before=closed.kind.label
        )
        closed.delete()
