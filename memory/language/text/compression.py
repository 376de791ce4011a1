"""Shortening a text by whole sentences and clauses, and what must be kept.

No word is left out within a clause, as that could change the meaning.
"""

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

_FEWEST_WORDS, _NEARLY = 3, 0.8
"""Words that a sentence has at least, and how near to the best another must be to be taken too."""
_EDGES = "\"'“”‘’([{<>}]),;:.!?…*_`~ "
_NO_TITLE = "".join(rf"(?<!\b{title}\.)" for title in "St Dr Mr Mrs Ms Mt".split())
_SENTENCE = re.compile(rf"(?<=[.!?…]){_NO_TITLE}\s+|\n+")
_CLAUSE_END = re.compile(rf"(?<=[.!?…;,]){_NO_TITLE}\s")
_KEY = re.compile(
    r"“[^”]{2,60}”|\"[^\"]{2,60}\""
    r"|(?<![\w])[#@]?\w*\d[\w.,:/%-]*"
    r"|(?<!^)(?<![.!?…] )\b(?!I\b)[A-Z][\w'’-]+(?:\s+(?:of|de|the|&)?\s*[A-Z][\w'’-]+)*"
)
"""What every shortening names: names, numbers with their signs, quoted titles."""


def drop_clauses(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text without the clauses that overlap a span (start, end) or repeat its words."""
    spans = list(spans)
    words = {text[start:end].casefold() for start, end in spans} - {""}
    edges = [0, *(match.end() for match in _CLAUSE_END.finditer(text)), len(text)]
    kept = [
        text[first:after].strip()
        for first, after in pairwise(edges)
        if not any(first < end and start < after for start, end in spans)
        and not any(span_words in text[first:after].casefold() for span_words in words)
    ]
    return " ".join(kept).rstrip(",; ")


def truncate_at_clause(text: str, most: int) -> str:
    """Return a text of at most `most` characters, cut after a clause, else a word, with "…"."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    ends = [match.start() for match in _CLAUSE_END.finditer(head)] or [0]
    for end in (ends[-1], head.rfind(" ")):
        if end > most // 2:
            return head[:end].rstrip(" ,;.") + "…"
    return head + "…"


def key_spans(text: str, most: int = 8) -> tuple[str, ...]:
    """Return names, numbers and quoted titles in reading order, without duplicates."""
    spans = dict.fromkeys(match[0].strip(_EDGES)[:120] for match in _KEY.finditer(text))
    return tuple(span for span in list(spans)[:most] if span)


def missing(spans: Iterable[str], shorter: str) -> list[str]:
    """Return the key spans of which a shorter text lacks a word."""
    words = _bare_words(shorter)
    return [span for span in spans if not _bare_words(span) <= words]


def _bare_words(text: str) -> set[str]:
    return {word.strip(_EDGES).lower() for word in text.split()}


def split_lines_and_sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text."""
    return [sentence for sentence in _SENTENCE.split(text.strip()) if sentence.strip()]


def focus(text: str, fits: Callable[[str], float], most: int) -> str:
    """Return the best sentences of a text, in at most `most` characters.

    `fits` scores a sentence, 0 for no fit. If none fits, sentences with many names and numbers are
    chosen.
    """
    every = [sentence.strip() for sentence in split_lines_and_sentences(text)]
    whole = [sentence for sentence in every if len(sentence.split()) >= _FEWEST_WORDS]
    sentences = whole or every
    worth = [fits(sentence) + 0.02 * min(len(key_spans(sentence)), 5) for sentence in sentences]
    chosen: list[int] = []
    room = most
    for place in sorted(range(len(sentences)), key=lambda i: (-worth[i], -len(sentences[i]))):
        if chosen and (room <= 0 or worth[place] < _NEARLY * max(worth)):
            break
        chosen.append(place)
        room -= len(sentences[place]) + 1
    return truncate_at_clause(" ".join(sentences[place] for place in sorted(chosen)), most)
