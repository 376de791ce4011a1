"""The origin of the parts of a message; only typed text is taken as the user's own.

The page reports what was pasted; the rest is recognised by form: quoted lines, e-mails, chat logs,
code, markup, long quotations, and material to work on.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from memory.language import mail
from memory.language.mail import Stretch, line_end
from memory.language.mail import compiled as _pattern
from memory.language.text.compression import split_lines_and_sentences


class Origin(StrEnum):
    """Who or what put words into a message."""

    TYPED = "typed"
    PASTED = "pasted"
    TOOL = "tool"
    ASSISTANT = "assistant"
    IMPORTED = "imported"
    # Read in typed text by a language model.
    MODEL = "model"


@dataclass(frozen=True)
class ForeignSpan:
    """A part `text[start:end]` that somebody else wrote."""

    start: int
    end: int
    origin: Origin


def find_foreign_spans(text: str, pasted: Sequence[ForeignSpan] = ()) -> list[ForeignSpan]:
    """Return the parts of a text that were not typed, in order, not touching.

    `pasted` are parts that the page saw being pasted (`locate_pastes`). Takes linear time and never
    raises.
    """
    stretches = [*((span.start, span.end) for span in pasted), *_quotations(text), *_logs(text)]
    stretches += [
        *mail.stretches(text),
        *mail.letters(text),
        *_marked(text),
        *_material(text),
        *_documents(text),
    ]
    return [ForeignSpan(start, end, Origin.PASTED) for start, end in _merged(stretches)]


def locate_pastes(text: str, noticed: Sequence[str]) -> list[ForeignSpan]:
    """Return the places in a text of strings that were seen being pasted."""
    return [
        ForeignSpan(start, end, Origin.PASTED)
        for start, end in _merged(_pasted_spans(text, noticed))
    ]


def origin_of(foreign: Sequence[ForeignSpan], start: int, end: int) -> Origin:
    """Return the origin of `text[start:end]`: typed if no foreign span overlaps."""
    inside = (span.origin for span in foreign if start < span.end and span.start < end)
    return next(inside, Origin.TYPED)


def _merged(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    begin = stop = -1
    for start, end in sorted(stretch for stretch in stretches if stretch[0] < stretch[1]):
        if start > stop:
            if stop > begin:
                yield begin, stop
            begin, stop = start, end
        stop = max(stop, end)
    if stop > begin:
        yield begin, stop


# --- Seen by the page ----------------------------------------------------------------------------


def _pasted_spans(text: str, pasted: Sequence[str]) -> Iterator[Stretch]:
    """Yield the places of each pasted string or, if it was edited since, of its lines."""
    for paste in pasted:
        # A text field normalises line ends, and sending trims the message.
        wanted = paste.replace("\r\n", "\n").replace("\r", "\n").strip()
        there = list(_places(text, wanted))
        yield from there
        if not there:
            # Without duplicates: a paste may be the same line ten thousand times.
            for part in {part.strip(): None for part in split_lines_and_sentences(wanted)}:
                yield from _places(text, part)


def _places(text: str, wanted: str) -> Iterator[Stretch]:
    """Yield the places of a string as whole words: "art" is not found in "start"."""
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        if not (_joins(text, start) or _joins(text, end)):
            yield start, end
        start = text.find(wanted, end)


def _joins(text: str, position: int) -> bool:
    """Return whether a position is inside a word."""
    return (
        text[max(0, position - 1) : position].isalnum() and text[position : position + 1].isalnum()
    )


# --- Quotations, links, code, markup -------------------------------------------------------------

_MARKED = (
    re.compile(r"```.*?(?:```|\Z)", re.DOTALL),
    re.compile(r"^[ \t]*>.*$", re.MULTILINE),
    re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE),
    re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE),
)
# Opening and closing marks are recognised by their neighbours: an inch mark opens no quotation.
_QUOTED = re.compile(
    r'(?<![\w.,!?])["“„«](?=\S)([^"“”„«»\n]{0,2000}(?:\n[^"“”„«»\n]{0,2000}){0,30})(?<=\S)["”“»](?!\w)|'
    r"`([^`\n]{1,500})`"
)
_TAG = re.compile(r"</?[a-zA-Z][\w-]{0,20}(?:\s[^<>\n]{0,300})?/?>|<!--")
_FEWEST_WORDS_QUOTED = 8


def _marked(text: str) -> Iterator[Stretch]:
    for pattern in _MARKED:
        for match in pattern.finditer(text):
            yield match.span()
    tags = list(_TAG.finditer(text))
    if len(tags) >= 2:
        yield tags[0].start(), tags[-1].end()


def _quotations(text: str) -> Iterator[Stretch]:
    for match in _QUOTED.finditer(text):
        if match[2] or len(match[1].split()) >= _FEWEST_WORDS_QUOTED:
            yield match.span()


# --- Logs of chats and programs ------------------------------------------------------------------

_TIMED, _SPEAKER, _STAMPED = map(_pattern, ("timed", "speaker", "stamped"))
_SPEAKS_WITHIN, _HEADED, _TOLD = map(_pattern, ("speaks_within", "headed", "told"))
_FEWEST_TURNS = 3
_FEWEST_TIMED = 2


def _logs(text: str) -> Iterator[Stretch]:
    """Yield chat logs and program logs.

    These are runs of lines that begin with times or with alternating speakers, text under names
    with times, and reported speech.
    """
    for run in _runs(text, _TIMED):
        if len(run) >= _FEWEST_TIMED:
            yield run[0].start(), line_end(text, run[-1].end())
    for run in _runs(text, _SPEAKER):
        if _is_talk([turn[1].casefold() for turn in run]):
            yield run[0].start(), line_end(text, run[-1].end())
    stamped = list(_STAMPED.finditer(text))
    if stamped:
        yield stamped[0].start(), line_end(text, stamped[-1].end())
    heads = list(_heads(text))
    if len(heads) >= _FEWEST_TIMED:
        yield heads[0][0], line_end(text, heads[-1][1] + 1)
    for match in _TOLD.finditer(text):
        yield match.end(), line_end(text, match.end())
    for start, end in _lines(text):
        turns = list(_SPEAKS_WITHIN.finditer(text, start, end))
        if _is_talk([turn[1].casefold() for turn in turns]):
            yield turns[0].start(), end


def _heads(text: str) -> Iterator[Stretch]:
    """Yield lines with a name and a time above other text, unlike in a list of times."""
    written = [line for line in _lines(text) if text[line[0] : line[1]].strip()]
    for line, below in pairwise(written):
        if _HEADED.match(text, *line) and not _HEADED.match(text, *below):
            yield line


def _runs(text: str, pattern: re.Pattern[str]) -> Iterator[list[re.Match[str]]]:
    """Yield lists of a pattern's matches at the starts of successive lines, blank lines aside."""
    run: list[re.Match[str]] = []
    for start, end in _lines(text):
        match = pattern.match(text, start, end)
        if match:
            run.append(match)
        elif text[start:end].strip():
            yield run
            run = []
    yield run


def _is_talk(speakers: Sequence[str]) -> bool:
    counts = Counter(speakers)
    return len(speakers) >= _FEWEST_TURNS and len(counts) > 1 and max(counts.values()) > 1


# --- Material to work on -------------------------------------------------------------------------

_INTRODUCED, _INTRODUCED_LINE = _pattern("introduced"), _pattern("introduced_line")
_PAGE, _SHOWS, _ASKED_AFTERWARDS = map(_pattern, ("page", "shows", "asked_afterwards"))
_FEWEST_WORDS_GIVEN = 3
_LONG = 200


def _material(text: str) -> Iterator[Stretch]:
    """Yield the text after "summarise this:", or before "can you summarise that?"."""
    introduced = _INTRODUCED.search(text)
    if introduced and len(text[introduced.end() :].split()) >= _FEWEST_WORDS_GIVEN:
        end = line_end(text, introduced.end())
        rest = text[introduced.end() : end].strip()
        # After an empty line or if long, to the end of the text; else to the end of the line.
        to_the_end = not rest or len(text) - introduced.end() > _LONG
        yield introduced.end(), len(text) if to_the_end else end
    page = _PAGE.search(text)
    if page and len(text[page.end() :].split()) >= _FEWEST_WORDS_GIVEN:
        yield page.start(), len(text)
    own_line = _INTRODUCED_LINE.search(text)
    if own_line and len(text) - own_line.end() > _LONG:
        yield own_line.end(), len(text)
    shown = _SHOWS.search(text)
    if shown and len(text[shown.end() :].split()) >= _FEWEST_WORDS_GIVEN:
        yield shown.end(), len(text)
    last = text.rstrip().rfind("\n\n")
    if last > _LONG and _ASKED_AFTERWARDS.search(text[last:].strip()):
        yield 0, last


# --- Documents -----------------------------------------------------------------------------------

_BUILT = re.compile(
    r"[ \t]*(?:[-*•–]\s|\d{1,2}[.)]\s|#{1,6}\s|[A-Z][\w /&-]{1,40}:\s*$|\S.{30,}\t\S|={3,}|-{3,})"
)
_LONG_DOCUMENT = 1200
_FEWEST_LINES = 8
_WRAPPED = range(50, 100)


def _documents(text: str) -> Iterator[Stretch]:
    """Yield a very long text of lists, headings or wrapped lines, without text around it."""
    lines = [line for line in _lines(text) if text[line[0] : line[1]].strip()]
    if len(text) < _LONG_DOCUMENT or len(lines) < _FEWEST_LINES:
        return
    built = [line for line in lines if _is_built(text, line)]
    if len(built) * 2 >= len(lines):
        yield built[0][0], built[-1][1]


def _is_built(text: str, line: Stretch) -> bool:
    words = text[line[0] : line[1]].rstrip()
    is_wrapped = len(words) in _WRAPPED and words[-1] not in ".!?:;"
    return is_wrapped or bool(_BUILT.match(words))


def _lines(text: str) -> Iterator[Stretch]:
    """Yield the start and end of each line, without its line end."""
    start = 0
    while start <= len(text):
        end = line_end(text, start)
        yield start, end
        start = end + 1
