"""Trying a pattern on the words of a clause: the values that it finds there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.language.grammar.pattern import Pattern, Place
from memory.language.grammar.tokens import Tokens
from memory.language.readers.phrases import Value
from memory.language.readers.registry import READERS

REACH = 60
"""Words that a value, or a list of values, may take up together."""
MAX_MATCHES = 4
"""Times that one pattern may speak in one clause."""


@dataclass(frozen=True)
class Match:
    """What a pattern found: each value with its place, and the named groups of its words."""

    values: tuple[tuple[Place, Value], ...]
    groups: dict[str, str]
    first: int


def find(
    pattern: Pattern, tokens: Tokens, index: int, stop: int, *, anywhere: bool
) -> Iterator[Match]:
    """The matches of a pattern at word ``index``, or anywhere from there to ``stop``."""
    if not pattern.parts[0].pattern and pattern.parts[1].pattern:
        yield from _after_a_value(pattern, tokens, index, stop)
        return
    low, high = tokens.offset(index), tokens.offset(stop)
    if not anywhere:
        match = pattern.parts[0].match(tokens.line, low, high)
        starts: Iterator[re.Match[str]] = iter((match,) if match else ())
    else:
        starts = pattern.parts[0].finditer(tokens.line, low, high)
    count = 0
    for match in starts:
        first = tokens.position(match.end())
        if pattern.unless and pattern.unless.match(tokens.line, match.end()):
            continue
        values = [] if not pattern.places else _match_places(pattern, 0, tokens, first, stop)
        if pattern.places and not values:
            continue
        groups = _groups(match, tokens)
        yield _with_group(
            Match(tuple(values), groups, tokens.position(match.start())), match, pattern, tokens
        )
        count += 1
        if count == MAX_MATCHES:
            return


def _groups(match: re.Match[str], tokens: Tokens) -> dict[str, str]:
    """The named groups of the words, as they stand in the text."""
    return {
        name: tokens.said(tokens.position(match.start(name)), tokens.position(match.end(name)))
        for name, text in match.groupdict().items()
        if text
    }


def _with_group(match: Match, found: re.Match[str], pattern: Pattern, tokens: Tokens) -> Match:
    """A match whose value is a group of the pattern itself: "(?P<value>vegan)"."""
    if "value" not in match.groups:
        return match
    first, stop = tokens.position(found.start("value")), tokens.position(found.end("value"))
    value = Value(first, stop, tokens.said(first, stop))
    place = Place(pattern.slot, "", None)
    return Match(((place, value), *match.values), match.groups, match.first)


def _after_a_value(pattern: Pattern, tokens: Tokens, index: int, stop: int) -> Iterator[Match]:
    """Matches of a pattern that begins with a value: "@things is my favourite"."""
    words = pattern.parts[1]
    for match in words.finditer(tokens.line, tokens.offset(index), tokens.offset(stop)):
        end = tokens.position(match.start())
        values = _ending_at(pattern.places[0].reader, tokens, index, end)
        if not values:
            continue
        following = _match_places(pattern, 1, tokens, tokens.position(match.end()), stop)
        if len(pattern.places) > 1 and not following:
            continue
        groups = _groups(match, tokens)
        taken = tuple((pattern.places[0], value) for value in values)
        yield Match((*taken, *following), groups, values[0].first)
        return


# Words after which no value begins: "the | song", "my | wife".
_LEADS_ON = frozenset(
    "of the my our to a an his her their your this these those such another".split()
)
MAX_WORDS = 8
"""Words of a value, or list of values, that stands before the words of its pattern."""


def _ending_at(reader: str, tokens: Tokens, index: int, stop: int) -> list[Value]:
    """The values that end exactly where the words after them begin."""
    for first in range(max(index, stop - MAX_WORDS), stop):
        if first > index and tokens.words[first - 1] in _LEADS_ON:
            continue
        if first == 1 and tokens.words[0] == "that":
            continue  # "That book is my favourite", and not "he says that chess is"
        values = READERS[reader](tokens, first, stop)
        if values and values[-1].stop == stop:
            return values
    return []


def _match_places(
    pattern: Pattern, number: int, tokens: Tokens, index: int, stop: int
) -> list[tuple[Place, Value]]:
    """The values of all places from ``number`` on, or none if one of them is not filled."""
    if number >= len(pattern.places):
        return []
    place, words = pattern.places[number], pattern.parts[number + 1]
    read = READERS[place.reader]
    if index >= stop and not place.reader.startswith(("topic", "colour")):
        return []
    stop = min(stop, index + REACH)
    if not words.pattern:
        return [(place, value) for value in read(tokens, index, stop)]
    for match in words.finditer(tokens.line, tokens.offset(index), tokens.offset(stop)):
        end = tokens.position(match.start())
        values = read(tokens, index, end)
        if not values or values[-1].stop != end:
            continue
        taken = [(place, value) for value in values]
        if number + 1 == len(pattern.places):
            return taken
        following = _match_places(pattern, number + 1, tokens, tokens.position(match.end()), stop)
        if following:
            return taken + following
    return []
