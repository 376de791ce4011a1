"""Plans as an iCalendar file (RFC 5545)."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from conversations.tools.plans import Plan
from conversations.tools.visibility import shortened

CONTENT_TYPE = "text/calendar; charset=utf-8"
_LONGEST_SUMMARY = 200
# Longest line in octets, without the line break.
_LONGEST_LINE = 75
_DAY = timedelta(1)


def calendar(plans: Iterable[Plan], address: Callable[[str], str]) -> str:
    """Return an iCalendar file with an event per plan; `address` makes a path an absolute URL."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Throughline//Coming up//EN",
        "CALSCALE:GREGORIAN",
        "X-WR-CALNAME:Throughline",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
    ]
    for plan in plans:
        lines += _event(plan, address)
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def _event(plan: Plan, address: Callable[[str], str]) -> Iterator[str]:
    # A weekly plan is one recurring event; a snoozed occurrence is an event of its own.
    put_off = f"-{plan.planned_for}" if plan.weekly and plan.snoozed else ""
    yield "BEGIN:VEVENT"
    yield f"UID:{plan.id}-{plan.place}{put_off}@throughline"
    yield f"DTSTAMP:{plan.changed_at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    if plan.time is None:
        yield f"DTSTART;VALUE=DATE:{_day(plan.first)}"
        # DTEND is exclusive.
        yield f"DTEND;VALUE=DATE:{_day(plan.last + _DAY)}"
        yield "TRANSP:TRANSPARENT"
    else:
        # Local time without a time zone.
        yield f"DTSTART:{datetime.combine(plan.first, plan.time):%Y%m%dT%H%M%S}"
    if plan.weekly and not plan.snoozed:
        yield "RRULE:FREQ=WEEKLY"
    yield f"SUMMARY:{_escaped(shortened(' '.join(plan.text.split()), _LONGEST_SUMMARY))}"
    if plan.about:
        yield f"DESCRIPTION:{_escaped(plan.about)}"
    yield f"URL:{address(plan.link)}"
    yield "CLASS:PRIVATE"
    yield "END:VEVENT"


def _day(day: date) -> str:
    return f"{day:%Y%m%d}"


def _escaped(text: str) -> str:
    """Return a text as a property value: special characters escaped, control characters removed."""
    text = "\n".join(text.splitlines())
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return "".join(char for char in text.replace("\n", "\\n") if char >= " " and char != "\x7f")


def _folded(line: str) -> str:
    """Return a line folded into pieces of at most 75 octets, without splitting a character."""
    pieces, piece, size = [], "", 0
    for char in line:
        octets = len(char.encode())
        if size + octets > _LONGEST_LINE:
            pieces.append(piece)
            # Count the space that begins a continuation line.
            piece, size = "", 1
        piece, size = piece + char, size + octets
    return "\r\n ".join([*pieces, piece])
