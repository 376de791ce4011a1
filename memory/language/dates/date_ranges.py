"""Days told from one to another: "from the 21st to the 29th", "3-7 May". Pure."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from memory.language.dates import time_expressions, year_inference

_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:the )?([0-3]?\d)(st|nd|rd|th)?"
_MONTH = rf"(?: (?:of )?({'|'.join(time_expressions.MONTHS)})\b)?"
_YEAR = r"(?:,? ((?:19|20)\d\d)\b)?"
_STRETCH = re.compile(
    rf"\b(?:(from|between) )?{_DAY}{_MONTH}"
    r"(?: ?(?:-|–|—) ?| (?:to|till|until|and|through|(?:and )?(?:stay|stays|staying|leave"
    r"|leaving|leaves)(?: (?:until|till|on|to))?) )"
    rf"{_DAY}{_MONTH}{_YEAR}"
)


def read(text: str, today: date) -> tuple[date, date] | None:
    """The first and the last day of a stretch that a text, in small letters, names."""
    for match in _STRETCH.finditer(text):
        before, first, nth, month, last, until_nth, until_month, year = match.groups()
        # "3 and 7" are days only where a word says so.
        if not (month or until_month or (nth and until_nth)) or (
            " and " in match[0] and before != "between" and "stay" not in match[0]
        ):
            continue
        months = [
            time_expressions.MONTHS.get(one or "") for one in (month or until_month, until_month)
        ]
        made = _stretches((int(first), int(last)), months, int(year or 0), today)
        told = year_inference.part_with_a_tense(text, match[0])
        if days := _most_likely_range(list(made), told, today, dated=bool(year)):
            return days
    return None


def _most_likely_range(
    made: list[tuple[date, date]], text: str, today: date, *, dated: bool
) -> tuple[date, date] | None:
    """Without a year the tense decides: the last one that began, or the next one to end."""
    if dated:
        return next(iter(made), None)
    if year_inference.is_past(text):
        return max((one for one in made if one[0] <= today), default=None)
    return min((one for one in made if one[1] >= today), default=None)


def _stretches(
    days: tuple[int, int], months: list[int | None], year: int, today: date
) -> Iterator[tuple[date, date]]:
    """All that may be meant, of this year and those beside it, or of the one that is named."""
    first, last = days
    for of in [year] if year else range(max(1, today.year - 1), min(9998, today.year + 1) + 1):
        for month in [months[0]] if months[0] else range(1, 13):
            then = months[1] or (month if last >= first else month % 12 + 1)
            with suppress(ValueError):
                begins, ends = date(of, month, first), date(of + (then < month), then, last)
                if begins < ends:
                    yield begins, ends
