"""Frames that let a sentence hold in one conversation only: 'just for this chat: …'."""

import re

from memory.language.lazy_pattern import compile_lazily

_THIS = r"(?:this(?: (?:one|current|particular))?|our current|the (?:current|present))"
_TALK = r"(?:chat|talk|conversation|thread|session|discussion|dialogue|exchange)"
_IN_THIS = (
    r"(?:in|for|during|within|throughout|while in)"
    rf"(?: the (?:rest|duration|length|remainder) of)? {_THIS} {_TALK}"
)
_ONLY = r"(?:just|only|solely|purely|strictly|exclusively)"
_NO_FURTHER = r"(?: (?:only|alone|and nowhere else|and no other|and only (?:here|there)))?"
# "Here" and "for now" bound a sentence only where they stand apart from it.
_HERE = rf"(?:{_ONLY} (?:right )?here|here {_ONLY}|here and nowhere else|while we talk(?: here)?)"
_FOR_NOW = r"(?:(?:just |only )?(?:for now|for the moment|for today|today)[, ]+)?"
_FRAME = rf"{_FOR_NOW}(?:{_ONLY} )?{_IN_THIS}{_NO_FURTHER}"
_LONGEST = 100
_APART = r"[\s,;:(\u2013\u2014-]"

_BEFORE = compile_lazily(
    rf"\s*(?:(?:please|ok|okay|so|well|but|and|also|oh)\b[\s,]*)*"
    rf"(?:{_FRAME}\b|{_HERE}(?=\s*[,:\u2013\u2014-]))[\s,:\u2013\u2014-]*",
    re.IGNORECASE,
)
_AFTER = compile_lazily(
    rf"(?:(?<!\bnot){_APART}{{1,3}}(?:but |and )?{_FRAME}"
    rf"|[,;(\u2013\u2014-]\s?(?:but |and )?{_HERE})"
    r"(?:,? (?:please|ok|okay))?[\s)]*$",
    re.IGNORECASE,
)


def without(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a sentence begins and ends without the frames around it."""
    lead = _BEFORE.match(text, start, end)
    first = lead.end() if lead else start
    tail = _AFTER.search(text[max(first, end - _LONGEST) : end])
    return first, max(first, end - _LONGEST) + tail.start() if tail else end


def is_bare(text: str, start: int, end: int) -> bool:
    """Whether a sentence is nothing but a frame, for what was said before it."""
    first, last = without(text, start, end)
    return (first, last) != (start, end) and not text[first:last].strip(" .!\n")


def bounds(sentence: str) -> bool:
    """Whether a sentence says that it holds in this conversation only."""
    return without(sentence, 0, len(sentence)) != (0, len(sentence))
