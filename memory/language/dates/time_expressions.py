"""Times in words as spans of days: 'last May', 'two weeks ago', 'on 7 May 2023', 'tomorrow'.

One table holds the expressions, each with the function that reckons its days from a given day.
What a question makes of them ("since May", "between March and June", "early May") is composed of
the spans that the table gives. No clock is read.
"""

import calendar
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import Enum

from dateutil.easter import easter
from dateutil.relativedelta import TH, relativedelta

from memory.language.dates import tense
from memory.language.lazy_pattern import compile_lazily

MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
MONTHS["sept"] = 9
_WEEKDAYS = [name.lower() for name in calendar.day_name]
# The month in which each season begins in the north.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_NUMBERS = {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 5, "thirty": 30, "forty": 40}
_NUMBERS |= {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
        " sixteen seventeen eighteen nineteen twenty".split(),
        start=1,
    )
}
# By how many units to either side a rough number may be off.
_ROUGH = {"few": 1, "several": 2}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_UNITS = {
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
# Words of a question that ask for whatever there was.
WHATEVER = frozenset(
    "do did done doing happen happened happening say said tell told talk talked speak spoke go"
    " going went thing things something anything everything event events".split()
)

Days = tuple[date, date]
Match = re.Match[str]


class Width(Enum):
    """How much a span leaves open; `value` is how telling it is that a passage lies in it."""

    DAY = 1.3
    WEEK = 1.0
    MONTH = 0.8
    SEASON = 0.5
    YEAR = 0.3


@dataclass(frozen=True)
class TimeSpan:
    """From the first day to the last, both included, and the words it was read from."""

    first: date
    last: date
    width: Width
    # In small letters, and where they begin in the text.
    words: str
    start: int = 0
    # "date", "range" of days, "rough", "weekly", or "bare": a time only beside other words.
    kind: str = ""
    # "week", "month" or "year" where the words fit days in each; then the latest that have begun
    # are meant, or these.
    repeats: str = ""
    upcoming: Days | None = None

    @property
    def end(self) -> int:
        """Where the words end in the text."""
        return self.start + len(self.words)

    @property
    def named_at(self) -> int:
        """Where the time itself is named, behind a word like 'since'."""
        lead = _LEAD.match(self.words)
        return self.start + (lead.end() if lead else 0)

    def bounds(self, asked_at: datetime) -> tuple[datetime, datetime]:
        """Return its beginning and the moment after its end, in the asker's time zone."""
        zone = asked_at.tzinfo
        after = min(self.last, date.max - timedelta(1)) + timedelta(1)
        return datetime.combine(self.first, time(), zone), datetime.combine(after, time(), zone)

    @property
    def said(self) -> str:
        """As it follows a verb: 'in March', 'on 18 November', 'in summer 2019', 'last week'."""
        words = capitalize_time_words(self.words)
        if self.width is Width.DAY and re.match(rf"\d|{_MONTH}|{_OF_WEEK}", self.words):
            return f"on {words}"
        return f"in {words}" if re.match(rf"{_MONTH}|{_SEASON}", self.words) else words


def find_stated_times(text: str, said_at: datetime) -> list[TimeSpan]:
    """Return the spans a text names, in reading order; of those to come only dates."""
    today = said_at.date()
    spans = find_times(_TIMES, text.lower(), today)
    return [span for span in spans if span.first <= today or span.kind == "date"]


def find_sentence_times(text: str, today: date, *, ranges: bool) -> list[TimeSpan]:
    """Return the spans a sentence in small letters names, also by a bare weekday or the number of
    a day; with `ranges` also from one day to another.
    """
    rows = (*_TIMES, *_IN_SENTENCES)
    return find_times((*_RANGES, *rows) if ranges else rows, text, today)


def find_times(
    table: Iterable[tuple[re.Pattern[str], "Reader"]], text: str, today: date
) -> list[TimeSpan]:
    """Return what these find in a text in small letters; of two that overlap the earlier row
    counts. What lies outside the calendar is left out.
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


def capitalize_time_words(said: str) -> str:
    """Return a time in words with the capitals that English gives its months and weekdays."""
    return _NAMED.sub(lambda name: name[0].capitalize(), said)


# --- Reading one expression ----------------------------------------------------------------------

Reader = Callable[[Match, date], TimeSpan | None]


def _span(match: Match, days: Days, width: Width | None = None, kind: str = "") -> TimeSpan:
    return TimeSpan(*days, width or _width_of(*days), match[0], match.start(), kind)


def _repeated(match: Match, each: Sequence[Days], today: date, repeats: str) -> TimeSpan | None:
    """Return the latest of some days that has begun, which may mean the next."""
    begun = [days for days in each if days[0] <= today]
    if not begun:
        return None
    span = _span(match, begun[-1])
    upcoming = next((days for days in each if days[1] >= today), None)
    return replace(span, repeats=repeats, upcoming=upcoming)


def _yearly(
    match: Match, today: date, days_of: Callable[[int], Days], width: Width | None = None
) -> TimeSpan | None:
    """Return the days of the year that is named, of 'last', 'this' or 'next', or the latest."""
    which = match.groupdict().get("which")
    if year := _year_of(match, today):
        return _span(match, days_of(year), width, "date")
    each = list(_valid(days_of, range(today.year - 8, today.year + 9)))
    if which == "last":
        return _span(match, [days for days in each if days[1] < today][-1], width)
    if which == "next":
        return _span(match, next(days for days in each if days[0] > today), width)
    if which == "this":
        now = (days for days in each if days[0] <= today <= days[1] or days[0].year == today.year)
        return _span(match, next(now), width)
    span = _repeated(match, each, today, "year")
    return span and replace(span, width=width or span.width)


def _valid(days_of: Callable[[int], Days], numbers: Iterable[int]) -> Iterator[Days]:
    for number in numbers:
        with suppress(ValueError):
            yield days_of(number)


def _year_of(match: Match, today: date) -> int | None:
    """Return the year beside a month or a day: 2024, or the one that 'last year' means."""
    year = match.groupdict().get("year")
    if not year or year.isdigit():
        return int(year) if year else None
    return today.year + {"last": -1, "this": 0, "next": 1}[year.split()[-2]]


def _date(match: Match, today: date) -> TimeSpan | None:
    """Read '7 May 2023', '7 May', 'Monday 7 December': the nearest one that is a Monday."""
    month, day, of_week = MONTHS[match["month"]], int(match["day"]), match["of_week"]

    def days_of(year: int) -> Days:
        return date(year, month, day), date(year, month, day)

    if of_week and not match["year"]:
        each = (days for days, _ in _valid(days_of, range(today.year - 1, today.year + 2)))
        fitting = [day for day in each if f"{day:%a}".lower() == of_week[:3]]
        near = min(fitting, key=lambda day: abs(day - today), default=date.max)
        if abs(near - today) <= timedelta(366):
            return _span(match, (near, near), Width.DAY, "date")
    span = _yearly(match, today, days_of)
    return span and replace(span, kind="date")


def _day_of_month(match: Match, today: date) -> TimeSpan | None:
    """Read 'the 27th', and 'Friday the 4th': the nearest one that is a Friday."""

    def days_of(offset: int) -> Days:
        day = (today.replace(day=1) + relativedelta(months=offset)).replace(day=int(match["day"]))
        return day, day

    each = list(_valid(days_of, range(-12, 13)))
    if of_week := match.groupdict().get("of_week"):
        fitting = [days for days in each if f"{days[0]:%a}".lower() == of_week[:3]]
        return _span(match, min(fitting, key=lambda days: abs(days[0] - today)), None, "date")
    span = _repeated(match, each, today, "month")
    return span and replace(span, kind="date")


def _numeric(match: Match, today: date) -> TimeSpan | None:
    """Read 12/05/2025 and 12.5.2025 as 12 May; where no month has such a number, the other way."""
    day, month = int(match["day"]), int(match["number"])
    if month > 12 and match.groupdict().get("year"):
        day, month = month, day
    return _yearly(match, today, lambda year: (date(year, month, day), date(year, month, day)))


def _range(match: Match, today: date) -> TimeSpan | None:
    """Read 'from the 21st to the 29th', '3-7 May'; 3 and 7 are days where a word says so."""
    first, last = int(match["day"]), int(match["until"])
    month, until_month = (MONTHS.get(match[name] or "") for name in ("month", "until_month"))
    may_be_other = " and " in match[0] and not re.search("between|stay|leav", match[0])
    if may_be_other or not (month or until_month or (match["nth"] and match["until_nth"])):
        return None
    month = month or until_month
    months = [month] if month else range(1, 13)
    year = _year_of(match, today)
    years = [year] if year else range(today.year - 1, today.year + 2)
    each: list[Days] = []
    for begins_in in [(year, month) for year in years for month in months]:
        ends_in = until_month or (begins_in[1] + (last < first) - 1) % 12 + 1
        with suppress(ValueError):
            begins = date(*begins_in, first)
            ends = date(begins_in[0] + (ends_in < begins_in[1]), ends_in, last)
            each += [(begins, ends)] if begins < ends else []
    if year:
        return _span(match, each[0], None, "range") if each else None
    span = _repeated(match, each, today, "year" if month else "month")
    return span and replace(span, kind="range")


def _iso(match: Match, _: date) -> TimeSpan:
    if len(match[0]) == len("2026-05"):
        return _span(match, _whole(date.fromisoformat(f"{match[0]}-01"), "month"), kind="date")
    day = date.fromisoformat(match[0])
    return _span(match, (day, day), kind="date")


def _month(match: Match, today: date) -> TimeSpan | None:
    month = MONTHS[match["month"]]
    return _yearly(match, today, lambda year: _whole(date(year, month, 1), "month"))


def _season(match: Match, today: date) -> TimeSpan | None:
    def days_of(year: int) -> Days:
        first = date(year, _SEASONS[match["season"]], 1)
        return first, first + relativedelta(months=3, days=-1)

    return _yearly(match, today, days_of)


def _quarter(match: Match, today: date) -> TimeSpan | None:
    number = match["quarter"]
    month = 3 * (int(number[1]) if number[0] == "q" else _ORDINALS[number.split()[0]])
    return _yearly(match, today, lambda year: _whole(date(year, month, 1), "quarter"))


def _feast(match: Match, today: date) -> TimeSpan | None:
    name = match["feast"].replace("’", "'")

    def days_of(year: int) -> Days:
        if name == "easter":
            return easter(year) - timedelta(2), easter(year) + timedelta(1)
        first = date(year, 1, 1) + _FEASTS[name]
        return first, first + timedelta(2 if name == "christmas" else 0)

    return _yearly(match, today, days_of)


def _year(match: Match, today: date) -> TimeSpan:
    year = _year_of(match, today) or today.year
    return _span(match, (date(year, 1, 1), date(year, 12, 31)), kind="date")


def _from_now(match: Match, today: date) -> TimeSpan:
    """Read 'two weeks ago', 'in three months': days are meant exactly, longer units about so."""
    count, unit = _count(match["count"]), _UNITS[match["unit"]]
    sign = -1 if match[0].endswith(("ago", "back")) else 1
    if off := _ROUGH.get(match["count"]):
        edges = sorted(today + unit * (sign * number) for number in (count - off, count + off))
        return _span(match, (edges[0], edges[1]), kind="rough")
    then = today + unit * (sign * count)
    if match["unit"] in ("week", "fortnight"):
        return _span(match, (then - timedelta(3), then + timedelta(3)))
    return _span(match, _whole(then, match["unit"]))


def _half_a_year_ago(match: Match, today: date) -> TimeSpan:
    then = today - relativedelta(months=18 if "and" in match[0] else 6)
    return _span(match, _whole(then, "month"))


def _past(match: Match, today: date) -> TimeSpan:
    """Read 'in the last three weeks', 'the past few days': from then until now."""
    first = today - _UNITS[match["unit"]] * _count(match["count"] or "one")
    days = match["unit"] in ("day", "week", "fortnight")
    return _span(match, (first, today), Width.WEEK if days else Width.MONTH)


def _coming(match: Match, today: date) -> TimeSpan:
    """Read 'the next two weeks', 'the rest of the month': from now until then."""
    if "rest" in match[0]:
        return _span(match, (today, _whole(today, match["unit"])[1]), kind="range")
    last = today + _UNITS[match["unit"]] * _count(match["count"] or "one")
    return _span(match, (today, last), kind="range")


def _unit(match: Match, today: date) -> TimeSpan:
    """Read 'last week', 'this month', 'next year', 'the weekend before last'."""
    by = {"last": -1, "past": -1, "this": 0, "next": 1}.get(match["which"], -2)
    return _span(match, _whole(today + _UNITS[match["unit"]] * by, match["unit"]))


def _weekend(match: Match, today: date) -> TimeSpan | None:
    each = [_whole(today + timedelta(days), "weekend") for days in (-7, 0, 7)]
    return _repeated(match, each, today, "week")


def _weekday(match: Match, today: date) -> TimeSpan:
    """Read 'on Monday', the latest before today or the next, 'last', 'this' or 'next Monday'."""
    days_on = (_number(match["weekday"]) - today.weekday() - 1) % 7 + 1
    coming = today + timedelta(days_on)
    latest = coming - timedelta(14 if days_on == 7 else 7)
    which = match.groupdict().get("which") or ""
    if "coming" in which or which == "next":
        return _span(match, (coming, coming))
    if which == "this":
        day = today + timedelta(_number(match["weekday"]) - today.weekday())
        return replace(_span(match, (day, day)), upcoming=(coming, coming))
    if which:
        return _span(match, (latest, latest))
    weekly = "weekly" if re.match("every|each", match[0]) or match[0].endswith("s") else ""
    span = _span(match, (latest, latest), kind=weekly)
    return replace(span, repeats="week", upcoming=(coming, coming))


def _weekday_of_week(match: Match, today: date) -> TimeSpan:
    """Read 'Monday last week', 'last week on Monday', 'Thursday week', 'a week on Monday'."""
    weeks = {"last": -1, "this": 0, "next": 1}.get(match.groupdict().get("which") or "")
    days_on = _number(match["weekday"]) - today.weekday()
    if weeks is None:
        days_on, weeks = (days_on - 1) % 7 + 1, 1
    day = today + timedelta(days_on + 7 * weeks)
    return _span(match, (day, day))


def _near_day(match: Match, today: date) -> TimeSpan:
    offsets = {"yesterday": -1, "last night": -1, "today": 0, "tonight": 0}
    if "this" in match[0]:
        offset = 0
    elif match[0].count(" ") > 1:
        offset = 2 if "after" in match[0] else -2
    else:
        offset = offsets.get(match[0], 1)
    day = today + timedelta(offset)
    return _span(match, (day, day))


def _bare(read: Reader) -> Reader:
    """Return a reader of what is a time only beside other words."""

    def read_bare(match: Match, today: date) -> TimeSpan | None:
        span = read(match, today)
        return span and replace(span, kind="bare")

    return read_bare


def _whole(day: date, unit: str) -> Days:
    """Return the day, or the first and the last day of the week, month … that it lies in."""
    if unit == "day":
        return day, day
    if unit in ("week", "weekend"):
        monday = day - timedelta(day.weekday())
        return monday + timedelta(5 * (unit == "weekend")), monday + timedelta(6)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = day.replace(month=(day.month - 1) // months * months + 1, day=1)
    last_month = first + relativedelta(months=months - 1)
    return first, last_month + relativedelta(day=31)


def _width_of(first: date, last: date) -> Width:
    days = (last - first).days
    most = ((1, Width.DAY), (12, Width.WEEK), (45, Width.MONTH), (100, Width.SEASON))
    return next((width for below, width in most if days < below), Width.YEAR)


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _number(weekday: str) -> int:
    return next(i for i, name in enumerate(_WEEKDAYS) if name.startswith(weekday[:3]))


# --- The table -----------------------------------------------------------------------------------


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_MONTH = rf"(?P<month>{_any_of(MONTHS)})"
_SEASON = rf"(?P<season>{_any_of(_SEASONS)})"
_FEAST = rf"(?P<feast>{_any_of(_FEASTS)})".replace("'", "['’]")
# "May last year" is dated as "May 2025" is.
_YEAR = r"(?P<year>(?:19|20)\d\d(?!-\d)|(?:of )?(?:last|this|next) year)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_COUNT = rf"(?:an? )?(?P<count>\d{{1,3}}|{_any_of(_NUMBERS)})(?: of)?"
_UNIT = r"(?P<unit>day|week|fortnight|month|year)s?"
_FULL_OR_SHORT = rf"{_any_of(_WEEKDAYS)}|mon|tues?|weds?|thurs?|fri|sat|sun"
_WEEKDAY = rf"(?P<weekday>{_FULL_OR_SHORT})"
# No word but a weekday.
_PLAIN_WEEKDAY = rf"(?P<weekday>{_any_of(_WEEKDAYS)}|tues?|weds|thurs?|fri)"
_OF_WEEK = rf"(?:(?P<of_week>{_FULL_OR_SHORT})\b\.?,? (?:the )?)"
_WHICH = r"(?P<which>last|this|next)"
# A bare 'may' or 'march' is a verb more often than a month, and a bare year may be a model's name:
# both need a word before them.
_BEFORE = r"(?:in|on|of|since|during|from|until|by|around|early|late|mid|end of|for)"
_LEAD = re.compile(rf"(?:{_BEFORE}|over|at) (?:the )?")
_NOT_OF = r"(?! (?:of|in|before|at|on)\b)"
_WITH_YEAR = rf"(?: (?:of )?{_YEAR})?"
# What stands behind the number of a day, and not behind what is counted: "the 2nd floor".
_AFTER_A_DAY = (
    r"(?![\w:]|[.,]\d)(?=\W*$|[.,;:!?)]|\s+(?:at|for|in|from|to|till?|until|with|and|so|but|because"
    r"|by|on|we|i|he|she|they|this|next|instead|not|same|tho|though|now|then|\d)\b)"
)
_HINT = compile_lazily(
    rf"\d|\b(?:{_any_of({word[:3] for word in (*MONTHS, *_SEASONS, *_WEEKDAYS, *_FEASTS)})}"
    r"|tom|tmr|yes|today|tonight|ago|last|past|this|next|coming|following|before|weekend|week|in)"
)
_NAMED = compile_lazily(
    rf"\b(?:{_any_of([*MONTHS, *_WEEKDAYS])}|christmas|easter|halloween|new year|q[1-4])\b"
)


def _rows(*rows: tuple[str, Reader]) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    return tuple((compile_lazily(rf"\b(?:{pattern})\b"), read) for pattern, read in rows)


# What says most first.
_TIMES = _rows(
    (r"\d{4}-\d\d-\d\d", _iso),
    (r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?!-)", _iso),
    (r"(?P<day>\d\d?)[./](?P<number>\d\d?)[./](?P<year>(?:19|20)\d\d)(?![./]\d)", _numeric),
    (rf"{_OF_WEEK}?{_DAY}(?: of)? {_MONTH}\b(?:,? {_YEAR})?", _date),
    (rf"{_OF_WEEK}?{_MONTH}\.? (?:the )?{_DAY}\b(?:,? {_YEAR})?", _date),
    (rf"{_OF_WEEK}(?P<day>[0-3]?\d)(?:st|nd|rd|th)", _day_of_month),
    (rf"{_MONTH}(?: of)?,? {_YEAR}", _month),
    (rf"(?P<year>(?:last|this|next) year),? in {_MONTH}", _month),
    (rf"{_WEEKDAY},?(?: of)? {_WHICH} week", _weekday_of_week),
    (rf"{_WHICH} week,? (?:on )?{_WEEKDAY}", _weekday_of_week),
    (rf"a week (?:on|from) {_WEEKDAY}", _weekday_of_week),
    (rf"{_WEEKDAY} week(?!-)", _weekday_of_week),
    (r"(?:half a year|(?:a|one) year and a half) ago", _half_a_year_ago),
    (rf"{_COUNT} (?P<unit>day|week|weekend|fortnight|month|year)s? (?:ago|back)", _from_now),
    (
        r"(?:(?:in|over|during|within|for) )?(?:the|these|this) (?:last|past|previous)"
        rf" (?:{_COUNT} )?{_UNIT}{_NOT_OF}",
        _past,
    ),
    (rf"(?:the )?(?:next|coming|following) {_COUNT} {_UNIT}", _coming),
    (r"next (?P<count>)(?P<unit>fortnight)", _coming),
    (r"rest of (?:the|this) (?P<unit>week|month|year)", _coming),
    (r"the (?P<unit>weekend|week|month|year)(?P<which>) before last", _unit),
    (r"(?:the )?day (?:before yesterday|after tom+or+ow)|yesterday|last night", _near_day),
    (r"today|tonight|this (?:morning|afternoon|evening)|tom+or+ow|tmr?w|2moro?w?", _near_day),
    (rf"(?:{_WHICH}|in|during|over) (?:the )?{_SEASON}{_WITH_YEAR}", _season),
    (rf"{_SEASON} (?:of )?{_YEAR}", _season),
    (rf"(?:{_WHICH}|at|over|around|during|on|in) {_FEAST}{_WITH_YEAR}", _feast),
    (r"(?:this |the )?(?P<which>last|past|this|next) (?P<unit>weekend|week|month|year)", _unit),
    (rf"(?:the|(?:at|on|over|for|during|in)(?: the)?) weekend{_NOT_OF}", _weekend),
    (rf"(?:(?P<which>last|this past|(?:this )?coming|next)|on) {_WEEKDAY}", _weekday),
    (rf"(?P<which>this) {_PLAIN_WEEKDAY}", _weekday),
    (rf"(?:{_WHICH}|{_BEFORE}) {_MONTH}", _month),
    (rf"{_BEFORE} {_YEAR}", _year),
)
_RANGES = _rows(
    (
        rf"(?:(?:from|between) )?{_OF_WEEK}?(?:the )?(?P<day>[0-3]?\d)(?P<nth>st|nd|rd|th)?"
        rf"(?: (?:of )?{_MONTH}\b)?"
        r"(?: ?[-–—] ?| (?:to|till|until|and|through|(?:and )?(?:stay(?:s|ing)?|leaves?|leaving)"
        r"(?: (?:until|till|on|to))?) )"
        rf"(?:(?:{_any_of(_WEEKDAYS)}),? )?(?:the )?(?P<until>[0-3]?\d)(?P<until_nth>st|nd|rd|th)?"
        rf"(?: (?:of )?(?P<until_month>{_any_of(MONTHS)})\b)?(?:,? (?P<year>(?:19|20)\d\d))?",
        _range,
    ),
)
_IN_SENTENCES = _rows(
    (rf"in {_COUNT} (?P<unit>day|week|month)s?(?! ago)", _from_now),
    (
        rf"the (?P<day>\d{{1,2}})(?:st|nd|rd|th|(?<=on the \d)|(?<=on the \d\d)){_AFTER_A_DAY}",
        _day_of_month,
    ),
    (
        r"(?:(?<=\bon )|(?<=day )|(?<=day, ))(?P<day>\d\d?)\.(?P<number>\d\d?)(?=\.(?!\d))",
        _numeric,
    ),
    (rf"(?:every |each )?(?<!last )(?<!good )(?<!black ){_PLAIN_WEEKDAY}s?", _weekday),
)
_IN_QUESTIONS = _rows(
    (
        rf"(?:in )?(?:the )?(?P<quarter>q[1-4]|(?:{_any_of(_ORDINALS)}) quarter(?! final))"
        rf"{_WITH_YEAR}",
        _quarter,
    ),
    (rf"{_WHICH} (?P<unit>quarter)(?! final)", _unit),
    # What is a time only beside "since", "before", "from … to", "early".
    (_FEAST + _WITH_YEAR, _bare(_feast)),
    (_SEASON, _bare(_season)),
    (_MONTH, _bare(_month)),
    (_WEEKDAY, _bare(_weekday)),
    (_YEAR, _bare(_year)),
)

# --- What a question makes of them ---------------------------------------------------------------

_PART = re.compile(r"\b(early|mid|late|start|beginning|middle|end)(?: of)?[ -](?:the )?$")
_FROM = re.compile(r"\b(?:between|from) (?:the )?$")
_TO = re.compile(r",? (?:and|to|until|till|through) (?:the )?")
_COUNTED_FROM = compile_lazily(
    rf"\b(?:on |the )*(?:(?:{_COUNT} )?{_UNIT}|{_WEEKDAY}) (?P<edge>before|after) (?:the )?$"
)
_EDGE = re.compile(r"\b(?P<edge>since|after|before|until|till) (?:about |around )?(?:the )?$")
# So many characters before a time are looked at.
_LOOK_BACK = 60
# What was before a day is looked for from here on, what is to be after one for a year.
_EARLIEST, _YEAR_AHEAD = date(1900, 1, 1), timedelta(365)


def find_asked_times(question: str, asked_at: datetime, *, to_come: bool = False) -> list[TimeSpan]:
    """Return the spans a question names, in reading order: 'since 7 May 2023' is a stretch, not a
    day. None lies wholly after the asking, but where its words or its tense say so, or it asks for
    days `to_come`: these may be named by less, 'Friday', 'the 14th'.
    """
    text, today = question.lower(), asked_at.date()
    ahead = to_come or tense.asks_ahead(text)
    spans: list[TimeSpan] = []
    table = (*_RANGES, *_TIMES, *(_IN_SENTENCES if to_come else ()), *_IN_QUESTIONS)
    for plain in find_times(table, text, today):
        span, before = plain, text[max(0, plain.named_at - _LOOK_BACK) : plain.named_at]
        if ahead and span.last < today and span.upcoming and not before.endswith("since "):
            first, last = span.upcoming
            span = replace(span, first=first, last=last)
        if part := _PART.search(before):
            span = _part_of(text, span, part)
            before = before[: part.start()]
        if joined := _joined(text, spans, span):
            spans[-1] = joined
            continue
        with suppress(ValueError, OverflowError):
            if edge := _COUNTED_FROM.search(before):
                span = _counted_from(text, span, edge)
            elif edge := _EDGE.search(before):
                span = _beyond(text, span, edge, today)
        while spans and spans[-1].end > span.start:
            spans.pop()
        spans.append(span)
    return [span for span in spans if span.kind != "bare"]


def _of_text(text: str, start: int, end: int, days: Days) -> TimeSpan:
    return TimeSpan(*days, _width_of(*days), text[start:end], start)


def _part_of(text: str, span: TimeSpan, part: Match) -> TimeSpan:
    """Return a third of a time: 'early May', 'mid-May', 'the end of last month'."""
    third = ((span.last - span.first).days + 1) // 3
    if third == 0:
        return span
    first, last = span.first, span.last
    if part[1] in ("early", "start", "beginning"):
        last = first + timedelta(third - 1)
    elif part[1] in ("mid", "middle"):
        first, last = first + timedelta(third), last - timedelta(third)
    else:
        first = last - timedelta(third - 1)
    start = span.named_at - len(part[0])
    return _of_text(text, start, span.end, (first, last))


def _joined(text: str, spans: Sequence[TimeSpan], end: TimeSpan) -> TimeSpan | None:
    """Return 'between March and May', 'from March to May 2024' as one; None where it is not."""
    if not spans or not _TO.fullmatch(text, spans[-1].end, end.named_at):
        return None
    begin = spans[-1]
    opened = _FROM.search(text, max(0, begin.named_at - _LOOK_BACK), begin.named_at)
    if not opened:
        return None
    first = begin.first
    # What the first lacks, the second tells.
    if begin.repeats == "year":
        first += relativedelta(year=end.last.year)
        first -= relativedelta(years=first > end.last)
    while begin.repeats == "week" and first > end.last:
        first -= timedelta(7)
    if first > end.last:
        return None
    return _of_text(text, opened.start(), end.end, (first, end.last))


def _counted_from(text: str, span: TimeSpan, edge: Match) -> TimeSpan:
    """Return 'two weeks before 11 August', 'the Sunday after Easter': from then to that day, on
    which it may have been told.
    """
    back = edge["edge"] == "before"
    day = span.first if back else span.last
    if edge["weekday"]:
        number = _number(edge["weekday"])
        gap = day.weekday() - number if back else number - day.weekday()
        by = relativedelta(days=(gap - 1) % 7 + 1)
    else:
        by = _UNITS[edge["unit"]] * _count(edge["count"] or "one")
    days = (day - by, span.last) if back else (span.first, day + by)
    return _of_text(text, span.named_at - len(edge[0]), span.end, days)


def _beyond(text: str, span: TimeSpan, edge: Match, today: date) -> TimeSpan:
    """Return 'since May', 'after March', 'before June', 'until May': all on that side of it."""
    if edge["edge"] in ("before", "until", "till"):
        last = span.first - timedelta(1) if edge["edge"] == "before" else span.last
        first = today if last > today else min(last, _EARLIEST)
    else:
        first = span.last + timedelta(1) if edge["edge"] == "after" else span.first
        last = today if first <= today else first + _YEAR_AHEAD
    return _of_text(text, span.named_at - len(edge[0]), span.end, (first, last))


# Before a time at which something ends or is due.
_ENDS_THEN = re.compile(
    r"\b(?:until|till?|up to|by) (?:about |around |next |at least |the )*"
    r"(?:(?:very )?(?:start|beginning|middle|end) of )?(?:the )?$"
)


def is_end_time(text: str, span: TimeSpan) -> bool:
    """Return whether a time in a text is the end of something: "until January", "by May"."""
    return _ENDS_THEN.search(text.lower()[: span.named_at]) is not None


_TELLS_WHEN = compile_lazily(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|since|last|next|weekend"
    r"|this (?:week|month|year|morning|summer|winter|spring|fall|autumn)|(?:19|20)\d\d"
    rf"|(?:{_any_of(_WEEKDAYS)})s?|{_any_of(MONTHS.keys() - {'may', 'march'})}"
    rf"|(?:in|on|of) (?:may|march)|(?:{_any_of(_NUMBERS.keys() - {'a', 'an', 'one'})}|\d+)"
    r"(?: of)? (?:day|week|month|year)s?)\b"
)
_ASKS_WHEN = re.compile(
    r"\b(?:when|(?:what|which) (?:day|date|month|year|time)|how (?:long|old)"
    r"|how many (?:days|weeks|months|years))\b"
)


def tells_when(text: str) -> bool:
    """Return whether a text holds an expression of time, or of its length."""
    return _TELLS_WHEN.search(text.lower()) is not None


def asks_when(question: str) -> bool:
    """Return whether a question asks for a point or a length of time."""
    return _ASKS_WHEN.search(question.lower()) is not None
