"""The characters and numbers that a lesson may contain."""

import re
import unicodedata
from collections.abc import Iterator

from memory.lessons.guard import specifics

# Typographic punctuation and its plain form.
_STRAIGHT = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "."})
_PLAIN = re.compile(r"[A-Za-z0-9 ,.;:'\"()?!%&+-]*")
# "j.d.", "chick.com": a full stop between letters does not end a sentence.
_INNER_STOP = re.compile(r"[A-Za-z]\.[A-Za-z]|[A-Za-z0-9][:;,!?][A-Za-z0-9]|\b[A-Za-z]\.")
_ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|vs|etc)\.", re.IGNORECASE)
# Only counts up to 12, percentages, or numbers with a unit.
_UNITS = (
    r"(?:minutes?|hours?|days?|weeks?|months?|years?|quarters?|miles?|kilomet(?:re|er)s?|degrees?"
    r"|percent|points?|times|words?|pages?|charts?|lines?|steps?|questions?|items?|seconds?)"
)
_ALLOWED = re.compile(
    r"(?<![\w.,:/-])(?:(?:[1-9]|1[0-2])(?![\w.,:/-]*\d)(?!\w)|[1-9]\d{0,2}(?:%|[ -]"
    rf"{_UNITS}\b))"
)
_DIGITS = re.compile(r"\S*\d\S*")
_MOST_NUMBERS = 3


def canonical(text: str) -> str:
    """Return a text with plain quotes, dashes and spaces."""
    plain = unicodedata.normalize("NFC", text).translate(_STRAIGHT)
    return re.sub(r"[ \t\r\n]+", " ", plain).strip()


def odd_characters(text: str) -> list[str]:
    """Return the characters, addresses and initials that a canonical text may not contain."""
    strange = [character for character in text if not _PLAIN.fullmatch(character)]
    return strange or _INNER_STOP.findall(_ABBREVIATIONS.sub("", text))


def odd_numbers(text: str) -> Iterator[str]:
    """Yield the numbers, dates and amounts that a lesson may not contain."""
    written = text.replace("(", " ").replace(")", " ")
    allowed = _ALLOWED.findall(written)
    yield from _DIGITS.findall(_ALLOWED.sub(" ", written))
    if len(allowed) > _MOST_NUMBERS:
        yield from allowed
    yield from specifics.matches(written, "number")
