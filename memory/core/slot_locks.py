"""Short database locks: one writer at a time for a slot of a user."""

import json
from collections.abc import Iterable
from uuid import UUID

from memory.core.statements import array_literal, fetch_rows
from memory.slots import SLOTS, alike_to, opposites

_HOLD = """
select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(%(names)s::text[]) as name
"""

# What stands for all notes of a person. It sorts behind every slot: whoever learns holds slots
# first and the notes then.
_NOTES = "~memories"


def lock_slot(user_id: UUID, slot: str) -> None:
    """Lock a slot with its similar and opposite slots until the transaction ends.

    With it those that say the same and those that can contradict it: liking and disliking are told
    by one at a time. Waits for whoever holds them; the holders' transactions are a few milliseconds
    long.
    """
    lock_slots(user_id, [slot])


def lock_slots(user_id: UUID, slots: Iterable[str]) -> None:
    """Lock several slots, in an order that is the same for everybody."""
    lock_known_slots(user_id, with_related_slots(slots), notes=False)


def with_related_slots(slots: Iterable[str]) -> frozenset[str]:
    """Return the slots with similar and opposite ones."""
    return frozenset(each for slot in slots for each in alike_to(slot) | opposites(slot))


def lock_known_slots(user_id: UUID, slots: Iterable[str], *, notes: bool) -> None:
    """Lock just these slots of a user, and their notes if requested."""
    locks = [f"{user_id}:{each}" for each in (*slots, *[_NOTES] * notes)]
    if locks:
        lock_names(locks)


def lock_names(names: Iterable[str]) -> None:
    """Lock these names until the commit, in one order, so that no deadlock occurs."""
    fetch_rows(_HOLD, {"names": array_literal(map(json.dumps, sorted(names)))})


def lock_deletions(user_id: UUID) -> None:
    """Allow one deletion at a time: two that span conversations could deadlock."""
    lock_names([f"taking out {user_id}"])


def lock_notes(user_id: UUID) -> None:
    """Lock a user's notes until the transaction ends."""
    lock_names([f"{user_id}:{_NOTES}"])


def lock_everything(user_id: UUID) -> None:
    """Lock every slot of a user and their notes, after waiting for other writers."""
    # Whoever learns holds a slot first and the notes then.
    lock_slots(user_id, SLOTS)
    lock_notes(user_id)
