"""Parsing the day or moment for which past facts are requested."""

import calendar
import re
from datetime import date, datetime, time

from django.utils.timezone import get_current_timezone, is_naive, localtime, make_aware

from memory.facts.day_precision import EARLIEST

_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_HOW_A_DAY = "Enter the date as YYYY-MM-DD, such as 2024-03-14."
_HOW_EITHER = (
    "Send a date such as 2024-03-14, or a date and time such as 2024-03-14T09:30:00+01:00."
)
_YET_TO_COME = "That day is in the future. Pick today or an earlier day."


class UnfitDay(ValueError):
    """The text is not a valid past day; the message says what to write instead."""


def day_looked_back_at(text: str, at: datetime) -> date:
    """Return the day in a text like '2024-03-14'. Raises UnfitDay."""
    match = _DAY.fullmatch(text.strip())
    if match is None:
        raise UnfitDay(_HOW_A_DAY)
    year, month, number = (int(part) for part in match.groups())
    if not 1 <= month <= 12:
        raise UnfitDay("A year has 12 months. " + _HOW_A_DAY)
    if year < EARLIEST.year:
        raise UnfitDay(f"That is too long ago. Pick a day in {EARLIEST.year} or later.")
    last = calendar.monthrange(year, month)[1]
    if not 1 <= number <= last:
        raise UnfitDay(f"{calendar.month_name[month]} has {last} days. Pick another day.")
    day = date(year, month, number)
    if day > localtime(at).date():
        raise UnfitDay(_YET_TO_COME)
    return day


def moment(text: str, at: datetime) -> datetime:
    """Return the moment in a text; a day alone means its end. Raises UnfitDay."""
    if "T" not in text.upper():
        try:
            return end_of(day_looked_back_at(text, at))
        except UnfitDay as unfit:
            raise UnfitDay(_HOW_EITHER if str(unfit) == _HOW_A_DAY else str(unfit)) from None
    try:
        # In a URL an unescaped plus sign arrives as a space.
        instant = datetime.fromisoformat(text.strip().replace(" ", "+"))
    except ValueError:
        raise UnfitDay(_HOW_EITHER) from None
    if instant.year < EARLIEST.year:
        raise UnfitDay(f"That is too long ago. Pick a day in {EARLIEST.year} or later.")
    instant = make_aware(instant) if is_naive(instant) else instant
    if instant > at:
        raise UnfitDay("That time is in the future. Pick an earlier one.")
    return instant


def end_of(day: date) -> datetime:
    """Return the last moment of a day, so that facts that began on the day are included."""
    return datetime.combine(day, time.max, get_current_timezone())
