"""PostgreSQL advisory locks, held for milliseconds: one writer per slot of a user."""

import json
from collections.abc import Iterable
from uuid import UUID

from memory.core.statements import array_literal, fetch_rows
from memory.slots import SLOTS, alike_to, opposites

_HOLD = """
select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(%(names)s::text[]) as name
"""

# The lock name for all memories of a user. It sorts after every slot, because callers lock slots
# first.
_NOTES = "~memories"


def lock_slot(user_id: UUID, slot: str) -> None:
    """Lock a slot with its similar and opposite slots until the transaction ends.

    Similar slots can hold the same value, opposite ones can contradict it. Waits for other
    transactions, which hold the locks for a few milliseconds.
    """
    lock_slots(user_id, [slot])


def lock_slots(user_id: UUID, slots: Iterable[str]) -> None:
    """Lock several slots with their similar and opposite slots, always in the same order."""
    lock_known_slots(user_id, with_related_slots(slots), notes=False)


def with_related_slots(slots: Iterable[str]) -> frozenset[str]:
    """Return the slots together with their similar and opposite slots."""
    return frozenset(each for slot in slots for each in alike_to(slot) | opposites(slot))


def lock_known_slots(user_id: UUID, slots: Iterable[str], *, notes: bool) -> None:
    """Lock exactly these slots of a user, and the user's memories if requested."""
    locks = [f"{user_id}:{each}" for each in (*slots, *[_NOTES] * notes)]
    if locks:
        lock_names(locks)


def lock_names(names: Iterable[str]) -> None:
    """Lock some names until the commit, in sorted order to avoid deadlocks."""
    fetch_rows(_HOLD, {"names": array_literal(map(json.dumps, sorted(names)))})


def lock_deletions(user_id: UUID) -> None:
    """Allow one deletion of a user at a time: two that span conversations could deadlock."""
    lock_names([f"taking out {user_id}"])


def lock_notes(user_id: UUID) -> None:
    """Lock a user's memories until the transaction ends."""
    lock_names([f"{user_id}:{_NOTES}"])


def lock_everything(user_id: UUID) -> None:
    """Lock every slot and all memories of a user, after waiting for other writers."""
    # Slots first, as all writers do.
    lock_slots(user_id, SLOTS)
    lock_notes(user_id)
