"""Argument types shared by several tools: words, times, ids. Values may come from a model, a user
or a program. They are validated here, so that tools get only values that can be stored and shown.
"""

import re
from calendar import month_name
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any
from uuid import UUID

from django.utils.timezone import get_current_timezone, is_naive, localtime, make_aware
from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from conversations.messages import is_control
from conversations.tools.tool import Arguments, ToolContext, ToolRefused
from memory.language.dates.asked_times import find_asked_times

LONGEST_WORDS, LONGEST_TIME = 400, 60
# The years that are accepted.
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ISO_MONTH = re.compile(r"(\d{4})-(\d\d)")
# Looks like a date but is invalid: 2026-02-30. The year alone must not be read from it.
_LIKE_ISO = re.compile(r"\d{4}-\d")


def _readable(text: str) -> str:
    """Return the text on one line, without characters that cannot be stored."""
    return " ".join("".join(" " if is_control(c) else c for c in text).split())


def _something(text: str) -> str:
    if not any(character.isalnum() for character in text):
        raise ValueError("Name something to look for, in words")
    return text


def _as_text(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


Words = Annotated[str, Field(max_length=LONGEST_WORDS), AfterValidator(_readable)]
Sought = Annotated[Words, AfterValidator(_something)]
Time = Annotated[
    str, BeforeValidator(_as_text), Field(max_length=LONGEST_TIME), AfterValidator(_readable)
]
# Optional id; the schema has no union type, which confuses some models.
OptionalId = Annotated[UUID | None, WithJsonSchema({"type": "string", "format": "uuid"})]


@dataclass(frozen=True)
class Period:
    """A period from `since` (inclusive) to `until` (exclusive); None is open."""

    since: datetime | None = None
    until: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.since or self.until)

    def on(self, field: str) -> dict[str, datetime]:
        """Return the ORM conditions for a moment in the period."""
        return self.meets(field, field)

    def meets(self, first: str, last: str) -> dict[str, datetime]:
        """Return the ORM conditions for rows whose own period overlaps this one."""
        conditions = {f"{last}__gte": self.since, f"{first}__lt": self.until}
        return {name: moment for name, moment in conditions.items() if moment is not None}

    def holds(self, at: datetime) -> bool:
        """Return whether a moment lies in the period."""
        return not (
            (self.since is not None and at < self.since)
            or (self.until is not None and at >= self.until)
        )


class InTime(Arguments):
    """Arguments that restrict a search to a period; by default all time."""

    when: Time = Field(
        "",
        description="A time in words, such as 'last week', 'March 2025', 'yesterday', or a day: "
        "2025-03-14.",
    )
    since: Time = Field(
        "",
        description="Start of the period: a day such as 2025-03-14, or words such as 'last month'.",
    )
    until: Time = Field(
        "",
        description="End of the period, that day included: a day such as 2025-03-14, or words "
        "such as 'yesterday'.",
    )

    def period(self, context: ToolContext) -> Period:
        """Return the period asked for, relative to the question's time. Raises ToolRefused."""
        if self.when and (self.since or self.until):
            raise ToolRefused("Give the time either as 'when', or as 'since' and 'until'.")
        if self.when:
            return Period(*_bounds(self.when, context))
        return period(context, self.since, self.until)


def period(context: ToolContext, since: str, until: str) -> Period:
    """Return the period between two days or times in words; '' is open. Raises ToolRefused."""
    first = _bounds(since, context)[0] if since else None
    after = _bounds(until, context)[1] if until else None
    if first and after and first >= after:
        raise ToolRefused("The first day is after the last day. Swap the two.")
    return Period(first, after)


def _bounds(text: str, context: ToolContext) -> tuple[datetime, datetime]:
    """Return the first moment of a time in words, and the first moment after it."""
    bounds = _iso(text) or _phrase(text, localtime(context.asked_at))
    if bounds is None:
        raise ToolRefused(
            f"I do not understand {text!a} as a time. Write a day as 2025-03-14, or words such as "
            "'last week', 'in March' or 'yesterday'."
        )
    return bounds


def _iso(text: str) -> tuple[datetime, datetime] | None:
    """Parse a date or time in ISO form; for a time both bounds are equal."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if _ISO_DAY.fullmatch(text):
        return _days(moment.date(), moment.date())
    _require_year_in_range(moment.year)
    # As UTC: the database cannot store offsets of a whole day.
    moment = (make_aware(moment) if is_naive(moment) else moment).astimezone(UTC)
    return moment, moment


def _phrase(text: str, asked_at: datetime) -> tuple[datetime, datetime] | None:
    """Parse a phrase such as 'last week', 'March' or '2024'."""
    month = _ISO_MONTH.fullmatch(text)
    if month and 1 <= int(month[2]) <= 12:
        text = f"{month_name[int(month[2])]} {month[1]}"
    elif _LIKE_ISO.match(text):
        return None
    for phrase in (text, f"in {text}", f"on {text}", f"in the {text}"):
        if spans := find_asked_times(phrase, asked_at):
            return _days(min(s.first for s in spans), max(s.last for s in spans))
    return None


def _days(first: date, last: date) -> tuple[datetime, datetime]:
    _require_year_in_range(first.year)
    _require_year_in_range(last.year)
    zone = get_current_timezone()
    after = last + timedelta(days=1)
    return datetime.combine(first, time(), zone), datetime.combine(after, time(), zone)


def _require_year_in_range(year: int) -> None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise ToolRefused(f"Give a day between {_FIRST_YEAR} and {_LAST_YEAR}.")
