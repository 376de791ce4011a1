"""Which patterns may speak about a clause, and from where on.

A pattern is a line of data: a slot, where it is anchored, and a reader for the value. Most speak of
what their subject is or does; some of what a sentence takes for granted, whatever it asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Self

from accounts.made_once import made_once
from memory.language.engine.clauses import Clause, Subject
from memory.language.engine.pattern import Anchor, Pattern
from memory.language.engine.predicates import Mode, Predicate
from memory.language.engine.prefilter import Index
from memory.language.patterns.likes import (
    activities,
    dislikes,
    favourites,
    food,
    habits,
    implied_likings,
    likings,
    media,
    reply_style,
)
from memory.language.patterns.person import household, identity, private, residence
from memory.language.patterns.work import (
    changes,
    departments,
    goals,
    skills,
    trades,
    work,
    workplaces,
)

PATTERNS: tuple[Pattern, ...] = (
    *private.PATTERNS,
    *identity.PATTERNS,
    *residence.PATTERNS,
    *work.PATTERNS,
    *workplaces.PATTERNS,
    *departments.PATTERNS,
    *trades.PATTERNS,
    *changes.PATTERNS,
    *goals.PATTERNS,
    *skills.PATTERNS,
    *household.PATTERNS,
    *favourites.PATTERNS,
    *likings.PATTERNS,
    *dislikes.PATTERNS,
    *implied_likings.PATTERNS,
    *food.PATTERNS,
    *reply_style.PATTERNS,
    *activities.PATTERNS,
    *habits.PATTERNS,
    *media.PATTERNS,
)
_BY_HEAD: dict[Anchor, tuple[tuple[int, Pattern], ...]] = {
    head: tuple((1 << n, pattern) for n, pattern in enumerate(PATTERNS) if head in pattern.heads)
    for head in Anchor
}

# "I was walking my dog" leaves the dog alive, "I used to walk my dog" does not.
_BYGONE = re.compile(
    r"\b(?:used? to|had|growing up|as a (?:kid|child|teen\w*)|when i was|years ago|back then|"
    r"back in|in high school|previously|formerly|worked|lived|owned)\b",
    re.IGNORECASE,
)


@made_once
def _index() -> Index:
    return Index([pattern.regex for pattern in PATTERNS])


Anchored = tuple[list[Pattern], int]
"""Patterns that may speak about a clause, and the place where they start."""


class ByAnchor(dict[Anchor, list[Pattern]]):
    """By head, the patterns that may match anywhere in a sentence; worked out when asked for."""

    def __init__(self, possible: int) -> None:
        super().__init__()
        self._possible = possible

    @classmethod
    def of(cls, sentence: str) -> Self:
        """Those that have a literal in the sentence."""
        return cls(_index().possible(sentence))

    def __missing__(self, head: Anchor) -> list[Pattern]:
        possible = self._possible
        found = self[head] = [pattern for bit, pattern in _BY_HEAD[head] if bit & possible]
        return found


def presupposed_patterns(
    text: str, clause: Clause, predicate: Predicate, able: ByAnchor
) -> Iterator[Anchored]:
    """Patterns for what a clause takes for granted, true or not: "when my dog barks"."""
    if predicate.mode is not Mode.PAST or not _BYGONE.search(text, clause.start, clause.end):
        yield able[Anchor.GIVEN], clause.start
    if clause.subject is Subject.SELF and predicate.mode is Mode.NOW:
        head = Anchor.BE if predicate.head == "be" else Anchor.VERB
        if _WHENEVER.search(text, max(0, clause.start - 12), clause.start):
            yield (
                [pattern for pattern in able[head] if pattern.cue in _HABITS],
                predicate.start,
            )


# "When I swim" tells that somebody swims; "when I win" tells nothing.
_WHENEVER = re.compile(r"\b(?:when|whenever|while|before|after)\s*$", re.IGNORECASE)
_HABITS = frozenset(
    {"interests.bare", "interests.go", "interests.makes", "interests.play", "likes.listen"}
)
_PRESUPPOSED = frozenset(
    {
        "pets.my", "pets.my_called", "pets.my_kind", "vehicle.my", "possessions.my",
        "home.my", "home.at_my_house",
        "likes.like_me", "likes.has_my_heart",
    }
)  # fmt: skip
"""What calls a thing one's own, and so has it, whatever is asked or wished about it."""


def presupposed(clause: Clause, able: ByAnchor) -> Iterator[Anchored]:
    """What is so even where a clause only asks or supposes: "would you ride in my jeep?"."""
    yield (
        [pattern for pattern in able[Anchor.GIVEN] if pattern.cue in _PRESUPPOSED],
        clause.start,
    )


def anchored(text: str, clause: Clause, predicate: Predicate, able: ByAnchor) -> Iterator[Anchored]:
    """Patterns that may speak about the clause, each with the place where its pattern starts."""
    if clause.subject in {Subject.SELF, Subject.WE}:
        ours = clause.subject is Subject.WE
        told = able[Anchor.BE if predicate.head == "be" else Anchor.VERB]
        yield (
            [
                pattern
                for pattern in told
                if predicate.mode in pattern.modes and not (ours and pattern.slot in _OF_ONE)
            ],
            predicate.start,
        )
    if clause.subject is Subject.MY:
        yield able[Anchor.MY], clause.body
    # Requests stand at the start of the clause, before or after openers ("no", "please").
    yield able[Anchor.OPEN], _first_word(text, clause)
    if predicate.mode is not Mode.UNREAL or clause.subject is not Subject.SELF:
        yield able[Anchor.ANY], clause.start
    yield from presupposed_patterns(text, clause, predicate, able)


# What nobody is together with others.
_OF_ONE = frozenset({"name", "age", "job_title"})


def _first_word(text: str, clause: Clause) -> int:
    """Where the clause's own words begin: its subject if it has one, else its body."""
    at = clause.start + len(clause.openers)
    while at < clause.body and text[at] in ' ,.:*-"':
        at += 1
    return at
