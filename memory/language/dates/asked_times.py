"""Times that a question asks about ("since May", "between March and June"), as spans of days."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from memory.language.dates import tense
from memory.language.dates.time_expressions import (
    IN_QUESTIONS,
    IN_SENTENCES,
    RANGES,
    TIMES,
    UNITS,
    WEEKDAYS_ALONE,
    WORDS,
    Days,
    Match,
    TimeSpan,
    beside,
    count_of,
    find_times,
    width_of,
)

_EDGE, _ENDS_THEN, _TELLS_WHEN, _ASKS_WHEN = (
    WORDS.compiled(name, 0) for name in ("edge", "ends_then", "tells_when", "asks_when")
)
_FROM = re.compile(r"\b(?:between|from) (?:the )?$")
_TO = re.compile(r",? (?:and|to|until|till|through) (?:the )?")
# Characters before a time that are looked at.
_LOOK_BACK = 60
# Earliest day for "before …", and length of a span for "after …" in the future.
_EARLIEST, _YEAR_AHEAD = date(1900, 1, 1), timedelta(365)


def find_asked_times(question: str, asked_at: datetime, *, to_come: bool = False) -> list[TimeSpan]:
    """Return the time spans named in a question, in reading order; 'since 7 May' is a range.

    Spans in the future only if words or tense say so, or if `to_come`: then short forms ('Friday',
    'the 14th') count too.
    """
    text, today = question.lower(), asked_at.date()
    ahead = to_come or tense.asks_ahead(text)
    table = (*RANGES, *TIMES, *IN_QUESTIONS)
    if to_come:
        table = (*RANGES, *TIMES, *IN_SENTENCES, *WEEKDAYS_ALONE, *IN_QUESTIONS)
    spans: list[TimeSpan] = []
    for plain in find_times(table, text, today):
        span, before = plain, text[max(0, plain.named_at - _LOOK_BACK) : plain.named_at]
        if ahead and span.last < today and span.upcoming and not before.endswith("since "):
            span = replace(span, first=span.upcoming[0], last=span.upcoming[1])
        if joined := _joined(text, spans, span):
            spans[-1] = joined
            continue
        with suppress(ValueError, OverflowError):
            if edge := _EDGE.search(before):
                start = plain.named_at - len(edge[0])
                span = _of_text(text, start, plain.end, _beyond(span, edge, today))
        while spans and spans[-1].end > span.start:
            spans.pop()
        spans.append(span)
    return [span for span in spans if to_come or span.kind != "bare"]


def _of_text(text: str, start: int, end: int, days: Days) -> TimeSpan:
    return TimeSpan(*days, width_of(*days), text[start:end], start)


def _joined(text: str, spans: Sequence[TimeSpan], end: TimeSpan) -> TimeSpan | None:
    """Return 'between March and May' or 'from March to May 2024' as one span, else None."""
    if not spans or not _TO.fullmatch(text, spans[-1].end, end.named_at):
        return None
    begin = spans[-1]
    opened = _FROM.search(text, max(0, begin.named_at - _LOOK_BACK), begin.named_at)
    first = begin.first
    # The first time takes the year or week of the second.
    if begin.repeats == "year":
        first += relativedelta(year=end.last.year)
        first -= relativedelta(years=first > end.last)
    while begin.repeats == "week" and first > end.last:
        first -= timedelta(7)
    if opened is None or first > end.last:
        return None
    return _of_text(text, opened.start(), end.end, (first, end.last))


def _beyond(span: TimeSpan, edge: Match, today: date) -> Days:
    """Return all days on one side of a time: 'since May', 'before June', 'until May'.

    For 'two weeks before' or 'the Sunday after', the days from or up to the time.
    """
    back = edge["edge"] in ("before", "until", "till")
    day = span.first if back else span.last
    if edge["weekday"]:
        far = beside(day, edge["weekday"], -1 if back else 1)
        return (far, span.last) if back else (span.first, far)
    if edge["unit"]:
        length = UNITS[edge["unit"]] * count_of(edge["count"])
        return (day - length, span.last) if back else (span.first, day + length)
    if back:
        last = day - timedelta(1) if edge["edge"] == "before" else span.last
        return (today if last > today else min(last, _EARLIEST)), last
    first = day + timedelta(1) if edge["edge"] == "after" else span.first
    return first, (today if first <= today else first + _YEAR_AHEAD)


def is_end_time(text: str, span: TimeSpan) -> bool:
    """Return whether a time in a text is the end of something: "until January", "by May"."""
    return _ENDS_THEN.search(text.lower()[: span.named_at]) is not None


def tells_when(text: str) -> bool:
    """Return whether a text contains a time or a duration."""
    return _TELLS_WHEN.search(text.lower()) is not None


def asks_when(question: str) -> bool:
    """Return whether a question asks when or how long."""
    return _ASKS_WHEN.search(question.lower()) is not None
