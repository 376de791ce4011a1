"""The vocabulary of lessons: plain English without names.

A word that is not in the dictionary counts as a name. Of the dictionary's words, some are mainly
names (always refused), some are both (refused where a name would stand), and some are names only
together ("best buy").
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path

_WORDS = Path(__file__).with_name("words")
_COMPOUND = re.compile(r"[A-Za-z']+(?:-[A-Za-z']+)+")
_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
# The allowed words of one or two letters; with others a name could be spelled out.
_SHORT = frozenset("a ad ads am an as at be by do go if in is it no of on or so to up vs".split())
_ENDINGS = re.compile(r"(?:n't|'s|'re|'ll|'ve|s')$")
_NEGATED = {"ca": "can", "wo": "will", "sha": "shall"}
_LEADS_TO_NAMES = frozenset({"ask", "tell", "call", "email", "message", "contact", "near"})


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, in order; hyphenated ones are split."""
    return [token.lower() for token in _TOKEN.findall(text)]


def unknown(words: Sequence[str], terms: Collection[str]) -> Iterator[str]:
    """Yield the words that are neither plain English nor terms of the field."""
    for word in words:
        if word in terms or word in _list("abbreviations"):
            continue
        stem = _ENDINGS.sub("", word)
        stem = _NEGATED.get(stem, stem) if word.endswith("n't") else stem
        plain = stem in _SHORT if len(stem) < 3 else stem in _list("vocabulary")
        if not plain:
            yield word


def find_names(text: str, terms: Collection[str]) -> Iterator[str]:
    """Yield the words that are names, or seem to be names in this place."""
    yield from (word for word in tokens(text) if _is_in("names", word, terms))
    for compound in _COMPOUND.findall(text):
        if all(_is_in("ambiguous", part, terms) for part in tokens(compound)):
            yield compound
    # A part of a compound ("dine-in") is not where a name would stand.
    words = tokens(_COMPOUND.sub(lambda match: match[0].replace("-", ""), text))
    for position, word in enumerate(words):
        named = _is_in("ambiguous", word, terms) and _is_named(words, position)
        if named or (word not in terms and _stands_bare(words, position)):
            yield word
    yield from _together(tokens(text))


def _is_in(name: str, word: str, terms: Collection[str]) -> bool:
    stem = _ENDINGS.sub("", word)
    return word not in terms and stem not in terms and stem in _list(name)


def capitals(text: str, terms: Collection[str]) -> Iterator[str]:
    """Yield capitalised words within a sentence, except terms and common abbreviations."""
    for match in re.finditer(r"(?<=[\w,;)%'\"] )['\"(]?([A-Z][A-Za-z']*)", text):
        word = match[1]
        lower = word.lower()
        if (
            lower not in terms
            and lower not in _list("abbreviations")
            and word not in _list("calendar")
        ):
            yield word


def _is_named(words: Sequence[str], position: int) -> bool:
    """Return whether an ambiguous word stands where a name would."""
    before = words[position - 1] if position else ""
    after = words[position + 1] if position + 1 < len(words) else ""
    begins = not position and after in _list("after_a_name")
    within = before in _list("before_a_name") and (not after or after in _list("after_a_name"))
    return begins or within or words[position].endswith("'s")


def _stands_bare(words: Sequence[str], position: int) -> bool:
    """Return whether a word follows "ask" or "near" as only a name does: "ask manager to"."""
    if not position or words[position - 1] not in _LEADS_TO_NAMES:
        return False
    word = words[position]
    return not (word in _list("opens_a_phrase") or word.endswith(("s", "ly")))


def _together(words: Sequence[str]) -> Iterator[str]:
    padded = f" {' '.join(_ENDINGS.sub('', word) for word in words)} "
    for first in set(padded.split()):
        for phrase in _phrases().get(first, ()):
            if f" {phrase} " in padded:
                yield phrase


@cache
def _phrases() -> dict[str, list[str]]:
    """Return names made of several plain words, by their first word."""
    phrases: dict[str, list[str]] = {}
    for phrase in _list("phrases"):
        phrases.setdefault(phrase.split()[0], []).append(phrase)
    return phrases


@cache
def _list(name: str) -> frozenset[str]:
    return frozenset((_WORDS / f"{name}.txt").read_text(encoding="ascii").splitlines())
