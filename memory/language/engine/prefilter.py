"""Which patterns can speak about a sentence at all: a quick look before the patterns are tried.

Nearly every pattern needs one of a few fixed strings ("like", "love", "ador..."). Three letters of
each are enough to pass over most patterns of a sentence without running their patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from re import _constants as codes  # type: ignore[attr-defined]  # the parser has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

SIZE = 3
_ENTERED = {codes.SUBPATTERN, codes.MAX_REPEAT, codes.MIN_REPEAT, codes.ASSERT, codes.ATOMIC_GROUP}


Letters = frozenset[str] | None
"""Groups of letters of which one stands in every text that is matched; None if unknown."""


def needed(pattern: str, named: Mapping[str, Letters]) -> Letters:
    """The letters that a pattern needs; ``named`` are those of what single characters stand for."""
    return _of_sequence(parser.parse(pattern), named)


def _of_sequence(items: Iterable[tuple[Any, Any]], named: Mapping[str, Letters]) -> Letters:
    found: list[frozenset[str]] = []
    run = ""
    for code, argument in items:
        if code is codes.LITERAL and chr(argument) not in named:
            run += chr(argument).lower()
            continue
        if len(run) >= SIZE:
            found.append(frozenset({run[:SIZE]}))
        run = ""
        inner = _of_item(code, argument, named)
        if inner:
            found.append(inner)
    if len(run) >= SIZE:
        found.append(frozenset({run[:SIZE]}))
    return min(found, key=len, default=None)


def _of_item(code: Any, argument: Any, named: Mapping[str, Letters]) -> Letters:
    if code is codes.LITERAL:
        return named[chr(argument)]
    if code is codes.BRANCH:
        return _of_branches(argument[1], named)
    if code not in _ENTERED:
        return None
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT} and argument[0] == 0:
        return None
    if code is codes.ASSERT and argument[0] < 0:
        return None  # what stands before may lie outside the sentence
    return _of_sequence(argument if code is codes.ATOMIC_GROUP else argument[-1], named)


def _of_branches(branches: Sequence[Any], named: Mapping[str, Letters]) -> Letters:
    parts = [_of_sequence(branch, named) for branch in branches]
    if any(part is None for part in parts):
        return None
    return frozenset().union(*(part for part in parts if part))


class Index:
    """Patterns by number, and which of them a sentence may match by the letters that it needs."""

    def __init__(self, needs: Sequence[Letters]) -> None:
        self._always = 0
        self._by_letters: dict[str, int] = {}
        for number, letters in enumerate(needs):
            if letters is None:
                self._always |= 1 << number
            for group in letters or ():
                self._by_letters[group] = self._by_letters.get(group, 0) | 1 << number

    def possible(self, text: str) -> int:
        """A bit for every pattern that may match somewhere in the text."""
        text = text.lower()
        result = self._always
        look = self._by_letters.get
        for group in {text[index : index + SIZE] for index in range(len(text) - SIZE + 1)}:
            result |= look(group, 0)
        return result
