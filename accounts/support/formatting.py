"""Dates and counts in words."""

from collections.abc import Sequence
from datetime import date, datetime

from django.utils.text import capfirst
from django.utils.timezone import localtime

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_SEASONS = {(3, 1): "spring", (6, 1): "summer", (9, 1): "autumn", (12, 1): "winter"}


def day(at: datetime, today: datetime) -> str:
    """Return 'today', 'yesterday', '4 November', or '4 November 2024' in another year."""
    then, now = localtime(at).date(), localtime(today).date()
    if then == now:
        return "today"
    if (now - then).days == 1:
        return "yesterday"
    return plain_date(then, now)


def day_as_told(then: date, now: date, precision: str = "day") -> str:
    """Return a day as precise as stated: '4 November', 'around 4 November', 'March 2024'."""
    if precision == "year":
        return _year(then)
    if precision == "month":
        return f"{then:%B}" if then.year == now.year else f"{then:%B %Y}"
    day = plain_date(then, now)
    return f"around {day}" if precision == "week" else day


def told_in_full(then: date, precision: str = "day") -> str:
    """Return a day as precise as stated, with year: '7 May 2023', 'spring 2023', '2023'."""
    day = f"{then.day} {then:%B %Y}"
    coarse = {"year": _year(then), "month": f"{then:%B %Y}", "week": f"around {day}"}
    return coarse.get(precision, day)


def _year(then: date) -> str:
    """Return the year of a day; that of a season is the year of its first month."""
    season = _SEASONS.get((then.month, then.day))
    return f"{season} {then.year}" if season else f"{then.year}"


def plain_date(then: date, now: date) -> str:
    """Return '4 November', with the year if it is not the current one."""
    words = f"{then.day} {then:%B}"
    return words if then.year == now.year else f"{words} {then.year}"


def weekday(then: date, now: date) -> str:
    """Return 'Friday 4 November', with the year if it is not the current one."""
    return f"{then:%A} {plain_date(then, now)}"


def ago(at: datetime, today: datetime) -> str:
    """Return how long ago, in the largest fitting unit: 'today', 'two weeks ago', 'a year ago'."""
    days = (localtime(today).date() - localtime(at).date()).days
    if days <= 0:
        return "today"
    if days == 1:
        return "yesterday"
    for unit, length in (("year", 365), ("month", 30), ("week", 7), ("day", 1)):
        count = days // length
        if count == 1:
            return f"a {unit} ago"
        if count > 1:
            return f"{number(count)} {unit}s ago"
    return "today"


def number(count: int) -> str:
    """Return small numbers as words, larger ones in digits."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def conversations(count: int) -> str:
    """Return '1 conversation', '3 conversations'."""
    return f"{count} conversation" + ("" if count == 1 else "s")


def capital(value: str) -> str:
    """Return a value with an initial capital; "iPhone 15" stays as it is."""
    first, *_ = str(value).split(maxsplit=1) or [""]
    return str(value) if any(map(str.isupper, first)) else capfirst(value)


def lowered(text: str) -> str:
    """Return a text with a small first letter, as inside a sentence."""
    return f"{text[:1].lower()}{text[1:]}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """Return 'hiking', 'hiking and chess', 'hiking, chess and tea'."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
