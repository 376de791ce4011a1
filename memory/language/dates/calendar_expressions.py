"""Words that name one time by themselves: 'last May', 'two weeks ago', 'on 7 May 2023'.

Everything is reckoned from a moment, in its own time zone. Pure: no clock is read. What a question
means by 'since May' or 'next week', `memory.language.dates.time_expressions` adds.
"""

import calendar
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import NamedTuple

from memory.language.lazy_pattern import compile_lazily

MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
MONTHS["sept"] = 9
WEEKDAYS = {name.lower(): i for i, name in enumerate(calendar.day_name)}
# The month in which each season begins in the north; 'fall' and 'autumn' are one.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
NUMBERS = dict(
    zip(
        "a an one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty".split(),
        [1, 1, *range(1, 21)],
        strict=True,
    )
)
NUMBERS |= {"couple": 2, "few": 3, "several": 5, "thirty": 30, "forty": 40, "fifty": 50}
# The longest first, to be written into a pattern.
NUMBER_WORD = "|".join(sorted(NUMBERS, key=len, reverse=True))
# By how many units to either side a rough number may be off.
_ROUGH = {"few": 1, "several": 2}
_DAYS = {"day": 1, "week": 7, "fortnight": 14}


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
    words: str

    def bounds(self, asked_at: datetime) -> tuple[datetime, datetime]:
        """Its beginning, and the moment after its end, in the asker's time zone."""
        zone = asked_at.tzinfo
        after = min(self.last, date.max - timedelta(days=1)) + timedelta(days=1)
        return (
            datetime.combine(self.first, time(), zone),
            datetime.combine(after, time(), zone),
        )

    @property
    def said(self) -> str:
        """As it follows a verb: 'in March', 'on 18 November', 'in summer 2019', 'last week'."""
        words = capitalize_time_words(self.words)
        if self.width is Width.DAY and re.match(rf"\d|{MONTH}|{_OF_WEEK}", self.words):
            return f"on {words}"
        return f"in {words}" if re.match(rf"{MONTH}|{SEASON}", self.words) else words


def capitalize_time_words(said: str) -> str:
    """A time in words with the capitals that English gives its months and weekdays."""
    return _NAMED.sub(lambda name: name[0].capitalize(), said)


_NAMED = compile_lazily(
    rf"\b(?:{'|'.join([*MONTHS, *WEEKDAYS])}|christmas|easter|halloween|new year|q[1-4])\b"
)
MONTH = r"(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")"
# "May last year" is dated as "May 2025" is.
YEAR = r"(?P<year>(?:19|20)\d\d|(?:of )?(?:last|this|next) year)"
DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
COUNT = r"(?P<count>\d{1,3}|" + "|".join(NUMBERS) + r")"
WEEKDAY = r"(?P<weekday>" + "|".join(WEEKDAYS) + r")"
# The weekday before a day of the month: "Monday 7 December", "Fri, the 4th".
_OF_WEEK = r"(?:(?P<of_week>" + "|".join(WEEKDAYS) + r"|mon|tues?|wed|thurs?|fri|sat|sun)\b\.?)"
_PERHAPS_OF_WEEK = rf"(?:{_OF_WEEK},?\s+(?:the\s+)?)?"
# So far from the moment of asking a day without its year is looked for by its weekday.
_FAR = 366
SEASON = r"(?P<season>" + "|".join(_SEASONS) + r")"

Found = re.Match[str]


class Reader(NamedTuple):
    """A form of a time, how it is read, and words of which one stands in every such time."""

    pattern: re.Pattern[str]
    read: Callable[[Found, date], Iterator[TimeSpan]]
    needs: tuple[str, ...]


def reader(pattern: str, read: Callable[[Found, date], Iterator[TimeSpan]], needs: str) -> Reader:
    """A reader of whole words; what it needs is set apart by blanks."""
    return Reader(compile_lazily(rf"\b(?:{pattern})\b"), read, tuple(needs.split()))


def find_stated_times(text: str, said_at: datetime) -> list[TimeSpan]:
    """The spans a text names, in reading order.

    None of them lies wholly after the saying, but where the year or the weekday says so. Where
    phrases overlap the longer one counts: 'on 7 May 2023' is a day, not a month and a year.
    """
    return read_by(READERS, text.lower(), said_at.date())


def read_by(readers: Iterable[Reader], text: str, today: date) -> list[TimeSpan]:
    """What these find in a text, in small letters; of two that overlap the earlier reader counts.

    A text without a word that all of them need is looked at once.
    """
    if not _HINT.search(text):
        return []
    taken: list[tuple[int, int]] = []
    made: list[tuple[int, TimeSpan]] = []
    for pattern, read, needs in readers:
        if not any(word in text for word in needs):
            continue
        for match in pattern.finditer(text):
            begins, ends = match.span()
            index = bisect(taken, (begins, ends))
            if (index and taken[index - 1][1] > begins) or (
                index < len(taken) and taken[index][0] < ends
            ):
                continue
            for span in read(match, today):
                taken.insert(index, (begins, ends))
                made.append((begins, span))
    return [span for _, span in sorted(made, key=lambda pair: pair[0])]


def as_span(first: date, last: date, width: Width, match: Found) -> Iterator[TimeSpan]:
    """A time as a pattern found it."""
    yield TimeSpan(first, last, width, match[0].strip())


def year_of(match: Found, today: date) -> int | None:
    """The year beside a month or a day: 2024, or the one that 'last year' means."""
    told = match.groupdict().get("year")
    if not told:
        return None
    if told.isdigit():
        return int(told)
    by = next(by for word, by in (("last", -1), ("this", 0), ("next", 1)) if word in told)
    return min(9999, max(1, today.year + by))


def _full_date(match: Found, today: date) -> Iterator[TimeSpan]:
    """With no year, the latest one that has begun; 29 February may lie up to eight years back."""
    month, number, year = MONTHS[match["month"]], int(match["day"]), year_of(match, today)
    if not year and (day := _on_weekday(match, today, [month])):
        yield from as_span(day, day, Width.DAY, match)
        return
    years = [year] if year else range(today.year, max(0, today.year - 9), -1)
    for candidate in years:
        with suppress(ValueError):
            day = date(candidate, month, number)
            if year or day <= today:
                yield from as_span(day, day, Width.DAY, match)
                return


def _day_of_week(match: Found, today: date) -> Iterator[TimeSpan]:
    """'Friday the 4th': the nearest one that is a Friday."""
    if day := _on_weekday(match, today, range(1, 13)):
        yield from as_span(day, day, Width.DAY, match)


def _on_weekday(match: Found, today: date, months: Iterable[int]) -> date | None:
    """The day of those months that is such a weekday, the nearest; None without one or where
    none is near: then the weekday was a slip.
    """
    if not match["of_week"]:
        return None
    wanted = next(i for name, i in WEEKDAYS.items() if name.startswith(match["of_week"][:3]))
    near: list[date] = []
    for month in months:
        for year in range(max(1, today.year - 1), min(9999, today.year + 1) + 1):
            with suppress(ValueError):
                near.append(date(year, month, int(match["day"])))
    fit = [day for day in near if day.weekday() == wanted and abs((day - today).days) <= _FAR]
    return min(fit, key=lambda day: abs(day - today), default=None)


def _iso_date(match: Found, today: date) -> Iterator[TimeSpan]:
    try:
        day = date.fromisoformat(match[0])
    except ValueError:
        return
    yield from as_span(day, day, Width.DAY, match)


def _month(match: Found, today: date) -> Iterator[TimeSpan]:
    """'in May' is the latest May that has begun; 'last May' too, unless it is May now."""
    number, year = MONTHS[match["month"]], year_of(match, today)
    this = year or today.year
    if not year:
        begun = number <= today.month
        if (match.groupdict().get("which") == "last" and number == today.month) or not begun:
            this -= 1
    first = date(this, number, 1)
    yield from as_span(first, end_of_month(first), Width.MONTH, match)


def _year(match: Found, today: date) -> Iterator[TimeSpan]:
    year = year_of(match, today) or today.year
    yield from as_span(date(year, 1, 1), date(year, 12, 31), Width.YEAR, match)


def _season(match: Found, today: date) -> Iterator[TimeSpan]:
    begins, year = _SEASONS[match["season"]], year_of(match, today)
    first = date(year or today.year, begins, 1)
    which = match.groupdict().get("which")
    over = first if which != "last" else end_of_season(first)
    # "This summer" is one of this year; "this winter", said in January, began in the last.
    begun_before = which != "this" or today.month < min(_SEASONS.values())
    if not year and over > today and begun_before:
        first = months_back(first, 12)
    yield from as_span(first, end_of_season(first), Width.SEASON, match)


def _ago(match: Found, today: date) -> Iterator[TimeSpan]:
    """'two weeks ago' means about then: days are meant exactly, longer units roughly."""
    count, unit = count_of(match["count"]), match["unit"]
    if unit == "fortnight":
        count, unit = 2 * count, "week"
    if off := _ROUGH.get(match["count"]):
        first, last = (moved(today, by - count, unit) for by in (-off, off))
        yield from as_span(first, last, width_of(first, last), match)
    elif unit == "day":
        day = shifted(today, -count)
        yield from as_span(day, day, Width.DAY, match)
    elif unit == "week":
        first, last = shifted(today, -7 * count - 3), shifted(today, 3 - 7 * count)
        yield from as_span(first, last, Width.WEEK, match)
    elif unit == "month":
        first = months_back(today, count).replace(day=1)
        yield from as_span(first, end_of_month(first), Width.MONTH, match)
    else:
        year = max(1, today.year - count)
        yield from as_span(date(year, 1, 1), date(year, 12, 31), Width.YEAR, match)


def _half_a_year_ago(match: Found, today: date) -> Iterator[TimeSpan]:
    first = months_back(today, 18 if "and" in match[0] else 6).replace(day=1)
    yield from as_span(first, end_of_month(first), Width.MONTH, match)


def past(match: Found, today: date) -> Iterator[TimeSpan]:
    """'in the last three weeks', 'the past few days': from then until now."""
    count, unit = count_of(match["count"] or "one"), match["unit"]
    days = unit in _DAYS
    yield from as_span(
        moved(today, -count, unit), today, Width.WEEK if days else Width.MONTH, match
    )


def unit_away(match: Found, today: date) -> Iterator[TimeSpan]:
    """'last week', 'this month', 'next year', 'the weekend before last'."""
    told = match.groupdict().get("which")
    by = -2 if told is None else {"last": -1, "this": 0, "next": 1}[told]
    unit = match["unit"]
    if unit in ("week", "weekend"):
        monday = 7 * by - today.weekday()
        first = shifted(today, monday + 5 if unit == "weekend" else monday)
        yield from as_span(first, shifted(today, monday + 6), Width.WEEK, match)
    elif unit == "month":
        first = months_back(today.replace(day=1), -by)
        yield from as_span(first, end_of_month(first), Width.MONTH, match)
    else:
        year = min(max(1, today.year + by), date.max.year)
        yield from as_span(date(year, 1, 1), date(year, 12, 31), Width.YEAR, match)


def _weekday(match: Found, today: date) -> Iterator[TimeSpan]:
    """The latest such day before today."""
    back = (today.weekday() - WEEKDAYS[match["weekday"]] - 1) % 7 + 1
    day = shifted(today, -back)
    yield from as_span(day, day, Width.DAY, match)


def _near_day(match: Found, today: date) -> Iterator[TimeSpan]:
    back = {"yesterday": 1, "last night": 1, "the day before yesterday": 2}.get(match[0], 0)
    day = shifted(today, -back)
    yield from as_span(day, day, Width.DAY, match)


def _weekday_of_week(match: Found, today: date) -> Iterator[TimeSpan]:
    """'Monday last week', 'last week on Monday'."""
    by = {"last": -7, "this": 0, "next": 7}[match["which"]]
    day = shifted(today, WEEKDAYS[match["weekday"]] - today.weekday() + by)
    yield from as_span(day, day, Width.DAY, match)


def moved(day: date, count: int, unit: str) -> date:
    """So many days, weeks, months or years later, or earlier where the count is below nothing."""
    if days := _DAYS.get(unit):
        return shifted(day, count * days)
    return months_back(day, -count * (12 if unit == "year" else 1))


def shifted(day: date, days: int) -> date:
    """So many days later, or earlier; never outside the calendar."""
    return date.fromordinal(min(max(1, day.toordinal() + days), date.max.toordinal()))


def width_of(first: date, last: date) -> Width:
    """How telling it is to lie in these days."""
    days = (last - first).days
    most = ((1, Width.DAY), (12, Width.WEEK), (45, Width.MONTH), (100, Width.SEASON))
    return next((width for below, width in most if days < below), Width.YEAR)


def count_of(word: str) -> int:
    """What a count in words or digits says."""
    return int(word) if word.isdigit() else NUMBERS[word]


def months_back(day: date, months: int) -> date:
    """The same day so many months earlier, or the last of that month; never outside the
    calendar.
    """
    year, month = divmod(max(0, day.year * 12 + day.month - 1 - months), 12)
    year = min(max(1, year), date.max.year)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def end_of_month(first: date) -> date:
    """The last day of the month of a day."""
    return first.replace(day=calendar.monthrange(first.year, first.month)[1])


def end_of_season(first: date) -> date:
    """The last day of the third month."""
    year, month = divmod(first.year * 12 + first.month + 1, 12)
    return end_of_month(date(min(year, 9999), month + 1, 1))


# Longest phrases first. A bare 'may' or 'march' is a verb more often than a month, and a bare year
# may be a model's name: both need a word before them that makes them a time.
BEFORE = r"(?:in|on|of|since|during|from|until|by|around|early|late|mid|end of|for|last|this)"
_WHICH = r"(?:(?P<which>last|this) |in |during |over )(?:the )?"
UNIT = r"(?P<unit>day|week|fortnight|month|year)s?"
_DIGITS = " ".join("0123456789")
_IN_MONTHS = " ".join({name[:3] for name in MONTHS})
_IN_SEASONS = " ".join(_SEASONS)
READERS: tuple[Reader, ...] = (
    reader(r"\d{4}-\d\d-\d\d", _iso_date, "-"),
    reader(rf"{_PERHAPS_OF_WEEK}{DAY}(?: of)? {MONTH}\b(?:,? {YEAR})?", _full_date, _DIGITS),
    reader(rf"{_PERHAPS_OF_WEEK}{MONTH}\.? {DAY}\b(?:,? {YEAR})?", _full_date, _DIGITS),
    reader(rf"{_OF_WEEK},? (?:the )?(?P<day>[0-3]?\d)(?:st|nd|rd|th)", _day_of_week, _DIGITS),
    reader(rf"{MONTH}(?: of)?,? {YEAR}", _month, "19 20 year"),
    reader(rf"(?P<year>(?:last|this) year),? in {MONTH}", _month, "year"),
    reader(rf"{WEEKDAY},?(?: of)? (?P<which>last|this) week", _weekday_of_week, "week"),
    reader(rf"(?P<which>last|this) week,? (?:on )?{WEEKDAY}", _weekday_of_week, "week"),
    reader("(?:half a year|(?:a|one) year and a half) ago", _half_a_year_ago, "half"),
    reader(rf"{COUNT}(?: of)? {UNIT} ago", _ago, "ago"),
    reader(rf"(?:in|over|during|within) the (?:last|past) (?:{COUNT} )?{UNIT}", past, "last past"),
    reader("the day before yesterday", _near_day, "yesterday"),
    reader(
        "yesterday|last night|today|tonight|this (?:morning|afternoon|evening)",
        _near_day,
        "day night morning afternoon evening",
    ),
    reader(rf"{_WHICH}{SEASON}\b(?: (?:of )?{YEAR})?", _season, _IN_SEASONS),
    reader(rf"{SEASON} (?:of )?{YEAR}", _season, _IN_SEASONS),
    reader("(?P<which>last|this) (?P<unit>weekend|week|month|year)", unit_away, "week month year"),
    reader(rf"(?:last|on|this past) {WEEKDAY}", _weekday, "day"),
    reader(rf"(?P<which>{BEFORE}) {MONTH}", _month, _IN_MONTHS),
    reader(rf"{BEFORE} {YEAR}", _year, "19 20 year"),
)
# One of these stands in every time.
_HINT = compile_lazily(
    r"\d|day|week|month|year|night|now|morning|afternoon|evening|quarter|christmas|easter|eve|tomorrow"
    rf"|{'|'.join(sorted({name[:3] for name in (*MONTHS, *_SEASONS)}))}"
)
