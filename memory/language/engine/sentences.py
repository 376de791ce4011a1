"""Finding sentence boundaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory.language.lazy_pattern import compile_lazily

# Possessive quantifiers: a long run of punctuation is tried once.
_SENTENCE_END = compile_lazily(
    r"(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bMt)(?<!\bFt)"
    r"(?<!\bProf)(?<!\bRev)(?<!\bCapt)(?<!\bSgt)"
    # "am 3. November", "nicht am 22., sondern": a German ordinal does not end a sentence.
    r"(?!(?:(?<=\b\d)|(?<=\b\d\d))\.(?:,| (?:Januar|Februar|März|April|Mai|Juni|Juli|August"
    r"|September|Oktober|November|Dezember)\b))"
    r"(?<![.!?]{2})[.!?]++(?=[\s\u2592)\"']|$)|[\n;\u2026]+|(?<=\s)[:;]-?[)D(](?=\s|"
    r"$)|(?<=[a-z]{3})[.!?]++(?=(?:i|i'm|im|my|we|you|it|but|and|[A-Z][a-z']*)\s)"
)
_MARK_OR_LINE = compile_lazily(r"[.!?](?=\s|$)|\n")


def find_sentence_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each sentence as (start, end, ending punctuation); the punctuation may be ''."""
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        if mark.start() > start:
            yield start, mark.start(), mark[0]
        start = mark.end()
    if start < len(text):
        yield start, len(text), ""


def whole_sentences(spans: Iterable[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """Return sentences as [start, end), including the ending punctuation."""
    return [(start, end + len(mark.strip())) for start, end, mark in spans]


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of the sentence around `text[start:end]`, without ending punctuation."""
    first = max((mark.end() for mark in _MARK_OR_LINE.finditer(text, 0, start)), default=0)
    after = _MARK_OR_LINE.search(text, end)
    return first, after.start() if after else len(text)
