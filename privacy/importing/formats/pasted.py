"""Memories as lines of text: `[YYYY-MM-DD] - fact`, as assistants write out what they remember."""

import re
from collections.abc import Iterable, Iterator

from privacy.importing import shapes
from privacy.importing.shapes import ImportedMemory, Skipped

SOURCE = "list"
NO_DATE = "it has no date"
# The date may stand in brackets; a line may be an item of a list.
_LINE = re.compile(
    r"\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?\[?(\d{4}-\d{2}-\d{2}|unknown)\]?\s*[-–—:]\s*(\S.*)",
    re.IGNORECASE,
)


def matches(line: str) -> bool:
    """Return whether a line is a memory with its date."""
    return _LINE.match(line) is not None


def read(lines: Iterable[str]) -> Iterator[ImportedMemory | Skipped]:
    """Return each line that is a memory; headings and empty lines are passed over, and a line
    without a date is skipped with that reason.
    """
    for line in lines:
        match = _LINE.match(line)
        if match is not None:
            text = match[2].strip()
            yield ImportedMemory(text, shapes.moment(match[1]), f"{match[1]}:{text}")
        elif line.strip() and not line.lstrip().startswith("#") and not line.rstrip().endswith(":"):
            yield Skipped(NO_DATE)
