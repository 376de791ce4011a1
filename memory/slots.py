"""The registry of slots: what the profile can hold about a user.

Defines names, display, whether a slot is single-valued or sensitive, and when two values mean the
same. Pure Python: no Django, no database.

To add a slot, add an entry to `slots.toml`, a line of questions to
`memory/language/queries/asked_slots.toml` if users ask about it, and sample messages to
`training/data` if it is to be read from sentences.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.language.queries.asked_slots import asked_about
from memory.language.values import drift, narrower, same_value, spelled_alike, value_key

__all__ = [
    "GROUPS",
    "PRIVATE_SLOTS",
    "SLOTS",
    "WITH_NAMES",
    "Slot",
    "agrees",
    "alike_to",
    "asked_about",
    "disagree",
    "drift",
    "narrower",
    "opposites",
    "refines",
    "same_value",
    "spelled_otherwise",
    "value_key",
    "with_opposites",
]


@dataclass(frozen=True)
class Slot:
    """A slot of the profile, see `slots.toml`; a sensitive slot is filled only with consent."""

    key: str
    label: str
    question: str
    group: str
    note: str
    answer: str
    noun: str
    # What the slot is about, within a sentence: 'where you work'.
    matter: str
    past_label: str
    past_note: str
    # A value as a sentence of its own, for slots that can be corrected by the value alone.
    statement: str = ""
    # Several values are possible at the same time.
    many: bool = False
    sensitive: bool = False
    # Its values are capitalised names.
    proper_name: bool = False
    # Its values follow each other; ended ones are kept as history.
    successive: bool = False


POLES: tuple[frozenset[str], frozenset[str]] = (
    frozenset({"likes", "interests"}),
    frozenset({"dislikes"}),
)
"""Slots that speak for a thing, and slots that speak against it: the one contradicts the other."""


def opposites(slot: str) -> frozenset[str]:
    """Return the slots in which the same value would mean the opposite."""
    for near, far in (POLES, POLES[::-1]):
        if slot in near:
            return far
    return frozenset()


def with_opposites(slots: Iterable[str]) -> set[str]:
    """Return the slots together with their opposites."""
    return {each for slot in slots for each in (slot, *opposites(slot))}


def alike_to(slot: str) -> frozenset[str]:
    """Return the slots, including this one, in which the same value means the same."""
    return next((pole for pole in POLES if slot in pole), frozenset({slot}))


def agrees(slot: str, known: str, stated: str) -> bool:
    """Return whether a stated value equals the known one or is less precise (Russia for Moscow)."""
    same = same_value(slot, known, stated)
    return same or (not SLOTS[slot].many and narrower(slot, known, stated))


def refines(slot: str, stated: str, known: str) -> bool:
    """Return whether a value is more precise than the known one, and not a change of job etc."""
    changed = SLOTS[slot].many or slot == "employment_status"
    return not changed and narrower(slot, stated, known)


def disagree(held_slot: str, known: str, slot: str, stated: str) -> bool:
    """Return whether a plainly stated value conflicts with a known one."""
    if slot in opposites(held_slot):
        return same_value(slot, known, stated)
    if slot != held_slot:
        return False
    if SLOTS[slot].many:
        return spelled_otherwise(slot, known, stated)
    return not (agrees(slot, known, stated) or refines(slot, stated, known))


def spelled_otherwise(slot: str, known: str, stated: str) -> bool:
    """Return whether two relatives or pets may be the same, with the name spelled differently."""
    return (
        slot in WITH_NAMES and not same_value(slot, known, stated) and spelled_alike(known, stated)
    )


# --- The registry --------------------------------------------------------------------------------

_PRIVATE = "Private matters"


def _slots(groups: dict[str, dict[str, dict[str, Any]]]) -> Iterator[Slot]:
    for group, entries in groups.items():
        for key, entry in entries.items():
            label, noun = entry["label"], entry["noun"]
            usual = {
                "past_label": label,
                "past_note": f"Earlier {noun}: {{value}}",
                "matter": f"your {noun}",
            }
            if group == _PRIVATE:
                usual |= {
                    "question": f"What did you say about your {noun}?",
                    "note": f"{label}: {{value}}",
                    "answer": f"Your {noun}: {{value}}.",
                    "many": True,
                    "sensitive": True,
                }
            yield Slot(key=key, group=group, **(usual | entry))


_DATA = tomllib.loads(Path(__file__).with_name("slots.toml").read_text(encoding="utf-8"))

GROUPS: tuple[str, ...] = tuple(_DATA)
"""Groups in the order in which a profile page shows them."""

SLOTS: dict[str, Slot] = {slot.key: slot for slot in _slots(_DATA)}
"""Every slot by key, in the order in which a profile page shows them."""

PRIVATE_SLOTS: tuple[str, ...] = tuple(_DATA[_PRIVATE])
"""What is kept apart: the keys of the sensitive slots."""

WITH_NAMES = frozenset({"family", "pets"})
"""Slots whose values may have a name: "sister Ada", "cat Soot"."""
