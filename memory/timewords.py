"""When a question means: 'last May', 'two weeks ago', 'on 7 May 2023' as spans of days.

Everything is reckoned from the moment of asking, in its own time zone. Pure: no clock is read.
"""

import calendar
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum

MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
MONTHS["sept"] = 9
_WEEKDAYS = {name.lower(): i for i, name in enumerate(calendar.day_name)}
# The month in which each season begins in the north; 'fall' and 'autumn' are one.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_NUMBERS = dict(
    zip(
        "a an one two three four five six seven eight nine ten".split(),
        [1, 1, *range(1, 11)],
        strict=True,
    )
)
_NUMBERS |= {"couple": 2, "few": 3, "eleven": 11, "twelve": 12}


class Width(Enum):
    """How much a span leaves open; `value` is how telling it is that a passage lies in it."""

    DAY = 1.3
    WEEK = 1.0
    MONTH = 0.8
    SEASON = 0.5
    YEAR = 0.3


@dataclass(frozen=True)
class Span:
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
        words = in_print(self.words)
        if self.width is Width.DAY and re.match(rf"\d|{_MONTH}|{_OF_WEEK}", self.words):
            return f"on {words}"
        return f"in {words}" if re.match(rf"{_MONTH}|{_SEASON}", self.words) else words


def in_print(said: str) -> str:
    """A time in words with the capitals that English gives its months and weekdays."""
    return _NAMED.sub(lambda name: name[0].capitalize(), said)


_NAMED = re.compile(rf"\b(?:{'|'.join([*MONTHS, *_WEEKDAYS])})\b")
_MONTH = r"(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_COUNT = r"(?P<count>\d{1,3}|" + "|".join(_NUMBERS) + r")"
_WEEKDAY = r"(?P<weekday>" + "|".join(_WEEKDAYS) + r")"
# The weekday before a day of the month: "Monday 7 December", "Fri, the 4th".
_OF_WEEK = r"(?:(?P<of_week>" + "|".join(_WEEKDAYS) + r"|mon|tues?|wed|thurs?|fri|sat|sun)\b\.?)"
_PERHAPS_OF_WEEK = rf"(?:{_OF_WEEK},?\s+(?:the\s+)?)?"
# So far from the moment of asking a day without its year is looked for by its weekday.
_FAR = 366
_SEASON = r"(?P<season>" + "|".join(_SEASONS) + r")"

Found = re.Match[str]


def spans(question: str, asked_at: datetime) -> list[Span]:
    """The spans a question names, in reading order.

    None of them lies wholly after the asking, but where the year or the weekday says so. Where
    phrases overlap the longer one counts: 'on 7 May 2023' is a day, not a month and a year.
    """
    text = question.lower()
    taken: list[tuple[int, int]] = []
    made: list[tuple[int, Span]] = []
    for pattern, read in _READERS:
        for found in pattern.finditer(text):
            if any(found.start() < end and start < found.end() for start, end in taken):
                continue
            for span in read(found, asked_at.date()):
                taken.append(found.span())
                made.append((found.start(), span))
    return [span for _, span in sorted(made, key=lambda pair: pair[0])]


def _span(first: date, last: date, width: Width, found: Found) -> Iterator[Span]:
    yield Span(first, last, width, found[0].strip())


def _full_date(found: Found, today: date) -> Iterator[Span]:
    """With no year, the latest one that has begun; 29 February may lie up to eight years back."""
    month, number, year = MONTHS[found["month"]], int(found["day"]), found["year"]
    if not year and (day := _on_weekday(found, today, [month])):
        yield from _span(day, day, Width.DAY, found)
        return
    years = [int(year)] if year else range(today.year, max(0, today.year - 9), -1)
    for candidate in years:
        with suppress(ValueError):
            day = date(candidate, month, number)
            if year or day <= today:
                yield from _span(day, day, Width.DAY, found)
                return


def _day_of_week(found: Found, today: date) -> Iterator[Span]:
    """'Friday the 4th': the nearest one that is a Friday."""
    if day := _on_weekday(found, today, range(1, 13)):
        yield from _span(day, day, Width.DAY, found)


def _on_weekday(found: Found, today: date, months: Iterable[int]) -> date | None:
    """The day of those months that is such a weekday, the nearest; None without one or where
    none is near: then the weekday was a slip.
    """
    if not found["of_week"]:
        return None
    wanted = next(i for name, i in _WEEKDAYS.items() if name.startswith(found["of_week"][:3]))
    near: list[date] = []
    for month in months:
        for year in range(max(1, today.year - 1), min(9999, today.year + 1) + 1):
            with suppress(ValueError):
                near.append(date(year, month, int(found["day"])))
    fit = [day for day in near if day.weekday() == wanted and abs((day - today).days) <= _FAR]
    return min(fit, key=lambda day: abs(day - today), default=None)


def _iso_date(found: Found, today: date) -> Iterator[Span]:
    try:
        day = date.fromisoformat(found[0])
    except ValueError:
        return
    yield from _span(day, day, Width.DAY, found)


def _month(found: Found, today: date) -> Iterator[Span]:
    """'in May' is the latest May that has begun; 'last May' too, unless it is May now."""
    number, year = MONTHS[found["month"]], found.groupdict().get("year")
    this = int(year) if year else today.year
    if not year:
        begun = number <= today.month
        if (found.groupdict().get("which") == "last" and number == today.month) or not begun:
            this -= 1
    first = date(this, number, 1)
    yield from _span(first, _end_of_month(first), Width.MONTH, found)


def _year(found: Found, today: date) -> Iterator[Span]:
    year = int(found["year"])
    yield from _span(date(year, 1, 1), date(year, 12, 31), Width.YEAR, found)


def _season(found: Found, today: date) -> Iterator[Span]:
    begins, year = _SEASONS[found["season"]], found.groupdict().get("year")
    first = date(int(year) if year else today.year, begins, 1)
    over = first if found.groupdict().get("which") != "last" else _end_of_season(first)
    if not year and over > today:
        first = _months_back(first, 12)
    yield from _span(first, _end_of_season(first), Width.SEASON, found)


def _ago(found: Found, today: date) -> Iterator[Span]:
    """'two weeks ago' means about then: days are meant exactly, longer units roughly."""
    count, unit = _count(found["count"]), found["unit"]
    if unit == "day":
        day = today - timedelta(days=count)
        yield from _span(day, day, Width.DAY, found)
    elif unit == "week":
        day = today - timedelta(weeks=count)
        yield from _span(day - timedelta(3), day + timedelta(3), Width.WEEK, found)
    elif unit == "month":
        first = _months_back(today, count).replace(day=1)
        yield from _span(first, _end_of_month(first), Width.MONTH, found)
    else:
        year = max(1, today.year - count)
        yield from _span(date(year, 1, 1), date(year, 12, 31), Width.YEAR, found)


def _past(found: Found, today: date) -> Iterator[Span]:
    """'in the last three weeks', 'the past few days': from then until now."""
    count, unit = _count(found["count"] or "one"), found["unit"]
    days = {"day": 1, "week": 7}.get(unit)
    if days:
        first = today - timedelta(days=count * days)
    else:
        first = _months_back(today, count * (12 if unit == "year" else 1))
    yield from _span(first, today, Width.WEEK if days else Width.MONTH, found)


def _this_or_last(found: Found, today: date) -> Iterator[Span]:
    back = found["which"] == "last"
    unit = found["unit"]
    if unit in ("week", "weekend"):
        monday = today - timedelta(days=today.weekday() + 7 * back)
        first = monday + timedelta(5) if unit == "weekend" else monday
        yield from _span(first, monday + timedelta(6), Width.WEEK, found)
    elif unit == "month":
        first = _months_back(today.replace(day=1), int(back))
        yield from _span(first, _end_of_month(first), Width.MONTH, found)
    else:
        year = today.year - back
        yield from _span(date(year, 1, 1), date(year, 12, 31), Width.YEAR, found)


def _weekday(found: Found, today: date) -> Iterator[Span]:
    """The latest such day before today."""
    back = (today.weekday() - _WEEKDAYS[found["weekday"]] - 1) % 7 + 1
    day = today - timedelta(days=back)
    yield from _span(day, day, Width.DAY, found)


def _near_day(found: Found, today: date) -> Iterator[Span]:
    back = {"yesterday": 1, "last night": 1, "the day before yesterday": 2}.get(found[0], 0)
    day = today - timedelta(days=back)
    yield from _span(day, day, Width.DAY, found)


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _months_back(day: date, months: int) -> date:
    """The same day so many months earlier, or the last of that month; never before year 1."""
    year, month = divmod(max(0, day.year * 12 + day.month - 1 - months), 12)
    year = max(1, year)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _end_of_month(first: date) -> date:
    return first.replace(day=calendar.monthrange(first.year, first.month)[1])


def _end_of_season(first: date) -> date:
    year, month = divmod(first.year * 12 + first.month + 1, 12)
    return _end_of_month(date(min(year, 9999), month + 1, 1))


# Longest phrases first. A bare 'may' or 'march' is a verb more often than a month, and a bare year
# may be a model's name: both need a word before them that makes them a time.
_BEFORE = r"(?:in|on|of|since|during|from|until|by|around|early|late|mid|end of|for|last|this)"
_WHICH = r"(?:(?P<which>last|this) |in |during |over )(?:the )?"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_PATTERNS: tuple[tuple[str, Callable[[Found, date], Iterator[Span]]], ...] = (
    (r"\d{4}-\d\d-\d\d", _iso_date),
    (rf"{_PERHAPS_OF_WEEK}{_DAY}(?: of)? {_MONTH}\b(?:,? {_YEAR})?", _full_date),
    (rf"{_PERHAPS_OF_WEEK}{_MONTH}\.? {_DAY}\b(?:,? {_YEAR})?", _full_date),
    (rf"{_OF_WEEK},? (?:the )?(?P<day>[0-3]?\d)(?:st|nd|rd|th)", _day_of_week),
    (rf"{_MONTH}(?: of)?,? {_YEAR}", _month),
    (rf"{_COUNT}(?: of)? {_UNIT} ago", _ago),
    (rf"(?:in|over|during|within) the (?:last|past) (?:{_COUNT} )?{_UNIT}", _past),
    ("the day before yesterday", _near_day),
    ("yesterday|last night|today|tonight|this (?:morning|afternoon|evening)", _near_day),
    ("(?P<which>last|this) (?P<unit>weekend|week|month|year)", _this_or_last),
    (rf"{_WHICH}{_SEASON}\b(?: (?:of )?{_YEAR})?", _season),
    (rf"{_SEASON} (?:of )?{_YEAR}", _season),
    (rf"(?:last|on|this past) {_WEEKDAY}", _weekday),
    (rf"(?P<which>{_BEFORE}) {_MONTH}", _month),
    (rf"{_BEFORE} {_YEAR}", _year),
)
_READERS = tuple((re.compile(rf"\b(?:{pattern})\b"), read) for pattern, read in _PATTERNS)

# Before a time, or the first word of it, at which something ends or is due.
_ENDS_THEN = re.compile(
    r"\b(?:until|till?|up to|by)\s+(?:about |around |next |at least |the )*"
    r"(?:(?:very )?(?:start|beginning|middle|end) of )?(?:the )?$"
)


def is_end(text: str, span: Span) -> bool:
    """Whether a time in a text is the end of something: "until January", "by the end of May"."""
    at = text.lower().find(span.words)
    begins = span.words.startswith(("until ", "by "))
    return at >= 0 and (begins or _ENDS_THEN.search(text[:at].lower()) is not None)


# A turn that places something in time, for questions that ask when: 'yesterday', 'last week',
# 'since 2019', 'for three years'.
_TIME_TOLD = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|since|last|next|weekend"
    r"|this (?:week|month|year|morning|weekend|summer|winter|spring|fall|autumn)"
    rf"|(?:{'|'.join(_WEEKDAYS)})s?"
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
