"""When a question means: 'last May', 'since March', 'next week' as spans of days.

`dates.calendar_expressions` reads times that name themselves, in a question and in what is told;
here stands what only a question means so: stretches, times to come, parts of a month, feasts.
Everything is reckoned from the moment of asking. Pure: no clock is read.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime
from functools import lru_cache

from memory.language.dates import year_inference
from memory.language.dates.calendar_expressions import (
    COUNT,
    MONTH,
    MONTHS,
    READERS,
    SEASON,
    UNIT,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    Found,
    Reader,
    TimeSpan,
    Width,
    as_span,
    capitalize_time_words,
    count_of,
    end_of_month,
    end_of_season,
    find_stated_times,
    months_back,
    moved,
    past,
    read_by,
    reader,
    shifted,
    unit_away,
    width_of,
    year_of,
)
from memory.language.dates.feasts import FEASTS, FIRST_EASTER, LAST_EASTER

__all__ = [
    "MONTHS",
    "WHATEVER",
    "TimeSpan",
    "Width",
    "asks_when",
    "capitalize_time_words",
    "find_asked_times",
    "find_stated_times",
    "is_end_time",
    "tells_when",
]

# What was before a day is looked for as far back as a life goes, what is to be after one a year on.
_LIFETIME, _YEAR_AHEAD = 100 * 12, 365
_EARLIEST = date(1900, 1, 1)
# Words of a question that ask for whatever there was.
WHATEVER = frozenset(
    "do did done doing happen happened happening say said tell told talk talked speak spoke go"
    " going went thing things something anything everything event events".split()
)


def find_asked_times(question: str, asked_at: datetime) -> list[TimeSpan]:
    """The spans a question names, in reading order.

    None of them lies wholly after the asking, but where its words or its tense say so. Where
    phrases overlap the longer one counts: 'since 7 May 2023' is a stretch, not a day.
    """
    text, today = question.lower(), asked_at.date()
    found = read_by(_READERS, text, today)
    if any(_may_come(span, today) for span in found) and _looks_ahead(text):
        return [_next_occurrence(span) if _may_come(span, today) else span for span in found]
    return found


# --- What is to come -----------------------------------------------------------------------------

_AHEAD = re.compile(
    r"\b(?:will|shall|won't|going to|gonna|coming|upcoming)\b|'ll\b"
    r"|\b(?:am i|are we|is \w{1,20}) (?:\w{1,20} )?\w{1,20}(?<!th)ing\b"
    r"|\bdo (?:i|we) have (?:to|on|planned|at|over|in)\b"
)
_SAYS_WHICH = re.compile(r"\d{4}|\b(?:last|past|ago|this|yesterday|today|tonight|before|since)\b")
_OF_WEEK = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)}|weekend)\b")


@lru_cache(maxsize=1)
def _looks_ahead(text: str) -> bool:
    text = text.replace("’", "'")
    return _AHEAD.search(text) is not None and not year_inference.is_past(text)


def _may_come(span: TimeSpan, today: date) -> bool:
    """Whether it lies behind, and only because nothing says which one is meant."""
    return span.last < today and not _SAYS_WHICH.search(span.words)


def _next_occurrence(span: TimeSpan) -> TimeSpan:
    """'in December', asked in May of what will be: the next such days."""
    if _OF_WEEK.search(span.words) and not re.search(r"\d", span.words):
        first, last = shifted(span.first, 7), shifted(span.last, 7)
    else:
        first, last = months_back(span.first, -12), months_back(span.last, -12)
    return TimeSpan(first, last, span.width, span.words)


def _near(match: Found, today: date) -> Iterator[TimeSpan]:
    days = {"the day before yesterday": -2, "tomorrow": 1, "the day after tomorrow": 2}
    day = shifted(today, days[match[0]])
    yield from as_span(day, day, Width.DAY, match)


def _weekday(match: Found, today: date) -> Iterator[TimeSpan]:
    """'this Friday' is the one of this week, 'next Friday' the next to come."""
    by = WEEKDAYS[match["weekday"]] - today.weekday()
    day = shifted(today, by + 7 * (by <= 0 and match["which"] == "next"))
    yield from as_span(day, day, Width.DAY, match)


def _the_weekend(match: Found, today: date) -> Iterator[TimeSpan]:
    """The latest that has begun."""
    saturday = shifted(today, -((today.weekday() - 5) % 7))
    yield from as_span(saturday, shifted(saturday, 1), Width.WEEK, match)


# --- Dates in numbers, quarters, parts and feasts ------------------------------------------------


def _in_numbers(match: Found, _: date) -> Iterator[TimeSpan]:
    """12/05/2025 and 12.5.2025 are 12 May, as dates stand on every page here; where no month has
    such a number, the other way round.
    """
    one, two, year = (int(match[name]) for name in ("one", "two", "year"))
    for day, month in ((one, two), (two, one)):
        with suppress(ValueError):
            at = date(year, month, day)
            yield from as_span(at, at, Width.DAY, match)
            return


def _month_in_numbers(match: Found, _: date) -> Iterator[TimeSpan]:
    first = date(int(match["year"]), int(match["number"]), 1)
    yield from as_span(first, end_of_month(first), Width.MONTH, match)


_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4}
_ORDINALS["4th"] = 4


def _quarter(match: Found, today: date) -> Iterator[TimeSpan]:
    """'in Q1', 'the second quarter of 2024', 'last quarter': without a year the latest begun."""
    told, year = match["which"], year_of(match, today)
    this = (today.month - 1) // 3
    number = int(told[1]) - 1 if told[0] == "q" else _ORDINALS.get(told, 0) - 1
    if number < 0:
        first = months_back(today.replace(month=3 * this + 1, day=1), 3 * (told != "this"))
    else:
        first = date(year or today.year, 3 * number + 1, 1)
        if not year and number > this:
            first = months_back(first, 12)
    yield from as_span(first, end_of_season(first), Width.SEASON, match)


def _part(match: Found, today: date) -> Iterator[TimeSpan]:
    """'early May', 'mid-May', 'the end of last month': a third of it."""
    for whole in _whole(match["whole"], today):
        third = ((whole.last - whole.first).days + 1) // 3
        first, last = whole.first, whole.last
        told = match["part"]
        if told in ("early", "start", "beginning"):
            last = shifted(first, third - 1)
        elif told in ("mid", "middle"):
            first, last = shifted(first, third), shifted(last, -third)
        else:
            first = shifted(last, 1 - third)
        yield from as_span(first, last, width_of(first, last), match)


def _feast(match: Found, today: date) -> Iterator[TimeSpan]:
    """'last Christmas', 'at Easter 2024': without a year the latest begun."""
    year, days = year_of(match, today), FEASTS[match["feast"].replace("’", "'")]
    if not FIRST_EASTER < (year or today.year) < LAST_EASTER:
        return
    if not year:
        begun = today if match["which"] != "last" else shifted(today, -1)
        year = today.year - (days(today.year)[0] > begun)
        ahead = match["which"] == "next" or (not match["which"] and _looks_ahead(match.string))
        if ahead or match["which"] == "this":
            year += days(year)[1] < (today if ahead else date(today.year, 1, 1))
    first, last = days(year)
    yield from as_span(first, last, width_of(first, last), match)


# --- Stretches -----------------------------------------------------------------------------------


def _whole(text: str, today: date, *, to_its_end: bool = True) -> list[TimeSpan]:
    """The longest time that a text begins with; with `to_its_end` it must be the whole text.

    What needs a word before it in a sentence does without here: 'March', '2024', 'Monday'.
    """
    best: list[TimeSpan] = []
    readers = [one for one in (*_NEAR, *_SINGLE) if any(word in text for word in one.needs)]
    for before in ("", "in ", "on "):
        for one in readers:
            match = one.pattern.match(before + text)
            if match is None or (to_its_end and match.end() < len(before) + len(text)):
                continue
            words = match[0][len(before) :]
            if words and (not best or len(words) > len(best[0].words)):
                read = one.read(match, today)
                best = [TimeSpan(it.first, it.last, it.width, words) for it in read] or best
    return best


def _from_to(match: Found, today: date) -> Iterator[TimeSpan]:
    """'between March and May', 'from 3 to 7 June 2024': what the first lacks, the second tells."""
    begins, plain_end = match["begins"], match["ends"]
    for end in _whole(plain_end, today, to_its_end=False):
        year = re.search(r"\d{4}|(?:last|this|next) year", end.words)
        month = re.search(r"[a-z]{3,9}", end.words)
        added = (f" {year[0]}" if year else None, f" {month[0]}" if month else None)
        full = f" {month[0]} {year[0]}" if month and year else None
        for more in (*(one for one in (full, *added) if one), ""):
            if start := _whole(begins + more, today):
                break
        else:
            return
        first, last = start[0].first, end.last
        if last < first:
            first = months_back(first, 12)
        if first <= last:
            words = match[0][: match.start("ends") - match.start()] + end.words
            yield TimeSpan(first, last, width_of(first, last), words)


def _relative_to_day(match: Found, today: date) -> Iterator[TimeSpan]:
    """'two weeks before 11 August', 'the Sunday after Easter': from then to that day, on which it
    may have been told.
    """
    for span in _whole(match["at"], today, to_its_end=False):
        back = match["edge"] == "before"
        if match["weekday"]:
            day, wanted = span.first if back else span.last, WEEKDAYS[match["weekday"]]
            gap = day.weekday() - wanted if back else wanted - day.weekday()
            far = shifted(day, (-1 if back else 1) * ((gap - 1) % 7 + 1))
        else:
            count = count_of(match["count"] or "one")
            far = moved(span.first if back else span.last, -count if back else count, match["unit"])
        first, last = (far, span.last) if back else (span.first, far)
        if first <= last:
            words = match[0][: match.start("at") - match.start()] + span.words
            yield TimeSpan(first, last, width_of(first, last), words)


def _edge(match: Found, today: date) -> Iterator[TimeSpan]:
    """'since May', 'after March', 'before June', 'until May': all that lies on that side of it."""
    for plain in _whole(match["at"], today, to_its_end=False):
        comes = _may_come(plain, today) and "since" not in match["edge"]
        span = _next_occurrence(plain) if comes and _looks_ahead(match.string) else plain
        if match["edge"] in ("before", "until", "till", "up to"):
            last = shifted(span.first, -1) if match["edge"] == "before" else span.last
            first = (
                today if last > today else max(months_back(last, _LIFETIME), min(last, _EARLIEST))
            )
        else:
            first = shifted(span.last, 1) if match["edge"] == "after" else span.first
            last = today if first <= today else shifted(first, _YEAR_AHEAD)
        words = match[0][: match.start("at") - match.start()] + span.words
        yield TimeSpan(first, last, width_of(first, last), words)


# Pieces that may be a time: a few words, none of them long, so that no text keeps a reader busy.
_WORD = r"[\w'./-]{1,12}"
_FEAST = "(?P<feast>" + "|".join(FEASTS).replace("'", "['’]") + ")"
# With one of these begins whatever a time can be in a stretch.
_BEGINS = (
    r"(?:\d|last |this |next |early |mid|late |start |beginning |middle |end |q[1-4]|yesterday"
    r"|tomorrow|today|tonight|weekend|week |month |(?:first|second|third|fourth) quarter|half "
    rf"|{COUNT} |{SEASON}|{'|'.join({name[:3] for name in (*MONTHS, *WEEKDAYS)})}"
    rf"|{'|'.join({feast.split()[0] for feast in FEASTS})})"
)
_BEGINS = re.sub(r"\?P<\w+>", "?:", _BEGINS)
_NOT_OF = r"(?! (?:of|in|before|at|on)\b)"
_YEAR_BEHIND = rf"(?: (?:of )?{YEAR})?"
_NEAR = (
    reader("the day before yesterday|tomorrow|the day after tomorrow", _near, "yesterday tomorrow"),
    reader("the (?P<unit>weekend|week|month|year) before last", unit_away, "before"),
)
_SINGLE: tuple[Reader, ...] = (
    reader(
        r"(?:the )?(?P<part>early|mid|late|start|beginning|middle|end)(?: of)?[ -](?:the )?"
        rf"(?P<whole>(?:(?:last|this|next) (?:month|year)|{MONTH}|{SEASON}){_YEAR_BEHIND}"
        r"|(?:19|20)\d\d)",
        _part,
        "early mid late start beginning end",
    ),
    reader(
        r"(?:in )?(?:the )?(?P<which>q[1-4]|(?:first|second|third|fourth|last|this|past|1st|2nd|3rd"
        rf"|4th)(?= quarter\b(?!.final)))(?: quarter)?{_YEAR_BEHIND}",
        _quarter,
        "quarter q1 q2 q3 q4",
    ),
    reader(
        r"(?P<one>[0-3]?\d)[./](?P<two>[0-3]?\d)[./](?P<year>(?:19|20)\d\d)(?![./]\d)",
        _in_numbers,
        ". /",
    ),
    reader(r"(?P<year>(?:19|20)\d\d)-(?P<number>0[1-9]|1[0-2])(?!-)", _month_in_numbers, "-"),
    reader(
        rf"(?:(?P<which>last|this|next)|at|over|around|during|on|in) {_FEAST}{_YEAR_BEHIND}",
        _feast,
        "christmas boxing year easter halloween thanksgiving",
    ),
    reader(f"(?P<which>this|next) {WEEKDAY}", _weekday, "this next"),
    reader("(?P<which>next) (?P<unit>weekend|week|month|year)", unit_away, "next"),
    reader(
        r"(?:(?:in|over|during|within|for) )?(?:the|these|this) (?:last|past|previous)"
        rf" (?:{COUNT} )?{UNIT}{_NOT_OF}",
        past,
        "last past previous",
    ),
    reader(f"(?:(?:at|on|over) )?the weekend{_NOT_OF}", _the_weekend, "weekend"),
    *READERS,
)
_READERS: tuple[Reader, ...] = (
    *_NEAR,
    reader(
        rf"(?:between|from) (?:the )?(?P<begins>{_WORD}(?: {_WORD}){{0,3}}?)"
        rf" (?:and|to|until|till|through) (?:the )?(?={_BEGINS})"
        rf"(?P<ends>{_WORD}(?:,? {_WORD}){{0,3}})",
        _from_to,
        "between from",
    ),
    reader(
        rf"(?:the |on )*(?:(?:{COUNT} )?{UNIT}|{WEEKDAY}) (?P<edge>before|after) (?:the )?"
        rf"(?={_BEGINS})(?P<at>{_WORD}(?:,? {_WORD}){{0,4}})",
        _relative_to_day,
        "before after",
    ),
    reader(
        r"(?P<edge>since|after|before|until|till|up to) (?:about |around )?(?:the )?"
        rf"(?={_BEGINS})(?P<at>{_WORD}(?:,? {_WORD}){{0,4}})",
        _edge,
        "since after before until till up",
    ),
    *_SINGLE,
)

# Before a time, or the first word of it, at which something ends or is due.
_ENDS_THEN = re.compile(
    r"\b(?:until|till?|up to|by)\s+(?:about |around |next |at least |the )*"
    r"(?:(?:very )?(?:start|beginning|middle|end) of )?(?:the )?$"
)


def is_end_time(text: str, span: TimeSpan) -> bool:
    """Whether a time in a text is the end of something: "until January", "by the end of May"."""
    index = text.lower().find(span.words)
    begins = span.words.startswith(("until ", "by "))
    return index >= 0 and (begins or _ENDS_THEN.search(text[:index].lower()) is not None)


# A turn that places something in time, for questions that ask when: 'yesterday', 'last week',
# 'since 2019', 'for three years'.
_TIME_TOLD = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|since|last|next|weekend"
    r"|this (?:week|month|year|morning|weekend|summer|winter|spring|fall|autumn)"
    rf"|(?:{'|'.join(WEEKDAYS)})s?"
    rf"|{'|'.join(name for name in MONTHS if name not in ('may', 'march'))}"
    r"|(?:in|on|of|last|next) (?:may|march)|(?:19|20)\d\d"
    r"|(?:a few|couple of|few|two|three|four|five|six|seven|eight|nine|ten|\d+) "
    r"(?:day|week|month|year)s?)\b"
)
_ASKS_WHEN = re.compile(
    r"\b(?:when|(?:what|which) (?:day|date|month|year|time)|how long|how old"
    r"|how many (?:days|weeks|months|years))\b"
)


def tells_when(text: str) -> bool:
    """Whether a text holds an expression of time."""
    return _TIME_TOLD.search(text.lower()) is not None


def asks_when(question: str) -> bool:
    """Whether a question asks for a point or a length of time."""
    return _ASKS_WHEN.search(question.lower()) is not None
