"""Which days a sentence speaks of, reckoned from when it was said. Pure.

'yesterday', said on 8 May, is 7 May; 'next month' is June. What was said of the past is read by
`dates.calendar_expressions`; what lies ahead, and rough words ("a few weeks ago"), are read here.
"""

import calendar
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from memory.language.dates import date_ranges, time_expressions, year_inference
from memory.language.dates.calendar_expressions import MONTHS, NUMBER_WORD, NUMBERS
from memory.language.dates.time_expressions import TimeSpan, Width

_WEEKDAYS = [name.lower() for name in calendar.day_name]
_SHORT = re.compile(r"\b(mon|tues?|weds?|thurs?|fri|sat|sun)\b(?!\w)", re.IGNORECASE)
_WEEKDAY = rf"({'|'.join(_WEEKDAYS)})"
_LEAP_YEAR = 2024
# As it is often misspelled.
_TOMORROW = re.compile(r"\b(?:tom+or+ow|tomm?orr?ow|tmrw?|2moro?w?)\b")
# "On Saturday 12.12.", "5.12.2026": the day before the month; what only looks like it is a sum.
_IN_NUMBERS = re.compile(
    r"(?:(?<=\bis on )|(?<=\bare on )|(?<=day )|(?<=day, )|\b(?=\d{1,2}\.\d{1,2}\.\d{4}\b))"
    r"(\d{1,2})\.(\d{1,2})\.(\d{4}\b)?(?!\d)"
)
# Said of the very day on which it is said.
_JUST_NOW = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening)|just (?:now|got|came|went|had|did"
    r"|finished|started|signed|bought|won|finished)|earlier today)\b",
    re.IGNORECASE,
)
# "Monday 7 December" says more than the "next" before it.
_DATED = re.compile(rf"{_WEEKDAY}\b.*\d")
_MOVED = re.compile(
    r"\b(?:(?:re)?scheduled|moved|postponed|put (?:off|back)|pushed (?:back|out|to)"
    r"|bumped|delayed|shifted|brought forward|changed|switched|re-?arranged|instead of|after all"
    r"|no longer|not on|(?:is|are|it's) now|new (?:date|day|time))\b"
    # Or put right.
    r"|^(?:(?:oh|well|ah|wait|no|sorry|actually|correction)\b[\s,.:;-]*)+(?:the|my|our|it|that)\b",
    re.IGNORECASE,
)
# Where it is moved to, if that is a weekday without its date.
_MOVED_TO = re.compile(
    r"\b(?:moved|put (?:off|back)|pushed|postponed|shifted|changed|bumped|switched"
    r"|brought forward)\b"
    rf"[^.;!?]*?\b(?:to|till|until) (?:the |next |this )?{_WEEKDAY}\b"
    r"(?!\W*(?:the )?\d|\s+(?:or|and|to)\b)"
)
_FROM_DAY_TO_DAY = re.compile(rf"(?<!from ){_WEEKDAY} (?:to|till|until) (?:the |next |this )?$")
_UNTIL = re.compile(r"\b(?:until|till?)\s+(?:at least |about |around |the )*$")
_NOT_THEN = re.compile(r"\b(?:instead of|rather than|not on|no longer on)\s+(?:the )?$")
_HELD_BEFORE = re.compile(rf"{_NOT_THEN.pattern}|\bfrom\s+(?:the )?$")


# A day by its number alone, "the 27th", "Friday 20th", "on the 8": no month stands before or behind
# it, and nothing that it numbers ("the 2nd floor").
_MONTH_THEN = re.compile(rf"\b(?:{'|'.join(MONTHS)})\.? $")
_NUMBERED = re.compile(
    rf"\b(?:(?P<weekday>{'|'.join(_WEEKDAYS)}),? (?:the )?|the )(?P<day>\d{{1,2}})"
    r"(?:st|nd|rd|th|(?<=on the \d)|(?<=on the \d\d))(?![\w:]|[.,]\d)"
    r"(?=\W*$|[.,;:!?)]|\s+(?:at|for|in|from|to|till?|until|with|and|so|but|because|by|on|we|i|he"
    r"|she|they|this|next|instead|not|same|tho|though|now|then|\d)\b)"
)
_MONTHS_AROUND = 7


@dataclass(frozen=True)
class SentenceDates:
    """From the first day to the last; `exactly` when the words name just these days."""

    first: date
    last: date
    exactly: bool = True
    # Something ends then: "until January" begins nothing.
    until: bool = False
    # Told from the first day to the last, and not as a week or a weekend.
    stretch: bool = False
    # A month that is over by then, told without its year, or a weekday in what is neither over nor
    # to come: "4 June" tells of many a June, "chapel on Sunday" of many a Sunday.
    is_a_guess: bool = False

    @property
    def in_words(self) -> str:
        """'7 May 2023', 'the weekend of 15 and 16 July 2023', 'until June 2023', '2022'."""
        return f"until {self._days}" if self.until else self._days

    @property
    def _days(self) -> str:
        first, last = self.first, self.last
        whole_months = first.day == 1 and (last + timedelta(1)).day == 1
        if whole_months and (first.month, last.month) == (1, 12) and first.year == last.year:
            return f"{first.year}"
        if whole_months and (first.year, first.month) == (last.year, last.month):
            return f"{first:%B %Y}"
        if first == last:
            return _day(first)
        if whole_months:
            return (
                f"{first:%B}{'' if first.year == last.year else f' {first.year}'} to {last:%B %Y}"
            )
        begun = f"{first.day}" if first.month == last.month else f"{first.day} {first:%B}"
        begun += "" if first.year == last.year else f" {first.year}"
        if last - first == timedelta(1) and not self.stretch:
            return f"the weekend of {begun} and {_day(last)}"
        return f"{'' if self.stretch else 'the week of '}{begun} to {_day(last)}"


def read_sentence_dates(sentence: str, said_at: datetime) -> SentenceDates | None:
    """The days a sentence names; None when it names none, or several that are not the same.

    They are reckoned from the day of `said_at` in its own time zone.
    """
    today = said_at.date()
    text = _plain(sentence)
    if dates := _moved_to(text, today) or _stretch(text, today):
        return dates
    if (numbered := _day_of_month(text, today)) is not None:
        return replace(numbered, until=_ends_at(text, text.find(f"{numbered.first.day}")))
    spans = time_expressions.find_stated_times(text, said_at)
    for pattern, read in () if any(map(_is_dated, spans)) else _READERS:
        if match := pattern.search(text):
            return replace(read(match, today), until=_ends_at(text, match.start()))
    if spans:
        return _of_times(text, spans, today)
    if _JUST_NOW.search(text):
        return SentenceDates(today, today)
    return None


def _plain(sentence: str) -> str:
    """In small letters, weekdays in full, "tomorow" as it is spelt, and "on 12.5." in words."""
    text = _SHORT.sub(lambda match: _full(match[1]), sentence.lower().replace("’", "'"))
    text = _TOMORROW.sub("tomorrow", text)
    return _IN_NUMBERS.sub(_in_words, text)


def _in_words(match: re.Match[str]) -> str:
    day, month, year = int(match[1]), int(match[2]), match[3]
    last = calendar.monthrange(int(year or _LEAP_YEAR), month)[1] if 1 <= month <= 12 else 0
    if not 1 <= day <= last:
        return match[0]
    return f"{day} {calendar.month_name[month].lower()}{f' {year}' if year else ''}"


def _moved_to(text: str, today: date) -> SentenceDates | None:
    moved = _MOVED_TO.search(text)
    if moved is None or _FROM_DAY_TO_DAY.search(text[: moved.start(1)]):
        return None
    return SentenceDates(day := coming_weekday(moved[1], today), day)


def _stretch(text: str, today: date) -> SentenceDates | None:
    days = None if is_rescheduling(text) else date_ranges.read(text, today)
    return SentenceDates(*days, stretch=True) if days else None


def _of_times(text: str, spans: list[TimeSpan], today: date) -> SentenceDates | None:
    """The narrowest of the times that a sentence names; None where two of them are single days."""
    meant = _without_past_values(text, spans)
    if len({span.first for span in meant if span.width is Width.DAY}) > 1:
        return None
    narrow = min(meant, key=lambda span: span.last - span.first)
    first, last = narrow.first, narrow.last
    over = last < today and narrow.width is not Width.DAY
    comes = year_inference.is_next_occurrence(text, narrow, today)
    comes = comes or (over and year_inference.looks_ahead(text))
    if comes:
        first, last = (
            year_inference.come_round(first, narrow),
            year_inference.come_round(last, narrow),
        )
        if first == last == today:
            # "On Tuesday", said on a Tuesday, is not today.
            first = last = today + timedelta(7)
    until = _ends_at(text, text.find(narrow.words.removeprefix("until ")))
    # A month without its year is a guess, unless the one to come is the nearer.
    open_year = last < today or (comes and today - narrow.last < first - today)
    guessed = open_year and year_inference.leaves_year_open(narrow)
    guessed = guessed or year_inference.is_over_or_to_come(text, narrow)
    guessed = guessed or year_inference.may_be_any_week(text, narrow)
    exactly = narrow.width is not Width.SEASON
    return SentenceDates(first, last, exactly, until, is_a_guess=guessed)


def _is_dated(span: TimeSpan) -> bool:
    """Whether a time says more than a rough word beside it: "in three weeks, the 8th of April"."""
    by_number = span.width is Width.DAY and any(name in span.words for name in MONTHS)
    return by_number or _DATED.match(span.words) is not None


def _day_of_month(text: str, today: date) -> SentenceDates | None:
    """The day that is named by its number alone, "the 27th" or "Friday 27th": the next such one, in
    what is over the last, which is a guess where nothing says so; None where none or several are.
    """
    over = _HELD_BEFORE if is_rescheduling(text) else _NOT_THEN
    named = [
        match
        for match in _NUMBERED.finditer(text)
        if not (over.search(text[: match.start()]) or _MONTH_THEN.search(text[: match.start()]))
    ]
    if len({match["day"] for match in named}) != 1:
        return None
    number, weekday = int(named[0]["day"]), named[0]["weekday"]
    clause = year_inference.clause_of(text, named[0][0])
    past = not is_rescheduling(text) and year_inference.is_past(clause)
    said = past or weekday or is_rescheduling(text) or year_inference.looks_ahead(clause)
    for months in range(_MONTHS_AROUND):
        count = today.year * 12 + today.month - 1 + (-months if past else months)
        with suppress(ValueError):
            day = date(count // 12, count % 12 + 1, number)
            lies_there = day <= today if past else day >= today
            if lies_there and weekday in (None, f"{day:%A}".lower()):
                return SentenceDates(day, day, is_a_guess=not said)
    return None


def _ends_at(text: str, index: int) -> bool:
    """Whether something ends at a time; what is put off until Friday is on Friday."""
    return _UNTIL.search(text[:index]) is not None and not is_rescheduling(text)


def is_rescheduling(sentence: str) -> bool:
    """Whether a sentence says that something is at another time than it was to be."""
    return _MOVED.search(sentence) is not None


def _without_past_values(text: str, spans: list[TimeSpan]) -> list[TimeSpan]:
    """The times of a sentence without those that hold no longer: "moved from Monday to Friday"."""
    over = _HELD_BEFORE if is_rescheduling(text) else _NOT_THEN
    at = [(span, text.find(span.words)) for span in spans]
    left = [(span, position) for span, position in at if not over.search(text[:position])]
    moved = max((match.start() for match in _MOVED.finditer(text)), default=0)
    after = [span for span, position in left if position > moved]
    return after or [span for span, _ in left] or spans


def _full(short: str) -> str:
    return next(day for day in _WEEKDAYS if day.startswith(short.lower()[:3]))


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _weekend(today: date, weeks: int) -> SentenceDates:
    saturday = today - timedelta(today.weekday()) + timedelta(5 + 7 * weeks)
    return SentenceDates(saturday, saturday + timedelta(1))


def _past_weekend(match: re.Match[str], today: date) -> SentenceDates:
    """'last weekend', said on a Monday, is the one that has just ended."""
    return _weekend(today, -NUMBERS.get(match[1] or "one", 1))


def _some_ago(match: re.Match[str], today: date) -> SentenceDates:
    unit = {"day": 1, "week": 7}.get(match[1], 30)
    middle = today - timedelta(3 * unit)
    if unit == 30:
        first = (middle - timedelta(20)).replace(day=1)
        return SentenceDates(first, today.replace(day=1) - timedelta(1), exactly=False)
    return SentenceDates(middle - timedelta(unit), middle + timedelta(unit), exactly=False)


def _next(match: re.Match[str], today: date) -> SentenceDates:
    unit = match[1]
    if unit == "weekend":
        return _weekend(today, 1)
    if unit == "week":
        monday = today - timedelta(today.weekday()) + timedelta(7)
        return SentenceDates(monday, monday + timedelta(6))
    if unit == "year":
        return SentenceDates(date(today.year + 1, 1, 1), date(today.year + 1, 12, 31))
    return _month(today.year + today.month // 12, today.month % 12 + 1)


def _next_weekday(match: re.Match[str], today: date) -> SentenceDates:
    day = coming_weekday(match[1], today)
    return SentenceDates(day, day)


def _weekday_after_next(match: re.Match[str], today: date) -> SentenceDates:
    """ "Thursday week", said on a Tuesday, is in nine days."""
    day = coming_weekday(match[1] or match[2], today) + timedelta(7)
    return SentenceDates(day, day)


def coming_weekday(weekday: str, today: date) -> date:
    """The next such day after today; `weekday` in small letters."""
    return today + timedelta((_WEEKDAYS.index(weekday) - today.weekday() - 1) % 7 + 1)


def _this(match: re.Match[str], today: date) -> SentenceDates:
    if match[1] == "weekend":
        return _weekend(today, 0)
    return _month(today.year, today.month)


def _month(year: int, month: int) -> SentenceDates:
    return SentenceDates(
        date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
    )


def _ahead(match: re.Match[str], today: date) -> SentenceDates:
    count = NUMBERS.get(match[1]) or int(match[1])
    if match[2] == "month":
        month = today.month - 1 + count
        return _month(today.year + month // 12, month % 12 + 1)
    day = today + timedelta(count * (7 if match[2] == "week" else 1))
    return (
        SentenceDates(day, day)
        if match[2] == "day"
        else SentenceDates(day - timedelta(3), day + timedelta(3))
    )


_COUNT = rf"(\d{{1,2}}|{NUMBER_WORD})(?: of)?"
_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], SentenceDates]], ...] = (
    tuple(
        (re.compile(rf"\b(?:{pattern})\b"), read)
        for pattern, read in (
            (r"(?:a )?few (day|week|month)s (?:ago|back)", _some_ago),
            (rf"{_COUNT} weekends ago", _past_weekend),
            (r"(?:last|past|this past|the past) ()weekend", _past_weekend),
            (
                r"day after tomorrow()",
                lambda _, today: SentenceDates(today + timedelta(2), today + timedelta(2)),
            ),
            (
                r"tomorrow()",
                lambda _, today: SentenceDates(today + timedelta(1), today + timedelta(1)),
            ),
            (r"next (weekend|week|month|year)", _next),
            (
                rf"a week (?:on|from) {_WEEKDAY}"
                rf"|(?<!last )(?<!this )(?<!every ){_WEEKDAY} week(?!-)",
                _weekday_after_next,
            ),
            (rf"(?:next|this coming|coming) {_WEEKDAY}", _next_weekday),
            (rf"in (?:a )?{_COUNT} (day|week|month)s?(?! ago)", _ahead),
            (r"this (weekend|month)", _this),
        )
    )
)
