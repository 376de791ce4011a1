"""A masked text as words in one canonical spelling, each with its place in the text.

"I'm", "im" and "i m" are all "i am"; "don't", "dont" and "don t" are all "do not". So patterns and
value readers are written once, for the canonical words, and values are cut out of the text itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from memory.language.engine.masking import MASK_CHARACTER
from memory.language.lexicons import load_lexicon

_TOKEN = re.compile(
    rf"[^\W_](?:[\w'&+#/-]|\.(?=\w))*\+*|&|#\w+|[^\s{MASK_CHARACTER}]|{MASK_CHARACTER}+"
)

_CONTRACTIONS = {
    short: tuple(full.split())
    for short, _, full in (pair.partition("=") for pair in load_lexicon("contractions"))
}
_SPELLINGS = {
    "u": "you", "ur": "your", "luv": "love", "lov": "love", "cause": "because", "'cause": "because",
    "cuz": "because", "cos": "because", "coz": "because", "n": "and", "+": "and", "color": "colour",
    "colors": "colours", "favorite": "favourite", "fav": "favourite", "fave": "favourite",
    "favourites": "favourite", "favorites": "favourite", "favs": "favourite", "faves": "favourite",
    "favorit": "favourite", "realy": "really", "rly": "really", "alot": "lots", "hobbie": "hobby",
    "ya": "you", "mom": "mum", "theatre": "theater", "w": "with", "’m": "am", "'m": "am",
}  # fmt: skip
_SPLIT = {"m": "am", "s": "is", "t": "not", "ve": "have", "re": "are", "d": "would", "ll": "will"}
_BEFORE_SPLIT = {
    "m": {"i"},
    "s": set("it that he she what who there name where how here".split()),
    "t": set("don doesn didn isn aren wasn won can couldn wouldn shouldn haven hasn ain".split()),
    "ve": {"i", "we", "they", "you"},
    "re": {"we", "they", "you"},
    "d": {"i", "we", "they", "you", "he", "she"},
    "ll": {"i", "we", "they", "you", "he", "she", "it"},
}
_CUT_N = {"don": "do", "doesn": "does", "didn": "did", "isn": "is", "aren": "are", "wasn": "was",
          "won": "will", "couldn": "could", "wouldn": "would", "shouldn": "should",
          "haven": "have", "hasn": "has", "ain": "am"}  # fmt: skip


@dataclass(frozen=True)
class Tokens:
    """The canonical words of ``text[start:end]``; ``spans[n]`` is where word n stands in it."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    topic: object = field(default=None, compare=False)

    @classmethod
    def of(cls, text: str, start: int, end: int, topic: object = None) -> Tokens:
        """Tokenise a stretch of a masked text, in time linear in its length."""
        pairs = list(_canonical(text, start, end))
        return cls(text, tuple(word for word, _ in pairs), tuple(at for _, at in pairs), topic)

    @cached_property
    def line(self) -> str:
        """All words, each followed by one blank: what patterns are matched against."""
        return "".join(f"{word} " for word in self.words)

    @cached_property
    def _offsets(self) -> list[int]:
        offsets, index = [], 0
        for word in self.words:
            offsets.append(index)
            index += len(word) + 1
        return [*offsets, index]

    def offset(self, position: int) -> int:
        """Where word ``position`` begins in :attr:`line`."""
        return self._offsets[position]

    def position(self, offset: int) -> int:
        """The word that begins at ``offset`` of :attr:`line`, or the first after it."""
        return bisect_left(self._offsets, offset)

    def first_at(self, character: int) -> int:
        """The first word that begins at or after a character of the text."""
        return bisect_left([start for start, _ in self.spans], character)

    def said(self, first: int, stop: int) -> str:
        """The words ``first`` to ``stop`` (exclusive) as they stand in the text."""
        if first >= stop:
            return ""
        return " ".join(self.text[self.spans[first][0] : self.spans[stop - 1][1]].split())

    def span(self, first: int, stop: int) -> tuple[int, int]:
        """Where these words stand in the text."""
        return self.spans[first][0], self.spans[stop - 1][1]

    def is_capital(self, position: int) -> bool:
        """Whether a word is written with a capital."""
        return self.text[self.spans[position][0]].isupper()


def _canonical(text: str, start: int, end: int) -> Iterator[tuple[str, tuple[int, int]]]:
    before = ""
    pending: tuple[str, tuple[int, int]] | None = None
    for match in _TOKEN.finditer(text, start, end):
        word, span = match[0].lower(), match.span()
        if word in _SPLIT and before in _BEFORE_SPLIT[word]:
            if pending and word == "t":
                pending = (_CUT_N.get(before, before), pending[1])
            if pending:
                yield pending
            pending = (_SPLIT[word], span)
            before = _SPLIT[word]
            continue
        if pending:
            yield pending
            pending = None
        before = word
        if word in _CONTRACTIONS:
            first, *rest = _CONTRACTIONS[word]
            cut = min(span[0] + len(first), span[1] - 1)
            yield first, (span[0], cut)
            for more in rest:
                yield more, (cut, span[1])
            before = ""
            continue
        pending = (_SPELLINGS.get(word, word), span)
    if pending:
        yield pending
