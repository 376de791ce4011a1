"""Snippets of messages: the matching part with its matches marked. Pure functions. The results are
plain text in parts; the caller escapes and marks them.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.language.text.terms import LONGEST_WORD, find_related_stems, stem_id
from memory.retrieval.passage_candidates import STAND_INS, WORDS_ENOUGH

MOST = 240
# How much of a snippet precedes its first match.
_BEFORE = 60
# A letter followed by accents as separate characters.
_LETTER = r"[^\W_][\u0300-\u036f]*"
_WORD = re.compile(rf"(?:{_LETTER})+(?:['’](?:{_LETTER})+)*")
_POSSESSIVE = re.compile("['’]s$", re.IGNORECASE)


@dataclass(frozen=True)
class SnippetPart:
    """A piece of text, and whether it matches."""

    text: str
    found: bool = False


@dataclass(frozen=True)
class Snippet:
    """Pieces in order; `dots` say that there is more text before or after."""

    pieces: tuple[SnippetPart, ...]

    @property
    def text(self) -> str:
        """The text of the snippet."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def marks(self) -> list[tuple[int, int]]:
        """The [start, end) of the matches in `text`."""
        spans, index = [], 0
        for piece in self.pieces:
            if piece.found:
                spans.append((index, index + len(piece.text)))
            index += len(piece.text)
        return spans


@dataclass(frozen=True)
class SearchTerms:
    """The terms to match: words by the ids of their stems, and exact phrases. A word with an accent
    has two ids. `kin` are words that can replace another.
    """

    words: tuple[frozenset[int], ...] = ()
    kin: frozenset[int] = frozenset()
    phrases: tuple["re.Pattern[str]", ...] = ()

    @classmethod
    def of(cls, words: Sequence[str], phrases: Sequence[str] = ()) -> "SearchTerms":
        """Return the terms of a query: its content words and quoted phrases."""
        near = words if len(words) <= WORDS_ENOUGH else ()
        return cls(
            words=tuple(frozenset(_numbers(word)) for word in words),
            kin=frozenset(n for word in near for n, _ in find_related_stems(word)[:STAND_INS]),
            phrases=tuple(re.compile(_pattern(phrase), re.IGNORECASE) for phrase in phrases),
        )

    def all_in(self, text: str) -> bool:
        """Return whether the text has every word and phrase of these terms."""
        held = {number for match in _WORD.finditer(text) for number in _numbers(match[0])}
        return all(held & word for word in self.words) and all(
            phrase.search(text) for phrase in self.phrases
        )

    def places(self, text: str) -> list[tuple[int, int]]:
        """Return the [start, end) of the terms, in order, without overlap or a possessive 's."""
        wanted = self.kin.union(*self.words)
        spans = [
            (match.start(), match.start() + len(_POSSESSIVE.sub("", match[0])))
            for match in _WORD.finditer(text)
            if wanted.intersection(_numbers(match[0]))
        ]
        spans += [match.span() for pattern in self.phrases for match in pattern.finditer(text)]
        return _joined(spans)


def _pattern(phrase: str) -> str:
    """Return a phrase as a Python regular expression: whole words, any space between them."""
    words = [re.sub("['’]", "['’]", re.escape(word)) for word in phrase.split()]
    before = r"(?<!\w)" if re.match(r"\w", phrase) else ""
    after = r"(?!\w)" if re.search(r"\w$", phrase) else ""
    return before + r"\s+".join(words) + after


def snippet(text: str, sign: SearchTerms) -> Snippet:
    """Return the part of a plain text with most of the search terms, as a snippet of one line."""
    line = " ".join(text.split())
    places = sign.places(line)
    start, end = _window(line, places)
    pieces = [SnippetPart("… ")] if start else []
    index = start
    for first, last in places:
        if first < start or last > end:
            continue
        pieces += [SnippetPart(line[index:first]), SnippetPart(line[first:last], found=True)]
        index = last
    pieces += [SnippetPart(line[index:end]), *([SnippetPart(" …")] if end < len(line) else [])]
    return Snippet(tuple(piece for piece in pieces if piece.text))


def _window(line: str, places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the start and end of the snippet in a line, extended to whole words."""
    if len(line) <= MOST:
        return 0, len(line)
    best, most = 0, 0
    for first, _ in places:
        inside = {
            line[a:b].lower() for a, b in places if first <= a and b <= first + MOST - _BEFORE
        }
        if len(inside) > most:
            best, most = first, len(inside)
    start = max(0, min(best - _BEFORE, len(line) - MOST))
    if start:
        space = line.find(" ", start, best)
        start = space + 1 if space >= 0 else start
    end = min(len(line), start + MOST)
    if end < len(line):
        held = max((b for a, b in places if a < end), default=0)
        space = line.rfind(" ", max(held, start + 1), end + 1)
        end = space if space > start else max(end, min(held, end + MOST))
    return start, end


def _joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _numbers(word: str) -> tuple[int, ...]:
    """Return the stem ids of a word, with and without its accents ('Zurich' also means
    'Zürich').
    """
    whole = unicodedata.normalize("NFC", word.lower().replace("’", "'")).removesuffix("'s")
    bare = "".join(c for c in unicodedata.normalize("NFD", whole) if not unicodedata.combining(c))
    whole, bare = whole[:LONGEST_WORD], bare[:LONGEST_WORD]
    return (stem_id(whole),) if whole == bare else (stem_id(whole), stem_id(bare))
