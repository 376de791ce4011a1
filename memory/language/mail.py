"""Finding e-mails in a text, also if they begin within a line.

E-mails are recognised by form alone: a chain of headers, an address after a header, the line above
a forwarded or answered e-mail. A single word with a colon ("From: Monday I work") is not an e-mail.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest

from memory.language.safety.pattern_file import PatternFile

Stretch = tuple[int, int]

_PATTERNS = PatternFile("foreign_text.toml")


def compiled(name: str) -> re.Pattern[str]:
    """Return a pattern of foreign_text.toml, ignoring case and matching at every line."""
    return _PATTERNS.compiled(name, re.IGNORECASE | re.MULTILINE)


def line_end(text: str, position: int) -> int:
    """Return the end of the line that contains a position."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


_HEADER, _TO_AN_ADDRESS = compiled("header"), compiled("to_an_address")
_SEPARATOR, _REPLY = compiled("separator"), compiled("reply")
_DEAR, _YOURS = compiled("dear"), compiled("yours")
_AT_A_LINE = re.compile(r"(?:\A|\n)[ \t*]*\Z")
# The most characters between a header and the next one of the same e-mail.
_LONGEST_VALUE = 120

_QUOTED = re.compile(r"[ \t]*>")
_FEWEST_WORDS = 3


def stretches(text: str) -> Iterator[Stretch]:
    """Yield each e-mail as [start, end).

    It ends with the text or, if its body is quoted line by line, with the last quoted line.
    """
    position = 0
    lines = (match.span() for sign in (_SEPARATOR, _REPLY) for match in sign.finditer(text))
    for start, end in sorted([*_chains(text), *lines]):
        if start >= position:
            position = _end(text, end)
            yield start, position


def letters(text: str) -> Iterator[Stretch]:
    """Yield the letter in a text without headers, from its greeting to the name at its end."""
    dear = _DEAR.search(text)
    if dear is None:
        return
    yours = _YOURS.search(text, dear.end())
    if yours:
        yield dear.start(), yours.end()
    elif dear["formal"] and len(text[dear.end() :].split()) >= _FEWEST_WORDS:
        yield dear.start(), len(text)


def _chains(text: str) -> Iterator[Stretch]:
    """Yield the runs of headers that begin an e-mail, to the end of the last header's line."""
    run: list[re.Match[str]] = []
    for header in _HEADER.finditer(text):
        if not _may_be_header(text, header):
            continue
        if run and header.start() - run[-1].end() > _LONGEST_VALUE:
            yield from _head(text, run)
            run = []
        run.append(header)
    yield from _head(text, run)


def _may_be_header(text: str, header: re.Match[str]) -> bool:
    """Return whether a match may be a header within a line: it has a capital or an address."""
    return (
        header[0][0].isupper()
        or _begins_a_line(text, header)
        or bool(_TO_AN_ADDRESS.match(text, header.end()))
    )


def _head(text: str, run: list[re.Match[str]]) -> Iterator[Stretch]:
    """Yield the stretch of header lines that begins an e-mail, if `run` contains such a stretch.

    With a sender and a subject the whole run counts; otherwise the run counts from the first header
    that contains an address or is directly followed by another header.
    """
    named = any(match["sender"] and not text[match.end()].islower() for match in run)
    if named and any(match["matter"] for match in run):
        begins = run[:1]
    else:
        following = zip_longest(run, run[1:])
        begins = [line for line, next_line in following if _is_first(text, line, next_line)]
    if begins:
        yield begins[0].start(), line_end(text, run[-1].end())


def _is_first(text: str, match: re.Match[str], other: re.Match[str] | None) -> bool:
    """Return whether a header has an address, or another header is on the next line."""
    if match["matter"] is None and _TO_AN_ADDRESS.match(text, match.end()):
        return True
    if other is None or other[0].casefold() == match[0].casefold():
        return False
    between = text[match.end() : other.start()].rstrip(" \t*")
    return _begins_a_line(text, match) and between.endswith("\n") and between.count("\n") == 1


def _begins_a_line(text: str, header: re.Match[str]) -> bool:
    return bool(_AT_A_LINE.search(text, max(0, header.start() - 8), header.start()))


def _end(text: str, start: int) -> int:
    """Return the end of the e-mail whose headers end at `start`."""
    end = 0
    position = start
    while position < len(text):
        stop = line_end(text, position)
        if _QUOTED.match(text, position, stop):
            end = stop
        elif text[position:stop].strip() and not _HEADER.match(text, position, stop):
            return end or len(text)
        position = stop + 1
    return end or len(text)
