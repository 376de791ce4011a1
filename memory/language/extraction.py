"""Facts a person states about themselves, read by rules: no language model, no database, no Django.

The steps, each in its own module of :mod:`memory.language`:

1. ``engine.masking`` hides what is not the person's own word (quotes, mail, code, secrets);
2. ``engine.clauses`` cuts the text so that every clause has one subject, ``engine.clause_guards``
   sets aside questions, hypotheses and reported speech, ``engine.predicates`` tells now from past,
   denied and unreal;
3. ``grammar.tokens`` writes its words in one spelling, ``grammar.assertion`` decides what a clause
   asserts, and ``grammar.clause_facts`` tries the patterns that may speak about it;
4. ``patterns`` (data) name the slot, ``readers`` take out the value, ``values.normalization``
   writes it down, and ``values.value_doubt`` says what is asked about first;
5. ``grammar.topics`` and ``corrections`` find what stands elsewhere;
6. ``fact_support`` drops what the words deceive the patterns about, as learned from examples;
7. ``engine.fact_candidates`` drops duplicates, and what is only noticed where it is also said
   outright, and keeps one current value for a single-valued slot.

To widen it, add an entry to a file of patterns. What follows only by implication gets a trust of
at most ``IMPLIED_TRUST``, so that the person is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from memory.language import corrections
from memory.language.budget import apply_budget
from memory.language.classifiers.fact_support import borne_out
from memory.language.engine import chat_only
from memory.language.engine.clause_guards import is_make_believe, is_taken_back, judge
from memory.language.engine.clauses import Clause, clauses, find_sentence_spans
from memory.language.engine.fact_candidates import CURRENT_KINDS, FactCandidate, settle
from memory.language.engine.masking import mask_text
from memory.language.engine.predicates import Predicate, parse
from memory.language.engine.time_frames import frames
from memory.language.grammar.assertion import AssertedClause
from memory.language.grammar.clause_facts import clause_facts, patterns, possible
from memory.language.grammar.pattern import Kind
from memory.language.grammar.tokens import Tokens
from memory.language.grammar.topics import REACH, Topic, remember
from memory.language.readers.phrases import Value
from memory.language.values.found import FoundValue, has_mask
from memory.slots import SLOTS, TASTES

AHEAD = 12
"""Words beyond its clause that what is taken for granted may lie in: "the bank | I work at"."""

__all__ = ["CURRENT_KINDS", "FactCandidate", "extract_facts", "patterns"]

MAX_SENTENCES = 1_000
"""Sentences read of one text: three times what so many characters of prose have."""

MAX_CLAUSES = 120
"""Clauses read of one sentence; what has more is no sentence."""

_CORRECTION: Kind = "correction"
_DENIAL: Kind = "denial"


def extract_facts(text: str) -> list[FactCandidate]:
    """The facts that a text asserts about its author, in the order of the text.

    Reads what the budget allows (:mod:`memory.language.budget`), of that the first
    :data:`MAX_SENTENCES` sentences, in time linear in their number. Never raises.
    No duplicates; at most one current value for a single-valued slot (the last correction or
    transition wins, else the best supported, else the last); nothing from masked text, so no
    password, key or card number is ever returned. A sensitive slot silences ordinary slots in its
    own clause.
    """
    prepared = mask_text(apply_budget(text)[0])
    return facts_of(prepared, find_sentence_spans(prepared))


def facts_of(prepared: str, parts: Iterable[tuple[int, int, str]]) -> list[FactCandidate]:
    """The same of a text that is masked and cut into sentences, as (start, end, mark), already."""
    found: list[FactCandidate] = []
    topic: Topic | None = None
    previous_start = 0
    for start, end, mark in islice(parts, MAX_SENTENCES):
        if is_taken_back(prepared, start, end):
            found = [candidate for candidate in found if candidate.start < previous_start]
            continue
        if chat_only.is_bare(prepared, start, end):
            found = [
                _narrowed(candidate) if candidate.start >= previous_start else candidate
                for candidate in found
            ]
            continue
        previous_start = start
        here, topic = _in_frame(prepared, start, end, mark, topic)
        found = _put_right(prepared, start, end, found) if not here else found
        found.extend(here)
    candidates = settle(borne_out(prepared, found))
    return sorted(candidates, key=lambda candidate: (candidate.start, candidate.end))


def facts_to_hear() -> Iterator[tuple[str, str]]:
    """What each pattern is to hear of what holds now and is not private: a text, and the fact."""
    for pattern in patterns():
        is_asserted = pattern.kind is None and all(place.kind is None for place in pattern.places)
        if is_asserted and not SLOTS[pattern.slot].sensitive:
            for text, value in (example.split(" => ") for example in pattern.hears):
                yield text, SLOTS[pattern.slot].note.format(value=value)


def _put_right(text: str, start: int, end: int, found: list[FactCandidate]) -> list[FactCandidate]:
    """What a sentence without a fact of its own does to those before: "Priya Raman." after a name.

    "No, I meant Lisbon" takes the last single-valued statement back, if it can be of that kind.
    """
    single = [
        candidate
        for candidate in found
        if candidate.kind in CURRENT_KINDS and not SLOTS[candidate.slot].many
    ]
    last = single[-1] if single else None
    if last is not None and last.slot == "name":
        fuller = corrections.fuller_name(text, start, end, last.value)
        if fuller is not None:
            return [
                _turned(candidate, fuller, candidate.kind) if candidate is last else candidate
                for candidate in found
            ]
    right = corrections.only_meant(text, start, end)
    if right is None and last is not None:
        right = corrections.only_instead(text, start, end, last.slot)
        if right is not None and not has_mask(text, right):
            return _corrected(found, last, right)
    if right is None or has_mask(text, right):
        return found
    slot = corrections.infer_slot(right.value)
    if last is None or (slot and slot != last.slot):
        return found
    return _corrected(found, last, right)


def _corrected(
    found: list[FactCandidate], last: FactCandidate, right: FoundValue
) -> list[FactCandidate]:
    """What was found, with the last of it taken back for what is right."""
    candidates = [candidate for candidate in found if candidate is not last]
    return [*candidates, replace(last, kind=_DENIAL), _turned(last, right, _CORRECTION)]


def _in_frame(
    text: str, start: int, end: int, mark: str, topic: Topic | None
) -> tuple[list[FactCandidate], Topic | None]:
    """What a sentence asserts; 'just for this chat' before it narrows all of it, after it what
    stands last.
    """
    first, last = chat_only.without(text, start, end)
    found, topic = _of_sentence(text, first, last, mark, topic)
    if first == start and last == end:
        return found, topic
    parts = clauses(text, first, last) if first == start else []
    narrow_from = parts[-1].start if parts else first
    return [
        _narrowed(candidate) if candidate.start >= narrow_from else candidate for candidate in found
    ], topic


def _narrowed(candidate: FactCandidate) -> FactCandidate:
    return replace(candidate, scope="conversation")


def _of_sentence(
    text: str, start: int, end: int, mark: str, topic: Topic | None
) -> tuple[list[FactCandidate], Topic | None]:
    """What a sentence asserts, and what the next one may take up with "it"."""
    parts = clauses(text, start, end)[:MAX_CLAUSES]
    tokens = Tokens.of(text, start, end)
    able = possible(tokens.line)
    previous_start: Predicate | None = None
    found: list[FactCandidate] = []
    denied: set[str] = set()
    times = frames(text, parts)
    for position, (clause, verdict) in enumerate(zip(parts, judge(text, parts, mark), strict=True)):
        previous = parts[position - 1] if position else None
        predicate = previous_start = parse(text, clause, previous_start, times[position])
        first, stop = tokens.first_at(clause.start), tokens.first_at(clause.end)
        near = topic if topic and clause.start - topic.end <= REACH else None
        stated = AssertedClause(
            text, clause, predicate, verdict, replace(tokens, topic=near), first, stop,
            min(len(tokens.words), stop + AHEAD), able, is_make_believe(text, clause, previous),
        )  # fmt: skip
        taken = clause_facts(stated)
        for candidate in taken:
            if candidate.kind == "denial":
                denied.add(candidate.slot)
            corrects = candidate.kind == "statement" and candidate.slot in denied
            found.append(replace(candidate, kind="correction") if corrects else candidate)
        found = _amended(text, clause, end, found, previous)
        tastes = tuple(
            Value(0, 0, text[one.start : one.end], span=(one.start, one.end))
            for one in taken
            if one.slot in TASTES
        )
        topic = remember(tokens, first, stop, tastes, topic)
    if "?" not in mark:
        found.extend(_corrections(text, start, end))
    return found, topic


def _corrections(text: str, start: int, end: int) -> list[FactCandidate]:
    """What a sentence that is nothing but a correction asserts and takes back."""
    correction = corrections.of_sentence(text, start, end)
    if correction is None or has_mask(text, correction.right) or has_mask(text, correction.wrong):
        return []
    cue = f"{correction.slot}.corrected"
    return [
        FactCandidate(
            correction.slot,
            one.value,
            0.8,
            correction.trust,
            one.start,
            one.end,
            "profile",
            kind,
            cue,
        )
        for one, kind in ((correction.right, _CORRECTION), (correction.wrong, _DENIAL))
    ]


def _amended(
    text: str, clause: Clause, end: int, found: list[FactCandidate], previous_start: Clause | None
) -> list[FactCandidate]:
    """ "I work at Google but I meant Microsoft", "Not Google, I work at Microsoft"."""
    last = found[-1] if found else None
    if last is None or SLOTS[last.slot].many or last.kind != "statement":
        return found
    right = (
        corrections.value_meant(text, clause.start, end)
        or corrections.value_meant(text, last.end, end)
        or corrections.instead(text, last.end, end, last.slot)
    )
    if right is not None and last.end < right.start and not has_mask(text, right):
        return [*found[:-1], _turned(last, right, _CORRECTION), replace(last, kind="denial")]
    wrong = previous_start and corrections.not_that(text, previous_start.start, previous_start.end)
    if wrong and clause.start <= last.start and not has_mask(text, wrong):
        return [*found[:-1], replace(last, kind="correction"), _turned(last, wrong, _DENIAL)]
    return found


def _turned(candidate: FactCandidate, other: FoundValue, kind: Kind) -> FactCandidate:
    """The same statement about another value."""
    return replace(candidate, value=other.value, start=other.start, end=other.end, kind=kind)
