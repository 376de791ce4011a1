"""Where sentences begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory.language.lazy_pattern import compile_lazily

# A long run of marks is looked at from its beginning only.
_SENTENCE_END = compile_lazily(
    r"(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bMt)(?<!\bFt)"
    r"(?<!\bProf)(?<!\bRev)(?<!\bCapt)(?<!\bSgt)"
    # "am 3. November", "nicht am 22., sondern": a day's number in German ends nothing.
    r"(?!(?:(?<=\b\d)|(?<=\b\d\d))\.(?:,| (?:Januar|Februar|März|April|Mai|Juni|Juli|August"
    r"|September|Oktober|November|Dezember)\b))"
    r"(?<![.!?]{2})[.!?]++(?=[\s\u2592)\"']|$)|[\n;\u2026]+|(?<=\s)[:;]-?[)D(](?=\s|"
    r"$)|(?<=[a-z]{3})[.!?]++(?=(?:i|i'm|im|my|we|you|it|but|and|[A-Z][a-z']*)\s)"
)
_MARK_OR_LINE = compile_lazily(r"[.!?](?=\s|$)|\n")


def find_sentence_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of sentences and the mark that ends each ("?", "." or "")."""
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        if mark.start() > start:
            yield start, mark.start(), mark[0]
        start = mark.end()
    if start < len(text):
        yield start, len(text), ""


def whole_sentences(spans: Iterable[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """Return sentences as [start, end) with the mark that ends each."""
    return [(start, end + len(mark.strip())) for start, end, mark in spans]


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence begins and ends, without its mark, in which `text[start:end]`
    stands.
    """
    first = max((mark.end() for mark in _MARK_OR_LINE.finditer(text, 0, start)), default=0)
    after = _MARK_OR_LINE.search(text, end)
    return first, after.start() if after else len(text)
