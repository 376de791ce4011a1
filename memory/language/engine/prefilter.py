"""Which patterns can speak about a sentence at all: a quick look before the patterns are tried.

Nearly every pattern needs one of a few fixed strings ("like", "love", "ador..."). Three letters of
each are enough to pass over most patterns of a sentence without running their patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as codes  # type: ignore[attr-defined]  # the parser has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

SIZE = 3
_ENTERED = {codes.SUBPATTERN, codes.MAX_REPEAT, codes.MIN_REPEAT, codes.ASSERT, codes.ATOMIC_GROUP}


def needed(pattern: re.Pattern[str]) -> frozenset[str] | None:
    """Letters of which one group stands in every text the pattern matches; None if unknown."""
    return _of_sequence(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE | re.UNICODE))


def _of_sequence(items: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    found: list[frozenset[str]] = []
    run = ""
    for code, argument in items:
        if code is codes.LITERAL:
            run += chr(argument).lower()
            continue
        if len(run) >= SIZE:
            found.append(frozenset({run[:SIZE]}))
        run = ""
        inner = _of_item(code, argument)
        if inner:
            found.append(inner)
    if len(run) >= SIZE:
        found.append(frozenset({run[:SIZE]}))
    return min(found, key=len, default=None)


def _of_item(code: Any, argument: Any) -> frozenset[str] | None:
    if code is codes.BRANCH:
        return _of_branches(argument[1])
    if code not in _ENTERED:
        return None
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT} and argument[0] == 0:
        return None
    if code is codes.ASSERT and argument[0] < 0:
        return None  # what stands before may lie outside the sentence
    return _of_sequence(argument if code is codes.ATOMIC_GROUP else argument[-1])


def _of_branches(branches: Sequence[Any]) -> frozenset[str] | None:
    parts = [_of_sequence(branch) for branch in branches]
    if any(part is None for part in parts):
        return None
    return frozenset().union(*(part for part in parts if part))


class Index:
    """Patterns by number, and which of them a sentence may match."""

    def __init__(self, patterns: Sequence[re.Pattern[str]]) -> None:
        self._always = 0
        self._by_letters: dict[str, int] = {}
        for number, pattern in enumerate(patterns):
            letters = needed(pattern)
            if letters is None:
                self._always |= 1 << number
            for group in letters or ():
                self._by_letters[group] = self._by_letters.get(group, 0) | 1 << number

    def possible(self, text: str) -> int:
        """A bit for every pattern that may match somewhere in the text."""
        text = text.lower()
        result = self._always
        look = self._by_letters.get
        for group in {text[at : at + SIZE] for at in range(len(text) - SIZE + 1)}:
            result |= look(group, 0)
        return result
