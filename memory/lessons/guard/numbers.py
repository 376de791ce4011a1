"""Numbers that a lesson may hold: small counts, shares and lengths of time. No date, no sum."""

import re
from collections.abc import Iterator

from memory.lessons.guard import specifics

# Only small counts, a share of a hundred, or a measure.
_UNITS = (
    r"(?:minutes?|hours?|days?|weeks?|months?|years?|quarters?|miles?|kilomet(?:re|er)s?|degrees?"
    r"|percent|points?|times|words?|pages?|charts?|lines?|steps?|questions?|items?|seconds?)"
)
_ALLOWED = re.compile(
    r"(?<![\w.,:/-])(?:(?:[1-9]|1[0-2])(?![\w.,:/-]*\d)(?!\w)|[1-9]\d{0,2}(?:%|[ -]"
    rf"{_UNITS}\b))"
)
_DIGITS = re.compile(r"\S*\d\S*")
_MOST = 3


def not_allowed(text: str) -> Iterator[str]:
    """The numbers, dates and sums of a text that a lesson may not hold."""
    written = text.replace("(", " ").replace(")", " ")
    allowed = _ALLOWED.findall(written)
    yield from _DIGITS.findall(_ALLOWED.sub(" ", written))
    if len(allowed) > _MOST:
        yield from allowed
    yield from specifics.matches(written, "number")
