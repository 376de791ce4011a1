"""The facts that one clause states: which patterns may speak about it, and what they come to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory.language.engine.clause_guards import Verdict
from memory.language.engine.clauses import Subject
from memory.language.engine.fact_candidates import CURRENT_KINDS, FactCandidate, is_part_of
from memory.language.engine.masking import MASK_CHARACTER
from memory.language.engine.predicates import Mode
from memory.language.engine.prefilter import Index
from memory.language.grammar import assertion
from memory.language.grammar.assertion import AssertedClause, Polarity
from memory.language.grammar.matcher import Match, find
from memory.language.grammar.pattern import (
    IMPLIED_TRUST,
    Anchor,
    Pattern,
    Place,
    read_patterns,
    shared_parts,
)
from memory.language.lexicons import lexicon
from memory.language.readers.phrases import Value
from memory.language.readers.registry import READERS
from memory.language.values import normalization, value_doubt
from memory.slots import SLOTS

MIN_CONFIDENCE = 0.5
"""Candidates below this are not returned."""


# --- Which patterns may speak ---------------------------------------------------------------------


@lru_cache(maxsize=1)
def patterns() -> tuple[Pattern, ...]:
    """All patterns, read once."""
    return read_patterns()


@lru_cache(maxsize=1)
def _by_anchor() -> dict[Anchor, tuple[Pattern, ...]]:
    return {
        anchor: tuple(pattern for pattern in patterns() if anchor in pattern.anchors)
        for anchor in Anchor
    }


@lru_cache(maxsize=1)
def _index() -> tuple[Index, dict[str, int]]:
    """Which patterns a text can match at all, by the letters that their words need."""
    needs = [pattern.letters for pattern in patterns()]
    return Index(needs), {pattern.name: 1 << number for number, pattern in enumerate(patterns())}


def possible(line: str) -> frozenset[str]:
    """The names of the patterns that may match somewhere in the words of a sentence."""
    index, bits = _index()
    mask = index.possible(line)
    return frozenset(name for name, bit in bits.items() if bit & mask)


def clause_facts(clause: AssertedClause) -> list[FactCandidate]:
    """The facts of a clause; a private matter silences what is not private in it."""
    found = [
        candidate
        for anchor, index in _anchors(clause)
        for pattern in _by_anchor()[anchor]
        if pattern.name in clause.able and _may_speak(pattern, clause, anchor)
        for candidate in _candidates_at(pattern, clause, index, anchor)
    ]
    if any(SLOTS[candidate.slot].sensitive for candidate in found):
        found = [candidate for candidate in found if SLOTS[candidate.slot].sensitive]
    return [
        candidate for candidate in found if not any(is_part_of(candidate, other) for other in found)
    ]


def _anchors(clause: AssertedClause) -> Iterator[tuple[Anchor, int]]:
    """Where patterns are tried in a clause, each with the word to begin at."""
    if clause.is_clear and clause.own:
        index = clause.said.first_at(clause.predicate.start)
        yield Anchor.I, index
        if clause.predicate.head == "be":
            yield Anchor.I_AM, index
    if clause.is_clear and clause.clause.subject is Subject.MY:
        yield Anchor.MY, clause.said.first_at(clause.clause.body)
    if clause.is_clear:
        yield Anchor.CLAUSE, _first_word(clause)
    if clause.is_clear and not (clause.own and clause.predicate.mode is Mode.UNREAL):
        yield Anchor.ANYWHERE, clause.first
    yield Anchor.GIVEN, clause.first


def _first_word(clause: AssertedClause) -> int:
    """Where the clause's own words begin: its subject if it has one, else its body."""
    index = clause.said.first_at(clause.clause.start + len(clause.clause.openers))
    while index < clause.stop and clause.said.words[index] in {",", ".", ":", "*", "-", '"'}:
        index += 1
    return index


# What nobody is together with others.
_OF_ONE = frozenset({"name", "age", "job_title"})


def _may_speak(pattern: Pattern, clause: AssertedClause, anchor: Anchor) -> bool:
    """Whether a pattern may speak about a clause that asserts what this one does."""
    mode = clause.predicate.mode
    if anchor in {Anchor.I, Anchor.I_AM}:
        of_several = clause.clause.subject is Subject.WE and pattern.slot in _OF_ONE
        denied = mode is Mode.DENIED and bool(pattern.negated)
        return (mode in pattern.modes or denied) and not of_several
    if anchor is Anchor.GIVEN and not (clause.is_clear or clause.verdict is Verdict.SUBORDINATE):
        return pattern.asked and not clause.make_believe and assertion.may_notice(pattern, clause)
    if anchor in {Anchor.GIVEN, Anchor.ANYWHERE}:
        return assertion.may_notice(pattern, clause)
    return True


# --- What they find -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Reading:
    """One match of one pattern in one clause, and how it holds."""

    pattern: Pattern
    stated: AssertedClause
    match: Match
    polarity: Polarity


def _candidates_at(
    pattern: Pattern, clause: AssertedClause, index: int, anchor: Anchor
) -> Iterator[FactCandidate]:
    """The candidates of one pattern at one anchor."""
    anywhere = anchor in {Anchor.ANYWHERE, Anchor.GIVEN}
    stop = clause.far if anywhere else clause.stop
    for match in find(pattern, clause.said, index, stop, anywhere=anywhere):
        if match.first >= clause.stop:
            return
        if _is_of_another(pattern, clause, match, anywhere=anywhere):
            continue
        polarity = assertion.polarity(pattern, clause, anchor)
        if polarity is not None:
            reading = _Reading(pattern, clause, match, polarity)
            if match.values and assertion.is_reaction(pattern, clause, match.values[0][1].first):
                continue
            for place, value in match.values:
                yield from _candidates(reading, place, value)


def _is_of_another(
    pattern: Pattern, clause: AssertedClause, match: Match, *, anywhere: bool
) -> bool:
    """Whether a match speaks of somebody else, or of another time."""
    if pattern.slot == "career_goal" and assertion.was_wished_once(clause):
        return True
    here = "here" in clause.said.words[match.first : match.first + 2]
    if not anywhere or here or pattern.slot == "family":
        return False
    after = max((value.stop for _, value in match.values), default=0)
    return (
        assertion.is_anothers(clause, match.first)
        or assertion.is_of_others(pattern, clause, match.first)
        or assertion.is_of_then(pattern, clause, after)
    )


def _candidates(reading: _Reading, place: Place, value: Value) -> Iterator[FactCandidate]:
    """What one value of a match comes to: nothing, a fact, or one and another taken back."""
    clause, pattern = reading.stated, reading.pattern
    start, end = value.span or clause.said.span(value.first, value.stop)
    former = None if SLOTS[place.slot].many else _FORMER.match(value.text)
    told = value.text[former.end() :] if former else value.text
    text = _written(pattern.note, told, reading.match)
    slot = normalization.place_of(reading.polarity.slot or place.slot, " ".join(text.split()))
    noted = normalization.normalized_value(slot, " ".join(text.split()))
    confidence = round(pattern.confidence * value.sure, 3)
    hidden = MASK_CHARACTER in clause.text[start:end] or (
        not SLOTS[slot].sensitive and _private_value().search(text)
    )
    if hidden or confidence < MIN_CONFIDENCE or not noted.strip():
        return
    kind = place.kind or reading.polarity.kind or assertion.kind_of(pattern, clause, place.slot)
    kind = "past" if former and kind in CURRENT_KINDS else kind
    scope = assertion.scope_of(clause, slot)
    if scope == "conversation":
        bare = assertion.FOR_NOW.sub("", assertion.THIS_CHAT.sub("", noted)).strip(" ,")
        noted = bare or noted
    unknown = slot in {"location", "hometown"} and value.sure < 1
    unsure = unknown or assertion.is_guessed(clause) or value_doubt.is_doubtful(slot, noted)
    trust = min(pattern.trust, IMPLIED_TRUST) if unsure else pattern.trust
    back = _taken_back(clause, place, value) if kind == "statement" else None
    kind = "correction" if back else kind
    yield FactCandidate(slot, noted, confidence, trust, start, end, scope, kind, pattern.name)
    if kind == "denial":
        yield from _said_instead(reading, place, value)
    if back:
        yield FactCandidate(
            slot, back.text, confidence, trust, *clause.said.span(back.first, back.stop), scope,
            "denial", pattern.name,
        )  # fmt: skip


# What says of a trade or a firm that it is one's own no longer.
_FORMER = re.compile(r"(?:(?:former|ex|retired|previous|one-time)\b[ -]?)+(?=\w)", re.IGNORECASE)
_NOT_THAT = re.compile(r"(?:, )?(?:and )?(?:not|rather than|instead of) (?:(?:at|in|for|with) )?")


def _taken_back(clause: AssertedClause, place: Place, value: Value) -> Value | None:
    """The "Google" of "I work at Microsoft, not Google"."""
    tokens = clause.said
    if SLOTS[place.slot].many or not place.reader or value.span:
        return None
    denial = _NOT_THAT.match(tokens.line, tokens.offset(value.stop))
    if denial is None:
        return None
    first = tokens.position(denial.end())
    values = (
        READERS[place.reader](tokens, first, len(tokens.words)) if first < len(tokens.words) else []
    )
    return values[0] if values else None


_BUT_THIS = re.compile(r"(?:, )?but (?:rather |actually |now )?(?:(?:at|in|for|with) )?")


def _said_instead(reading: _Reading, place: Place, value: Value) -> Iterator[FactCandidate]:
    """The "Hamburg" of "I don't live in Kiel but in Hamburg"."""
    tokens, pattern = reading.stated.said, reading.pattern
    more = _BUT_THIS.match(tokens.line, tokens.offset(value.stop)) if place.reader else None
    first = tokens.position(more.end()) if more else len(tokens.words)
    if SLOTS[place.slot].many or value.span or first >= len(tokens.words):
        return
    for right in READERS[place.reader](tokens, first, len(tokens.words))[:1]:
        span = tokens.span(right.first, right.stop)
        yield FactCandidate(
            place.slot, normalization.normalized_value(place.slot, right.text), pattern.confidence,
            pattern.trust, *span, "profile", "correction", pattern.name,
        )  # fmt: skip


@lru_cache(maxsize=1)
def _private_value() -> re.Pattern[str]:
    """What makes a value private whichever pattern read it: an illness, a therapist."""
    parts = shared_parts("private")
    return re.compile(
        rf"\b(?:{parts['mind']}|{parts['body']}|(?<!physical )(?<!massage )(?<!speech )therapist|"
        r"psychiatrist|antidepressants)\b",
        re.IGNORECASE,
    )


def _written(note: str, value: str, match: Match) -> str:
    """How a value is noted; the value alone where a group that the note names is not there."""
    groups = {name: text for name, text in match.groups.items() if name != "value"}
    if groups.get("kind", "").lower() in _NO_KIND:
        return value
    if "kind" in groups:
        groups["kind"] = _singular(groups["kind"])
    try:
        return note.format(value=value, **groups) if note else value
    except KeyError:
        return value


# What a favourite may be of without saying more than that it is liked.
_NO_KIND = lexicon.word_set("thing things time times part on one ones hobbies hobby to of")


def _singular(kind: str) -> str:
    if kind.endswith("ies") and kind not in {"movies", "series"}:
        return f"{kind[:-3]}y"
    plural = kind.endswith("s") and not kind.endswith(("ss", "us", "series"))
    return kind[:-1] if plural else kind
