"""Times of day in figures: '18:30', '6.30pm', '9 am'."""

import re
from datetime import time

CLOCK_TIME = r"\b(?:\d{1,2}[:.]\d\d(?: ?(?:am|pm))?|\d{1,2} ?(?:am|pm))(?![\w.,]*\d)\b"
_PARTS = re.compile(r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))? ?(?P<half>am|pm)?", re.IGNORECASE)
_CLOCK_TIME = re.compile(CLOCK_TIME, re.IGNORECASE)


def read_clock_time(text: str) -> time | None:
    """Return the only time of day in a text; None for none, several or an unclear one ("3:30")."""
    times = [_read(match[0]) for match in _CLOCK_TIME.finditer(text)]
    return times[0] if len(set(times)) == 1 else None


def _read(figures: str) -> time | None:
    match = _PARTS.fullmatch(figures)
    assert match is not None
    hour, minute, half = int(match["hour"]), int(match["minute"] or 0), match["half"]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    elif "." in figures or not (hour >= 12 or figures.startswith("0")):
        # "12.30" may be a price.
        return None
    return time(hour, minute) if hour < 24 and minute < 60 else None
