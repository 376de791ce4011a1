"""What a reading comes to, and which of several readings of one text hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memory.language.grammar.pattern import IMPLIED_TRUST, Kind
from memory.slots import SLOTS, TASTES, value_key

CURRENT_KINDS: frozenset[str] = frozenset({"statement", "correction", "transition"})
"""Kinds that assert a value that holds now."""

_TASTES_AND_PROJECTS = TASTES | {"preferences", "current_project"}
"""Slots between which one thing in one clause belongs to one only."""


@dataclass(frozen=True)
class FactCandidate:
    """One fact that a text may assert.

    ``start`` and ``end`` are the span of the value in the text as given; ``value`` is what stands
    there, or a declared normalisation of it ("twenty-eight" is "28", "im nick" is "Nick").
    ``confidence`` says how sure the reading is, ``trust`` how much the wording supports the fact;
    both 0..1. Only the kinds in :data:`CURRENT_KINDS` assert a value that holds now.
    """

    slot: str
    value: str
    confidence: float
    trust: float
    start: int
    end: int
    scope: Literal["profile", "conversation"]
    kind: Kind
    cue: str


def is_part_of(candidate: FactCandidate, other: FactCandidate) -> bool:
    """Whether another reading covers this one: a longer one of its slot, or a surer taste."""
    if (
        candidate is other or candidate.cue == "dislikes.except"
    ):  # "all music except opera" tells two things
        return False
    if not (other.start <= candidate.start and candidate.end <= other.end):
        # "Reading crime novels" is noticed where "crime novels" are loved.
        across = candidate.start < other.end and other.start < candidate.end
        return (
            across
            and {candidate.slot, other.slot} <= _TASTES_AND_PROJECTS
            and candidate.trust < IMPLIED_TRUST < other.trust
        )
    if candidate.slot == other.slot:
        surer = (
            candidate.slot in _TASTES_AND_PROJECTS and other.trust < IMPLIED_TRUST < candidate.trust
        )
        return candidate.end - candidate.start < other.end - other.start and not surer
    if (
        candidate.slot in _TASTES_AND_PROJECTS
        and candidate.trust < IMPLIED_TRUST
        and other.trust > candidate.trust
    ):
        return True  # "I work in a taco shop" says nothing about tacos
    length, longer = candidate.end - candidate.start, other.end - other.start
    lesser = (candidate.trust, length, candidate.cue) < (other.trust, longer, other.cue)
    return {candidate.slot, other.slot} <= _TASTES_AND_PROJECTS and lesser


def settle(found: Iterable[FactCandidate]) -> list[FactCandidate]:
    """Drop duplicates and keep one current value for every single-valued slot and scope."""
    found = list(found)
    over = {value_key(one.slot, one.value) for one in found if one.kind == "past"}
    best: dict[tuple[str, str, str], FactCandidate] = {}
    for candidate in found:
        noticed = candidate.slot in _TASTES_AND_PROJECTS and candidate.trust < IMPLIED_TRUST
        if noticed and value_key(candidate.slot, candidate.value) in over:
            continue  # "Coach fencing? I used to"
        if not 0 <= candidate.start <= candidate.end:
            continue
        current = "current" if candidate.kind in CURRENT_KINDS else candidate.kind
        key = (candidate.slot, value_key(candidate.slot, candidate.value), current)
        held = best.get(key)
        if held is None or _weight(candidate) > _weight(held):
            best[key] = candidate
    single: dict[str, FactCandidate] = {}
    candidates: list[FactCandidate] = []
    for candidate in _said_better(list(best.values())):
        if SLOTS[candidate.slot].many or candidate.kind not in CURRENT_KINDS:
            candidates.append(candidate)
        elif candidate.slot not in single or _supersedes(candidate, single[candidate.slot]):
            single[candidate.slot] = candidate
    return candidates + list(single.values())


def _said_better(found: list[FactCandidate]) -> list[FactCandidate]:
    """Without what is only noticed in passing where the text also says it outright.

    "I love hiking ... went hiking" is one liking, and a farm one lives on is not also noted as
    owned.
    """
    told = [(candidate, _words(candidate)) for candidate in found]
    return [
        candidate
        for candidate, words in told
        if not any(_covers(other, other_words, candidate, words) for other, other_words in told)
    ]


def _covers(
    other: FactCandidate,
    other_words: frozenset[str],
    candidate: FactCandidate,
    words: frozenset[str],
) -> bool:
    """Whether ``other`` leaves nothing to say for ``candidate``, which was only noticed."""
    if (
        candidate.slot == "relationships"
        and other.slot == "family"
        and candidate.kind in CURRENT_KINDS
    ):
        # Who names a wife has told that they are married: that is nothing to keep apart.
        return (
            candidate.value.lower().endswith("married") and _SPOUSE.match(other.value) is not None
        )
    if candidate is other or candidate.kind not in CURRENT_KINDS or not words <= other_words:
        return False
    if candidate.slot == other.slot == "pets":
        kind = candidate.value.lower()
        named = other.value.lower().startswith((f"{kind} ", f"{kind.removesuffix('s')} "))
        return (
            (named or words <= _ANY_PET)
            and not other_words <= _ANY_PET
            and other.kind in CURRENT_KINDS
        )
    if candidate.slot == "possessions" and other.slot in {"home", "vehicle"}:
        return other.kind in CURRENT_KINDS and (
            candidate.trust <= IMPLIED_TRUST or other.slot == "vehicle"
        )
    surer = (other.trust, other.confidence) > (candidate.trust, candidate.confidence)
    if candidate.slot == other.slot and candidate.slot in _NAMED_CLOSER:
        return (
            words < other_words and other.kind in CURRENT_KINDS and other.trust >= candidate.trust
        )
    return (
        candidate.slot in _TASTES_AND_PROJECTS
        and other.slot in _TASTES_AND_PROJECTS
        and candidate.trust < IMPLIED_TRUST
        and surer
    )


_SPOUSE = re.compile(r"(?:wife|husband|spouse)\b", re.IGNORECASE)
_ANY_PET = frozenset({"pet", "animal", "critter"})
_NAMED_CLOSER = frozenset({"vehicle", "education", "home", "possessions"})
"""Slots in which a text that says more closely what it means means no second thing."""


def _words(candidate: FactCandidate) -> frozenset[str]:
    key = value_key(candidate.slot, candidate.value)
    return frozenset(word.removesuffix("s") for word in key.split())


def _weight(candidate: FactCandidate) -> tuple[int, float, float]:
    return int(candidate.kind != "statement"), candidate.trust, candidate.confidence


def _supersedes(new: FactCandidate, old: FactCandidate) -> bool:
    """Later wins among changes; a change beats a statement; else trust, then the later one."""

    def rank(candidate: FactCandidate) -> tuple[bool, float, int]:
        changed = candidate.kind != "statement"
        return changed, 0.0 if changed else candidate.trust, candidate.start

    return rank(new) > rank(old)
