"""What the patterns read out of a clause: slot, value, kind, scope, and how far it is believed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal

from memory.language.engine import value_doubt
from memory.language.engine.clauses import Clause, Subject
from memory.language.engine.fact_candidates import Candidate, is_part_of
from memory.language.engine.masking import MASK
from memory.language.engine.pattern import IMPLIED, Anchor, Kind, Pattern
from memory.language.engine.predicates import Mode, Predicate
from memory.language.patterns.applicable import Anchored
from memory.language.patterns.person import private
from memory.language.values import normalization
from memory.language.values.readers import Found, has_mask
from memory.slots import SLOTS

MIN_CONFIDENCE = 0.5
"""Candidates below this are not returned."""

MAX_GIVEN = 4
"""Things taken for granted that are read from one clause."""

AHEAD = 60
"""Characters beyond its clause that a reading may look at."""


_THIS_CHAT = re.compile(
    r"\b(?:in|for|during) (?:this|the current|our) "
    r"(?:chat|talk|conversation|thread|session|discussion)\b",
    re.IGNORECASE,
)
# For a way of addressing somebody, "here" and "today" bound it too; for a job they do not.
_FOR_NOW = re.compile(
    r"\b(?:here|just for today|for today|only today|today|for now|this time|just this once)\b",
    re.IGNORECASE,
)
# "She/her here" says who is speaking, not where it holds.
_HERE_I_AM = re.compile(r"^\W*\w+(?:\s?/\s?\w+){1,2}\s+here\b")
_ADDRESSING = frozenset({"preferred_name", "preferences", "pronouns"})
_CORRECTS = re.compile(
    r"\b(?:actually|no|nope|correction|sorry|i meant|i mean|oops|wait|rather|my bad|instead)\b",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(
    r"\s*,?\s*(?:and\s+)?(?:not|rather than|instead of)\s+(?:at\s+|in\s+|for\s+|with\s+)?",
    re.IGNORECASE,
)
# "I used to study law": of schooling, which is read as lasting whatever its tense, only this and
# its like say that it is over.
_USED_TO = re.compile(
    r"(?:\b(?:i|we)\s+(?:\w+\s+)?|^\W*)used?\s+to\s+"
    r"(?:(?!and\b|but\b|when\b|while\b|so\b)[\w']+\s+){0,4}$",
    re.IGNORECASE,
)
_MODE_KIND: dict[Mode, Kind] = {Mode.NOW: "statement", Mode.PAST: "past", Mode.DENIED: "denial"}


def of_clause(
    text: str,
    clause: Clause,
    predicate: Predicate,
    end: int,
    speaking: Iterable[Anchored],
) -> list[Candidate]:
    """What the patterns that may speak find in a clause; ``end`` is that of its sentence.

    A private matter silences what is not private in its clause.
    """
    found: list[Candidate] = []
    here, ahead = clause.end, min(end, clause.end + AHEAD)
    for patterns, at in speaking:
        for pattern in patterns:
            for match in _matches(text, pattern, at, here, ahead):
                if pattern.check and not pattern.check(match):
                    continue
                stop = ahead if pattern.is_given else min(end, here)
                for value in pattern.read(text, match.end(), stop):
                    found.extend(
                        _candidates(text, clause, predicate, pattern, match=match, found=value)
                    )
    if any(SLOTS[candidate.slot].sensitive for candidate in found):
        found = [candidate for candidate in found if SLOTS[candidate.slot].sensitive]
    return [one for one in found if not any(is_part_of(one, other) for other in found)]


def _matches(
    text: str, pattern: Pattern, at: int, clause_end: int, ahead: int
) -> Iterable[re.Match[str]]:
    """Where a pattern stands: at its anchor, or at the first few places of a clause.

    What is taken for granted may look a little ahead: "the bank | I work at".
    """
    if pattern.is_given:
        found = pattern.regex.search(text, at, ahead)
        return () if found is None else _further(text, pattern, found, clause_end, ahead)
    if pattern.is_anywhere:
        found = pattern.regex.search(text, at, clause_end)
    else:
        found = pattern.regex.match(text, at, ahead if pattern.is_open else clause_end)
    return () if found is None else (found,)


def _further(
    text: str, pattern: Pattern, first: re.Match[str], clause_end: int, ahead: int
) -> Iterator[re.Match[str]]:
    """The first match and those after it that begin in the clause."""
    for match in islice(pattern.regex.finditer(text, first.start(), ahead), MAX_GIVEN):
        if match.start() >= clause_end:
            return
        yield match


# "So I guess I speak Greek" is half a joke.
_GUESSED = re.compile(r"\bi (?:guess|suppose)\s*$", re.IGNORECASE)


def _candidates(
    text: str,
    clause: Clause,
    predicate: Predicate,
    pattern: Pattern,
    *,
    match: re.Match[str],
    found: Found,
) -> Iterator[Candidate]:
    if has_mask(text, found):
        return
    value = pattern.shape(match, found.value) if pattern.shape else found.value
    slot = normalization.place_of(pattern.slot, " ".join(value.split()))
    if not SLOTS[slot].sensitive and private.PRIVATE_VALUE.search(value):
        return
    value = normalization.noted(slot, " ".join(value.split()))
    confidence = round(pattern.confidence * found.sure, 3)
    if confidence < MIN_CONFIDENCE or MASK in value or not value.strip():
        return
    kind, denied = _kind(text, clause, predicate, pattern, found)
    unsure = _is_unsure(text, clause, slot, found) or value_doubt.is_doubtful(pattern.slot, value)
    trust = min(pattern.trust, IMPLIED) if unsure else pattern.trust
    scope = scope_of(text, clause, slot)
    if scope == "conversation":
        value = _FOR_NOW.sub("", _THIS_CHAT.sub("", value)).strip(" ,") or value
    yield Candidate(
        slot, value, confidence, trust, found.start, found.end, scope, kind, pattern.cue
    )
    if denied is not None and not has_mask(text, denied):
        yield Candidate(
            pattern.slot,
            denied.value,
            confidence,
            trust,
            denied.start,
            denied.end,
            scope,
            "denial",
            pattern.cue,
        )


def _is_unsure(text: str, clause: Clause, slot: str, found: Found) -> bool:
    """Whether it was only implied or guessed, or names a place in small letters that no list knows,
    which may be none.
    """
    unknown = slot in {"location", "hometown"} and found.sure < 1
    guessed = _GUESSED.search(text, max(0, clause.start - 12), clause.start)
    return unknown or bool(guessed) or clause.implied or clause.subject is Subject.WE


def _kind(
    text: str, clause: Clause, predicate: Predicate, pattern: Pattern, found: Found
) -> tuple[Kind, Found | None]:
    """The kind of an assertion, and the value that it expressly takes back, if any."""
    own = clause.subject in {Subject.SELF, Subject.WE} and Anchor.GIVEN not in pattern.heads
    mode = predicate.mode if own else Mode.NOW
    kind: Kind = pattern.kind or _MODE_KIND.get(mode, "statement")
    if pattern.slot == "education" and _USED_TO.search(text[clause.start : found.start]):
        return "past", None
    if kind != "statement" or SLOTS[pattern.slot].many:
        return kind, None
    taken_back = _taken_back(text, pattern, found)
    if taken_back is not None or _CORRECTS.search(f"{clause.lead} {clause.openers}"):
        return "correction", taken_back
    adverbs = text[clause.body : predicate.start]
    if _CORRECTS.search(adverbs) and clause.subject is Subject.SELF:
        return "correction", None
    return ("transition" if predicate.changed else "statement"), None


def _taken_back(text: str, pattern: Pattern, found: Found) -> Found | None:
    """The "Google" of "I work at Microsoft, not Google"."""
    denial = _NOT_THAT.match(text, found.end)
    if not denial or SLOTS[pattern.slot].many:
        return None
    line_end = text.find("\n", denial.end())
    stop = min(len(text) if line_end < 0 else line_end, denial.end() + 80)
    values = pattern.read(text, denial.end(), stop)
    return values[0] if values else None


def scope_of(text: str, clause: Clause, slot: str) -> Literal["profile", "conversation"]:
    """Whether it holds everywhere, or in its conversation only."""
    words = _HERE_I_AM.sub("", text[clause.start : clause.end])
    if _THIS_CHAT.search(words) or (slot in _ADDRESSING and _FOR_NOW.search(words)):
        return "conversation"
    return "profile"
