"""From marked values to facts about the author of a text, to be proposed to the profile."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from memory.language.classifiers.statement_pairs import answer_probabilities
from memory.language.engine.masking import MASK_CHARACTER
from memory.language.reader.decoding import Span
from memory.language.reader.network import ReadSentence, ReadText
from memory.language.reader.values import written_value
from memory.language.safety.sensitivity import (
    PRIVATE,
    has_food_allergy,
    is_in_food_allergy,
    private_probability,
)
from memory.slots import SLOTS, value_key

Kind = Literal["statement", "correction", "transition", "past", "denial"]
"""How a value is said."""

CURRENT_KINDS: frozenset[str] = frozenset({"statement", "correction", "transition"})
"""Kinds that assert a value that holds now."""


@dataclass(frozen=True)
class FactCandidate:
    """A fact that a text may state.

    ``start`` and ``end`` are the characters of the value in the text; ``value`` is its normalised
    form. ``confidence`` is the certainty of the reading, ``trust`` how much it is believed; both
    0..1. Only the kinds in :data:`CURRENT_KINDS` state a value that is true now.
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
    changes: bool = False
    """Whether its sentence says that something changed."""


SURE, LIKELY, POSSIBLE = 0.6, 0.45, 0.35
"""From these probabilities on a value enters the profile, is asked about, or is compared with what
is known.
"""
SURE_BESIDE_OTHERS = 0.7
"""From this on one enters that stands beside others of its slot, a taste or an interest."""
TYPED_TRUST, ASKED_TRUST, COMPARED_TRUST = 0.90, 0.65, 0.30
SURE_OF_ITSELF, NO_ANSWER = 0.91, 0.09
"""A value of a slot that holds a single one, and is less probable than the first, is not taken from
a sentence that answers the question of the slot ("Where do you live?") with less than the second.
Chosen on sentences written for it, with the development part of PersonaExt as the price.
"""
_CHANGED = 0.6
"""From this probability on a sentence says that something changed."""
_KINDS: dict[str, Kind] = {
    "current": "statement",
    "here": "statement",
    "past": "past",
    "denied": "denial",
}
# The words between a person or pet and its name: "my sister Ann", "my sister is called Ann", "Tom's
# my husband"; for pets a few more: "a cat that we call Soot".
_TOGETHER = {
    "family": re.compile(
        r"[\s,(:]+|(?:['’]s|\s+is)?\s+my\s+"
        r"|(?:['’]s\s+names?)?\s+(?:is|was|are|were)\s+(?:(?:called|named)\s+)?",
        re.IGNORECASE,
    ),
    "pets": re.compile(r"(?:['’]s)?[\s,(:]+(?:[\w'’]+\s+){0,4}"),
}
# Between the names of a list, without ages: "Mia (7), Ben (4) and Jo".
_LISTED = re.compile(r"[\s,;()\d]*(?:and|&)?\s*")
_OF_AN_ALLERGY = frozenset({"diet", "medical"})
_ALLERGY = frozenset({"allergic", "allergy", "allergies"})
_NAMED = {"family": "person", "pets": "pet_name"}
# Orders to remember: people without a name in them are known already ("call mum").
_REMINDER = "r"


def fact_candidates(text: str, read: ReadText) -> list[FactCandidate]:
    """Return the facts that a text states about its author, in order, without duplicates.

    For a single-valued slot at most one: the last change, else the most certain.
    """
    best: dict[tuple[str, str, bool], FactCandidate] = {}
    single: dict[str, FactCandidate] = {}
    for candidate in _answering(text, read, list(_candidates(text, read))):
        current = candidate.kind in CURRENT_KINDS
        if current and not SLOTS[candidate.slot].many:
            known = single.get(candidate.slot)
            if known is None or _takes_the_place_of(candidate, known):
                single[candidate.slot] = candidate
            continue
        key = (candidate.slot, value_key(candidate.slot, candidate.value), current)
        if key not in best or candidate.trust > best[key].trust:
            best[key] = candidate
    candidates = [*best.values(), *single.values()]
    return sorted(candidates, key=lambda candidate: (candidate.start, candidate.end))


def _answering(
    text: str, read: ReadText, candidates: Sequence[FactCandidate]
) -> list[FactCandidate]:
    """Return the candidates without uncertain ones that do not answer their slot's question.

    "Leeds" in "I work in Leeds" does not answer where somebody lives.
    """
    unsure = [
        candidate
        for candidate in candidates
        if candidate.kind in CURRENT_KINDS
        and not SLOTS[candidate.slot].many
        and candidate.confidence < SURE_OF_ITSELF
    ]
    pairs = []
    for candidate in unsure:
        sentence = read.sentence_at(candidate.start)
        words = text[sentence.start : sentence.end] if sentence else text
        pairs.append((SLOTS[candidate.slot].question, words))
    shares = answer_probabilities(pairs) if pairs else []
    unanswered = [
        candidate for candidate, share in zip(unsure, shares, strict=True) if share < NO_ANSWER
    ]
    return [candidate for candidate in candidates if candidate not in unanswered]


def _takes_the_place_of(new: FactCandidate, old: FactCandidate) -> bool:
    if (new.kind == "statement") != (old.kind == "statement"):
        return old.kind == "statement"
    return new.kind != "statement" or new.confidence >= old.confidence


def _candidates(text: str, read: ReadText) -> Iterator[FactCandidate]:
    claimed: set[int] = set()
    for number, span in enumerate(read.spans):
        kind, sentence = _KINDS.get(span.status), read.sentence_at(span.start)
        if span.label not in SLOTS or kind is None or sentence is None:
            continue
        names = [
            name for name in _names_beside(text, read.spans, number) if name.start not in claimed
        ]
        claimed.update(name.start for name in names)
        value = written_value(span.label, text[span.start : span.end])
        if value and names:
            value = f"{value} {_listed([text[name.start : name.end] for name in names])}"
        probability = span.probability * span.status_probability
        known = sentence.kind == _REMINDER and span.label in _NAMED and not names
        if not value or known or MASK_CHARACTER in value or probability < POSSIBLE:
            continue
        slot, words = span.label, text[sentence.start : sentence.end]
        if slot == "relationships" and private_probability(words, sentence, ()) < PRIVATE:
            continue
        said_so = slot in _OF_AN_ALLERGY and is_in_food_allergy(text, span.start, span.end)
        if (slot == "medical" and _is_of_an_allergy(text, read, span, sentence)) or (
            slot == "diet" and said_so and not has_food_allergy(value)
        ):
            slot, value = _allergy(value)
            if not value:
                continue
        if kind == "statement" and (
            sentence.kind == "c" or _replaces_a_denied(read, span, sentence)
        ):
            kind = "correction"
        elif kind == "statement" and sentence.change >= _CHANGED:
            kind = "transition"
        yield FactCandidate(
            slot=slot,
            value=value,
            confidence=probability,
            # Late in a sentence the reader is less certain, but the words state the allergy.
            trust=TYPED_TRUST if said_so and slot == "diet" else _trust_of(probability, slot),
            start=min(each.start for each in (span, *names)),
            end=max(each.end for each in (span, *names)),
            scope="conversation" if span.status == "here" else "profile",
            kind=kind,
            cue="reader",
            changes=sentence.change >= _CHANGED,
        )


def _trust_of(probability: float, slot: str) -> float:
    if probability >= (SURE_BESIDE_OTHERS if SLOTS[slot].many else SURE):
        return TYPED_TRUST
    return ASKED_TRUST if probability >= LIKELY else COMPARED_TRUST


def _replaces_a_denied(read: ReadText, span: Span, sentence: ReadSentence) -> bool:
    """Return whether another value of the same label is denied beside it: "not Nick, Nicholas"."""
    others = read.spans_in(sentence.start, sentence.end)
    denied = any(other.label == span.label and other.status == "denied" for other in others)
    return denied and not SLOTS[span.label].many


def _is_of_an_allergy(text: str, read: ReadText, span: Span, sentence: ReadSentence) -> bool:
    """Return whether a value is what somebody is allergic to.

    Either the value says so, or the sentence does and no other value in it.
    """
    if "allerg" in text[span.start : span.end].lower():
        return True
    others = read.spans_in(sentence.start, sentence.end)
    values = {text[other.start : other.end].lower() for other in others if other.label == "medical"}
    named = any("allerg" in value for value in values - _ALLERGY)
    return not named and "allerg" in text[sentence.start : sentence.end].lower()


def _allergy(value: str) -> tuple[str, str]:
    """Return the slot and the value of an allergy; the value is '' if it is unknown to what.

    Food allergies are stored as diet, which is not sensitive.
    """
    if value.lower() in _ALLERGY:
        return "medical", ""
    written = value if "allerg" in value.lower() else f"allergic to {value}"
    return ("diet" if has_food_allergy(written) else "medical"), written


def _names_beside(text: str, spans: Sequence[Span], number: int) -> list[Span]:
    """Return the names beside a marked person or pet; after it there may be a list of names."""
    span = spans[number]
    named = _NAMED.get(span.label)
    if named is None:
        return []
    behind = [each for each in spans[number + 1 :] if each.label != "age"]
    names = list(takewhile(lambda each: each.label == named, behind))
    if names and _TOGETHER[span.label].fullmatch(text, span.end, names[0].start):
        ends = [name.end for name in names]
        listed = takewhile(
            lambda pair: _LISTED.fullmatch(text, pair[0], pair[1].start),
            zip(ends, names[1:], strict=False),
        )
        return [names[0], *(name for _, name in listed)]
    before = spans[number - 1] if number else None
    if before is None or before.label != named:
        return []
    return [before] if _TOGETHER[span.label].fullmatch(text, before.end, span.start) else []


def _listed(names: Sequence[str]) -> str:
    *others, last = [written_value("name", name) for name in names]
    return f"{', '.join(others)} and {last}" if others else last
