"""Letters and marks that a lesson may be written in, and the one way in which it is written."""

import re
import unicodedata

# Marks that word processors put in place of the plain ones.
_STRAIGHT = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "."})
_PLAIN = re.compile(r"[A-Za-z0-9 ,.;:'\"()?!%&+-]*")
# "j.d.", "chick.com": a full stop between letters ends no sentence.
_INNER_STOP = re.compile(r"[A-Za-z]\.[A-Za-z]|[A-Za-z0-9][:;,!?][A-Za-z0-9]|\b[A-Za-z]\.")
_ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|vs|etc)\.", re.IGNORECASE)


def canonical(text: str) -> str:
    """A text with plain quotes, dashes and spaces."""
    plain = unicodedata.normalize("NFC", text).translate(_STRAIGHT)
    return re.sub(r"[ \t\r\n]+", " ", plain).strip()


def odd(text: str) -> list[str]:
    """What a canonical text may not hold: other alphabets, what is unseen, addresses, initials."""
    strange = [one for one in text if not _PLAIN.fullmatch(one)]
    return strange or _INNER_STOP.findall(_ABBREVIATIONS.sub("", text))
