"""Facts a person states about themselves, read by rules: no model, no database, no Django.

The steps, each in its own module of :mod:`memory.grammar`:

1. ``masking`` hides what is not the person's own word (quotes, mail, code, material, secrets);
2. ``clauses`` cuts the text so that every clause has one subject;
3. ``guards`` sets aside questions, hypotheses and reported speech;
4. ``predicates`` tells now from past, denied and unreal;
5. the families (``person``, ``work``, ``skills``, ``tastes``, ``private``) name the slot,
   ``readers`` and
   ``lists`` take out the value;
6. this module weighs, deduplicates and keeps one current value for a single-valued slot.

To widen it, add a family: a line of data in the module of its theme.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from memory.grammar import person, private, skills, tastes, work
from memory.grammar.clauses import Clause, Subject, clauses, sentences
from memory.grammar.family import IMPLIED, Family, Head, Kind
from memory.grammar.guards import Verdict, judge
from memory.grammar.masking import MASK, prepare
from memory.grammar.predicates import Mode, Predicate, parse
from memory.grammar.readers import Found, has_mask
from memory.slots import SLOTS, value_key

MAX_CHARS = 20_000
"""Characters read of one text; what lies beyond is ignored, so that time stays bounded."""

MIN_CONFIDENCE = 0.5
"""Candidates below this are not returned (DESIGN: formulas and numbers)."""

CURRENT: frozenset[str] = frozenset({"statement", "correction", "transition"})
"""Kinds that assert a value that holds now."""


@dataclass(frozen=True)
class Candidate:
    """One fact that a text may assert.

    ``start`` and ``end`` are the span of the value in the text as given; ``value`` is what stands
    there, or a declared normalisation of it ("twenty-eight" is "28", "im nick" is "Nick").
    ``confidence`` says how sure the reading is, ``trust`` how much the wording supports the fact;
    both 0..1. Only the kinds in :data:`CURRENT` assert a value that holds now.
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


FAMILIES: tuple[Family, ...] = (
    *private.FAMILIES,
    *person.FAMILIES,
    *work.FAMILIES,
    *skills.FAMILIES,
    *tastes.FAMILIES,
)
_BY_HEAD: dict[Head, tuple[Family, ...]] = {
    head: tuple(family for family in FAMILIES if head in family.heads) for head in Head
}

_THIS_CHAT = re.compile(
    r"\b(?:in|for|during) (?:this|the current|our) "
    r"(?:chat|conversation|thread|session|discussion)\b",
    re.IGNORECASE,
)
# For a way of addressing somebody, "here" and "today" bound it too; for a job they do not.
_FOR_NOW = re.compile(
    r"\b(?:here|just for today|for today|only today|today|for now|this time|just this once)\b",
    re.IGNORECASE,
)
_ADDRESSING = frozenset({"preferred_name", "preferences", "pronouns"})
_CORRECTS = re.compile(
    r"\b(?:actually|no|nope|correction|sorry|i meant|i mean|oops|wait|rather|my bad|instead)\b",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(
    r"\s*,?\s*(?:and\s+)?(?:not|rather than|instead of)\s+(?:at\s+|in\s+|for\s+|with\s+)?",
    re.IGNORECASE,
)
_MODE_KIND: dict[Mode, Kind] = {Mode.NOW: "statement", Mode.PAST: "past", Mode.DENIED: "denial"}


def extract(text: str) -> list[Candidate]:
    """The facts that a text asserts about its author, in the order of the text.

    Reads the first :data:`MAX_CHARS` characters, in time linear in their number. Never raises.
    No duplicates; at most one current value for a single-valued slot (the last correction or
    transition wins, else the best supported, else the last); nothing from masked text, so no
    password, key or card number is ever returned. A sensitive slot silences ordinary slots in its
    own clause.
    """
    if len(text) > MAX_CHARS:
        text = text[:MAX_CHARS]
    prepared = prepare(text)
    found: list[Candidate] = []
    for start, end, mark in sentences(prepared):
        found.extend(_of_sentence(prepared, start, end, mark))
    return sorted(_settle(found), key=lambda candidate: (candidate.start, candidate.end))


def _of_sentence(text: str, start: int, end: int, mark: str) -> Iterator[Candidate]:
    parts = clauses(text, start, end)
    verdicts = judge(text, parts, mark)
    before: Predicate | None = None
    denied: set[str] = set()
    for clause, verdict in zip(parts, verdicts, strict=True):
        predicate = parse(text, clause, before)
        before = predicate
        if verdict is not Verdict.CLEAR:
            continue
        for candidate in _of_clause(text, clause, predicate, end):
            if candidate.kind == "denial":
                denied.add(candidate.slot)
            corrects = candidate.kind == "statement" and candidate.slot in denied
            yield replace(candidate, kind="correction") if corrects else candidate


def _of_clause(text: str, clause: Clause, predicate: Predicate, end: int) -> list[Candidate]:
    found: list[Candidate] = []
    for family, at in _anchored(text, clause, predicate):
        match = (
            family.pattern.search(text, at, clause.end)
            if Head.ANY in family.heads
            else family.pattern.match(text, at, clause.end)
        )
        if not match or (family.check and not family.check(match)):
            continue
        for value in family.read(text, match.end(), min(end, clause.end)):
            found.extend(_candidates(text, clause, predicate, family, match=match, found=value))
    if any(SLOTS[candidate.slot].sensitive for candidate in found):
        found = [candidate for candidate in found if SLOTS[candidate.slot].sensitive]
    return [one for one in found if not any(_is_part_of(one, other) for other in found)]


def _is_part_of(one: Candidate, other: Candidate) -> bool:
    """Whether a longer reading of the same slot covers this one ("always answer in German")."""
    return (
        one.slot == other.slot
        and other.start <= one.start
        and one.end <= other.end
        and one.end - one.start < other.end - other.start
    )


def _anchored(text: str, clause: Clause, predicate: Predicate) -> Iterator[tuple[Family, int]]:
    """Families that may speak about the clause, each with the place where its pattern starts."""
    if clause.subject in {Subject.SELF, Subject.WE} and predicate.mode is not Mode.UNREAL:
        head = Head.BE if predicate.head == "be" else Head.VERB
        for family in _BY_HEAD[head]:
            if predicate.mode in family.modes and not (
                clause.subject is Subject.WE and family.slot in {"name", "age", "job_title"}
            ):
                yield family, predicate.start
    if clause.subject is Subject.MY:
        for family in _BY_HEAD[Head.MY]:
            yield family, clause.body
    # Requests stand at the start of the clause, before or after openers ("no", "please").
    for family in _BY_HEAD[Head.OPEN]:
        yield family, _first_word(text, clause)
    if predicate.mode is not Mode.UNREAL or clause.subject is not Subject.SELF:
        for family in _BY_HEAD[Head.ANY]:
            yield family, clause.start


def _first_word(text: str, clause: Clause) -> int:
    """Where the clause's own words begin: its subject if it has one, else its body."""
    at = clause.start + len(clause.openers)
    while at < clause.body and text[at] in ' ,.:*-"':
        at += 1
    return at


def _candidates(
    text: str,
    clause: Clause,
    predicate: Predicate,
    family: Family,
    *,
    match: re.Match[str],
    found: Found,
) -> Iterator[Candidate]:
    if has_mask(text, found):
        return
    value = family.shape(match, found.value) if family.shape else found.value
    value = " ".join(value.split())
    confidence = round(family.confidence * found.sure, 3)
    if confidence < MIN_CONFIDENCE or MASK in value or not value.strip():
        return
    if not SLOTS[family.slot].sensitive and private.PRIVATE_VALUE.search(value):
        return
    kind, denied = _kind(text, clause, predicate, family, found)
    trust = min(family.trust, IMPLIED) if clause.subject is Subject.WE else family.trust
    scope = _scope(text, clause, family.slot)
    if scope == "conversation":
        value = _FOR_NOW.sub("", _THIS_CHAT.sub("", value)).strip(" ,") or value
    yield Candidate(
        family.slot, value, confidence, trust, found.start, found.end, scope, kind, family.cue
    )
    if denied is not None and not has_mask(text, denied):
        yield Candidate(
            family.slot,
            denied.value,
            confidence,
            trust,
            denied.start,
            denied.end,
            scope,
            "denial",
            family.cue,
        )


def _kind(
    text: str, clause: Clause, predicate: Predicate, family: Family, found: Found
) -> tuple[Kind, Found | None]:
    """The kind of an assertion, and the value that it expressly takes back, if any."""
    mode = predicate.mode if clause.subject in {Subject.SELF, Subject.WE} else Mode.NOW
    kind: Kind = family.kind or _MODE_KIND.get(mode, "statement")
    if kind != "statement" or SLOTS[family.slot].many:
        return kind, None
    taken_back = _taken_back(text, family, found)
    if taken_back is not None or _CORRECTS.search(f"{clause.lead} {clause.openers}"):
        return "correction", taken_back
    adverbs = text[clause.body : predicate.start]
    if _CORRECTS.search(adverbs) and clause.subject is Subject.SELF:
        return "correction", None
    return ("transition" if predicate.changed else "statement"), None


def _taken_back(text: str, family: Family, found: Found) -> Found | None:
    """The "Google" of "I work at Microsoft, not Google"."""
    denial = _NOT_THAT.match(text, found.end)
    if not denial or SLOTS[family.slot].many:
        return None
    line_end = text.find("\n", denial.end())
    stop = min(len(text) if line_end < 0 else line_end, denial.end() + 80)
    values = family.read(text, denial.end(), stop)
    return values[0] if values else None


def _scope(text: str, clause: Clause, slot: str) -> Literal["profile", "conversation"]:
    words = text[clause.start : clause.end]
    if _THIS_CHAT.search(words) or (slot in _ADDRESSING and _FOR_NOW.search(words)):
        return "conversation"
    return "profile"


def _settle(found: Iterable[Candidate]) -> list[Candidate]:
    """Drop duplicates and keep one current value for every single-valued slot and scope."""
    best: dict[tuple[str, str, str], Candidate] = {}
    for candidate in found:
        if not 0 <= candidate.start <= candidate.end:
            continue
        current = "current" if candidate.kind in CURRENT else candidate.kind
        key = (candidate.slot, value_key(candidate.slot, candidate.value), current)
        held = best.get(key)
        if held is None or _weight(candidate) > _weight(held):
            best[key] = candidate
    single: dict[str, Candidate] = {}
    kept: list[Candidate] = []
    for candidate in best.values():
        if SLOTS[candidate.slot].many or candidate.kind not in CURRENT:
            kept.append(candidate)
        elif candidate.slot not in single or _supersedes(candidate, single[candidate.slot]):
            single[candidate.slot] = candidate
    return kept + list(single.values())


def _weight(candidate: Candidate) -> tuple[int, float, float]:
    return int(candidate.kind != "statement"), candidate.trust, candidate.confidence


def _supersedes(new: Candidate, old: Candidate) -> bool:
    """Later wins among changes; a change beats a statement; else trust, then the later one."""

    def rank(candidate: Candidate) -> tuple[bool, float, int]:
        changed = candidate.kind != "statement"
        return changed, 0.0 if changed else candidate.trust, candidate.start

    return rank(new) > rank(old)
