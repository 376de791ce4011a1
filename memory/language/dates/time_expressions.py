"""Times in words as spans of days: 'last May', 'two weeks ago', 'on 7 May 2023', 'tomorrow'.

A table has the expressions, each with the function that computes its days from a given day. The
clock is not read.
"""

import calendar
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import partial

from dateutil.easter import easter
from dateutil.relativedelta import TH, relativedelta, weekday

from memory.language.dates import tense
from memory.language.lazy_pattern import compile_lazily
from memory.language.safety.pattern_file import PatternFile

MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_WEEKDAYS = [name.lower() for name in calendar.day_name]
# The first month of each season in the northern hemisphere.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_COUNTED = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
)
_NUMBERS = {word: number for number, word in enumerate(_COUNTED.split(), start=1)}
_NUMBERS |= {"couple": 2, "few": 3, "several": 5, "thirty": 30, "forty": 40}
# By how many units a rough number may be off.
_ROUGH = {"few": 1, "several": 2}
_AWAY = {"before last": -2, "last": -1, "past": -1, "this": 0, "next": 1}
UNITS = {
    "day": relativedelta(days=1),
    "week": relativedelta(weeks=1),
    "weekend": relativedelta(weeks=1),
    "fortnight": relativedelta(weeks=2),
    "month": relativedelta(months=1),
    "quarter": relativedelta(months=3),
    "year": relativedelta(years=1),
}
_FEASTS = {
    "christmas eve": relativedelta(month=12, day=24),
    "christmas day": relativedelta(month=12, day=25),
    "christmas": relativedelta(month=12, day=24),
    "boxing day": relativedelta(month=12, day=26),
    "new year's eve": relativedelta(month=12, day=31),
    "new year's day": relativedelta(month=1, day=1),
    "halloween": relativedelta(month=10, day=31),
    "thanksgiving": relativedelta(month=11, day=1, weekday=TH(4)),
    "easter": relativedelta(),
}
# Words of a question that ask for everything that happened.
WHATEVER = frozenset(
    "do did done doing happen happened happening say said tell told talk talked speak spoke go"
    " going went thing things something anything everything event events".split()
)

Days = tuple[date, date]
Match = re.Match[str]


class Width(Enum):
    """How exact a span is; `value` is the ranking weight of lying in the span."""

    DAY = 1.3
    WEEK = 1.0
    MONTH = 0.8
    SEASON = 0.5
    YEAR = 0.3


@dataclass(frozen=True)
class TimeSpan:
    """A span of days, first and last included, with the words that it was read from."""

    first: date
    last: date
    width: Width
    # In lower case, and their start in the text.
    words: str
    start: int = 0
    # "date", "range" of days, "rough", "weekly", or "bare": a time only together with other words.
    kind: str = ""
    # "week", "month" or "year" if the words fit days in each one; then the latest days that have
    # begun are meant, or `upcoming`.
    repeats: str = ""
    upcoming: Days | None = None

    @property
    def end(self) -> int:
        """The index in the text where the words end."""
        return self.start + len(self.words)

    @property
    def named_at(self) -> int:
        """The index in the text where the time itself starts, after a word like 'since'."""
        lead = _LEAD.match(self.words)
        return self.start + (lead.end() if lead else 0)

    def bounds(self, asked_at: datetime) -> tuple[datetime, datetime]:
        """Return the first moment and the moment after the last, in the asker's time zone."""
        zone = asked_at.tzinfo
        after = min(self.last, date.max - timedelta(1)) + timedelta(1)
        return datetime.combine(self.first, time(), zone), datetime.combine(after, time(), zone)

    @property
    def said(self) -> str:
        """The words with a preposition: 'in March', 'on 18 November', 'last week'."""
        words = capitalize_time_words(self.words)
        if self.width is Width.DAY and _FOLLOWS_ON.match(self.words):
            return f"on {words}"
        return f"in {words}" if _FOLLOWS_IN.match(self.words) else words


def find_stated_times(text: str, said_at: datetime) -> list[TimeSpan]:
    """Return the time spans named in a text, in reading order; in the future only dates."""
    today = said_at.date()
    spans = find_times(TIMES, text.lower(), today)
    return [span for span in spans if span.first <= today or span.kind == "date"]


def find_times(
    table: Iterable[tuple[re.Pattern[str], "Reader"]], text: str, today: date
) -> list[TimeSpan]:
    """Return the time spans that a table finds in lower-case text, in reading order.

    If two overlap, the earlier row of the table wins. Impossible dates are left out.
    """
    if not _HINT.search(text):
        return []
    taken = bytearray(len(text))
    spans: list[TimeSpan] = []
    for pattern, read in table:
        for match in pattern.finditer(text):
            begins, ends = match.span()
            if any(taken[begins:ends]):
                continue
            with suppress(ValueError, OverflowError):
                if (span := read(match, today)) is not None:
                    spans.append(span)
                    taken[begins:ends] = b"\1" * (ends - begins)
    return sorted(spans, key=lambda span: span.start)


def capitalize_time_words(words: str) -> str:
    """Return time words with capitalised months and weekdays."""
    return _NAMED.sub(lambda name: name[0].capitalize(), words)


# --- Reading an expression -----------------------------------------------------------------------

Reader = Callable[[Match, date], TimeSpan | None]


def _span(match: Match, days: Days, kind: str = "") -> TimeSpan:
    return TimeSpan(*days, width_of(*days), match[0], match.start(), kind)


def _repeated(
    match: Match, each: Sequence[Days], today: date, repeats: str, kind: str = ""
) -> TimeSpan | None:
    """Return a span for the latest of some days that has begun, with the next as `upcoming`."""
    begun = [days for days in each if days[0] <= today]
    upcoming = next((days for days in each if days[1] >= today), None)
    if not begun:
        return None
    return replace(_span(match, begun[-1], kind), repeats=repeats, upcoming=upcoming)


def _valid(days_of: Callable[[int], Days], numbers: Iterable[int]) -> list[Days]:
    each: list[Days] = []
    for number in numbers:
        with suppress(ValueError):
            each.append(days_of(number))
    return each


def _of_year(match: Match, today: date, kind: str = "") -> TimeSpan | None:
    """Return the days in the named year, in 'last', 'this' or 'next' year, or the latest."""
    groups = match.groupdict()
    if groups.get("year") or groups.get("day"):
        kind = kind or "date"
    if year := _year_of(match, today):
        return _span(match, _days_in(match, year), kind)
    each = _valid(lambda year: _days_in(match, year), range(today.year - 8, today.year + 9))
    near = [days for days in _on_weekday(match, each) if abs(days[0] - today) <= timedelta(366)]
    if near:
        return _span(match, min(near, key=lambda days: abs(days[0] - today)), kind)
    which = groups.get("which")
    if which == "last":
        each = [days for days in each if days[1] < today][-1:]
    elif which == "next":
        each = [days for days in each if days[0] > today][:1]
    elif which == "this":
        this = (days for days in each if days[0].year == today.year or days[0] <= today <= days[1])
        each = list(this)[:1]
    else:
        return _repeated(match, each, today, "year", kind)
    return _span(match, each[0], kind) if each else None


def _year_of(match: Match, today: date) -> int | None:
    """Return the year given with a month or day: 2024, or the one that 'last year' means."""
    year = match.groupdict().get("year")
    if not year or year.isdigit():
        return int(year) if year else None
    return today.year + _AWAY[year.split()[-2]]


def _days_in(match: Match, year: int) -> Days:
    """Return the days in a year of the named date, month, season or holiday."""
    named = match.groupdict()
    month = int(named.get("number") or MONTHS.get(named.get("month") or "", 0))
    if named.get("day"):
        day = int(named["day"])
        if month > 12 and named["year"]:
            # 5/25/2025 can only be 25 May.
            day, month = month, day
        return date(year, month, day), date(year, month, day)
    if month:
        return _whole(date(year, month, 1), "month")
    if season := named.get("season"):
        first = date(year, _SEASONS[season], 1)
        return first, first + relativedelta(months=2, day=31)
    if feast := (named.get("feast") or "").replace("’", "'"):
        if feast == "easter":
            return easter(year) - timedelta(2), easter(year) + timedelta(1)
        first = date(year, 1, 1) + _FEASTS[feast]
        return first, first + timedelta(2 if feast == "christmas" else 0)
    return date(year, 1, 1), date(year, 12, 31)


def _on_weekday(match: Match, each: Iterable[Days]) -> list[Days]:
    """Return those of some days that are the named weekday; empty if none is named."""
    named = (match.groupdict().get("of_week") or "-")[:3]
    return [days for days in each if f"{days[0]:%a}".lower() == named]


def _day_of_month(match: Match, today: date) -> TimeSpan | None:
    """Read 'the 27th', 'Friday the 4th'."""

    def days_of(offset: int) -> Days:
        day = (today.replace(day=1) + relativedelta(months=offset)).replace(day=int(match["day"]))
        return day, day

    each = _valid(days_of, range(-12, 13))
    return _repeated(match, _on_weekday(match, each) or each, today, "month", "date")


def _range(match: Match, today: date) -> TimeSpan | None:
    """Read 'from the 21st to the 29th', '3-7 May'; numbers are days only if a word says so."""
    first, last = int(match["day"]), int(match["until"])
    month, until_month = (MONTHS.get(match[name] or "") for name in ("month", "until_month"))
    may_be_other = " and " in match[0] and not re.search("between|stay|leav", match[0])
    if may_be_other or not (month or until_month or (match["nth"] and match["until_nth"])):
        return None
    month, year = month or until_month, _year_of(match, today)
    years = [year] if year else range(today.year - 1, today.year + 2)
    each: list[Days] = []
    for begins_in in itertools.product(years, [month] if month else range(1, 13)):
        ends_in = until_month or (begins_in[1] + (last < first) - 1) % 12 + 1
        with suppress(ValueError):
            begins = date(*begins_in, first)
            ends = date(begins_in[0] + (ends_in < begins_in[1]), ends_in, last)
            each += [(begins, ends)] if begins < ends else []
    if year:
        return _span(match, each[0], "range") if each else None
    return _repeated(match, each, today, "year" if month else "month", "range")


def _from_now(match: Match, today: date) -> TimeSpan:
    """Read 'two weeks ago', 'in three months': exact for days, approximate for longer units."""
    count, unit = count_of(match["count"]), UNITS[match["unit"]]
    sign = 1 if match[0].startswith("in ") else -1
    if off := _ROUGH.get(match["count"]):
        first, last = sorted(today + unit * (sign * count + by) for by in (-off, off))
        return _span(match, (first, last), "rough")
    then = today + unit * (sign * count)
    if match["unit"] in ("week", "fortnight"):
        return _span(match, (then - timedelta(3), then + timedelta(3)))
    return _span(match, _whole(then, match["unit"]))


def _half_a_year_ago(match: Match, today: date) -> TimeSpan:
    return _span(match, _whole(today - relativedelta(months=6), "month"))


def _until_now(match: Match, today: date) -> TimeSpan:
    """Read 'in the last three weeks', 'the past few days'."""
    return _span(match, (today - UNITS[match["unit"]] * count_of(match["count"]), today))


def _from_today(match: Match, today: date) -> TimeSpan:
    """Read 'the next two weeks', 'the rest of the month'."""
    if match[0].startswith("rest"):
        return _span(match, (today, _whole(today, match["unit"])[1]), "range")
    return _span(match, (today, today + UNITS[match["unit"]] * count_of(match["count"])), "range")


def _unit(match: Match, today: date) -> TimeSpan:
    """Read 'last week', 'this month', 'next year', 'the weekend before last'."""
    unit = match["unit"]
    return _span(match, _whole(today + UNITS[unit] * _AWAY[match["which"]], unit))


def _weekend(match: Match, today: date) -> TimeSpan | None:
    each = [_whole(today + timedelta(days), "weekend") for days in (-7, 0, 7)]
    return _repeated(match, each, today, "week")


def _weekday(match: Match, today: date, kind: str = "") -> TimeSpan:
    """Read 'on Monday', 'last Monday', 'this Monday', 'next Monday'.

    'On' means the latest before today, or the coming one; 'next' is in the next calendar week.
    """
    latest, coming = (beside(today, match["weekday"], way) for way in (-1, 1))
    which = match.groupdict().get("which") or ""
    if which == "this":
        day = beside(today - timedelta(today.weekday() + 1), match["weekday"], 1)
        clause = tense.clause_of(match.string, *match.span(), alone=True)
        day = latest if day > today and tense.is_past(clause) else day
        return replace(_span(match, (day, day)), upcoming=(coming, coming))
    if which:
        of_next_week = beside(today + timedelta(6 - today.weekday()), match["weekday"], 1)
        day = {"last": latest, "this past": latest, "next": of_next_week}.get(which, coming)
        return _span(match, (day, day))
    span = _span(match, (latest, latest), kind)
    return replace(span, repeats="week", upcoming=(coming, coming))


def _weekday_of_week(match: Match, today: date) -> TimeSpan:
    """Read 'Monday last week', 'last week on Monday', 'Thursday week', 'a week on Monday'."""
    which = match.groupdict().get("which")
    monday = today - timedelta(today.weekday()) + timedelta(7 * _AWAY[which or "this"])
    day = beside(monday - timedelta(1) if which else today, match["weekday"], 1)
    day += timedelta(0 if which else 7)
    return _span(match, (day, day))


def _day_at(offset: int, match: Match, today: date) -> TimeSpan:
    day = today + timedelta(offset)
    return _span(match, (day, day))


def _whole(day: date, unit: str) -> Days:
    """Return the first and last day of the week, month etc. that contains a day."""
    if unit == "day":
        return day, day
    if unit in ("week", "weekend"):
        monday = day - timedelta(day.weekday())
        return monday + timedelta(5 if unit == "weekend" else 0), monday + timedelta(6)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = day.replace(month=(day.month - 1) // months * months + 1, day=1)
    return first, first + relativedelta(months=months - 1, day=31)


def width_of(first: date, last: date) -> Width:
    """Return how exact a span of days is."""
    days = (last - first).days
    most = ((1, Width.DAY), (12, Width.WEEK), (45, Width.MONTH), (100, Width.SEASON))
    return next((width for below, width in most if days < below), Width.YEAR)


def count_of(word: str | None) -> int:
    """Return the number in words or digits; 1 for None."""
    return int(word) if word and word.isdigit() else _NUMBERS.get(word or "one", 1)


def beside(day: date, name: str, way: int) -> date:
    """Return the next such weekday after a day, or with `way` -1 the last one before it."""
    number = next(i for i, full in enumerate(_WEEKDAYS) if full.startswith(name[:3]))
    beside: date = day + relativedelta(days=way, weekday=weekday(number, way))
    return beside


# --- The table -----------------------------------------------------------------------------------


_READERS: dict[str, Reader] = {
    "of_year": _of_year,
    "bare_year": partial(_of_year, kind="bare"),
    "day_of_month": _day_of_month,
    "range": _range,
    "from_now": _from_now,
    "half_a_year_ago": _half_a_year_ago,
    "until_now": _until_now,
    "from_today": _from_today,
    "unit": _unit,
    "weekend": _weekend,
    "weekday": _weekday,
    "each_weekday": partial(_weekday, kind="weekly"),
    "bare_weekday": partial(_weekday, kind="bare"),
    "weekday_of_week": _weekday_of_week,
    "two_days_ago": partial(_day_at, -2),
    "yesterday": partial(_day_at, -1),
    "today": partial(_day_at, 0),
    "tomorrow": partial(_day_at, 1),
    "in_two_days": partial(_day_at, 2),
}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


WORDS = PatternFile(
    "../dates/times.toml",
    months=_any_of(MONTHS),
    plain_months=_any_of(MONTHS.keys() - {"may", "march"}),
    weekdays=_any_of(_WEEKDAYS),
    seasons=_any_of(_SEASONS),
    feasts=_any_of(_FEASTS).replace("'", "['’]"),
    numbers=_any_of(_NUMBERS),
    plain_numbers=_any_of(_NUMBERS.keys() - {"one"}),
    beginnings=_any_of({word[:3] for word in (*MONTHS, *_SEASONS, *_WEEKDAYS, *_FEASTS)}),
)
_HINT, _NAMED, _LEAD = (WORDS.compiled(name, 0) for name in ("hint", "named", "lead"))
_FOLLOWS_ON = re.compile(WORDS.composed(r"\d|{month}|{of_week}"))
_FOLLOWS_IN = re.compile(WORDS.composed("{month}|{season}"))


def _rows(table: str) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    return tuple(
        (compile_lazily(rf"\b(?:{WORDS.composed(written)})\b"), _READERS[reader])
        for reader, written in WORDS.sections["tables"][table]
    )


TIMES, RANGES, IN_SENTENCES = map(_rows, ("times", "ranges", "in_sentences"))
WEEKDAYS_ALONE, IN_QUESTIONS = map(_rows, ("weekdays_alone", "in_questions"))
