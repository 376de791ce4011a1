"""One writer at a time for one person's slot: a short lock, in the database."""

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
    """Hold a person's slot until the transaction ends, so that two tellings cannot both be first.

    With it those that say the same and those that can contradict it: liking and disliking are told
    by one at a time. Waits for whoever holds them; the holders' transactions are a few milliseconds
    long.
    """
    lock_slots(user_id, [slot])


def lock_slots(user_id: UUID, slots: Iterable[str]) -> None:
    """Hold several at once, so that their order is the same for everybody."""
    lock_known_slots(user_id, with_related_slots(slots), notes=False)


def with_related_slots(slots: Iterable[str]) -> frozenset[str]:
    """The slots, with those that say the same and those that can contradict them."""
    return frozenset(each for slot in slots for each in alike_to(slot) | opposites(slot))


def lock_known_slots(user_id: UUID, slots: Iterable[str], *, notes: bool) -> None:
    """Hold just these slots of a person, and their notes where wished."""
    held = [f"{user_id}:{each}" for each in (*slots, *[_NOTES] * notes)]
    if held:
        lock_names(held)


def lock_names(names: Iterable[str]) -> None:
    """Hold these names until the commit, in one order for everybody, so that none deadlock."""
    fetch_rows(_HOLD, {"names": array_literal(map(json.dumps, sorted(names)))})


def lock_deletions(user_id: UUID) -> None:
    """One deletion at a time: two that go on from conversation to conversation would deadlock."""
    lock_names([f"taking out {user_id}"])


def lock_notes(user_id: UUID) -> None:
    """Hold a person's notes until the transaction ends: two readings must not both be the first."""
    lock_names([f"{user_id}:{_NOTES}"])


def lock_everything(user_id: UUID) -> None:
    """Hold every slot of a person and their notes: whoever is writing one down is waited for."""
    # Whoever learns holds a slot first and the notes then.
    lock_slots(user_id, SLOTS)
    lock_notes(user_id)
