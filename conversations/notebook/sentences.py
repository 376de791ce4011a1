"""Sentences of what was said, and how much of a question they speak of."""

import re

# A title before a name ends no sentence: "Dr. Moll".
_END = re.compile(
    r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)(?<=[.!?…])[\"'”’)]*\s+(?=[^\sa-z])"
    r"|\n+|\s*(?=\[shares a picture)"
)
# Who writes all in small letters begins a sentence with one.
_END_IN_SMALL_LETTERS = re.compile(
    r"(?<!\bdr\.)(?<!\bmr\.)(?<!\bmrs\.)(?<!\bms\.)(?<!\bst\.)(?<!\.\w\.)(?<=[.!?…])\s+|\n+"
)
# What a picture showed, as a played-back turn says it: not said by anybody.
_PICTURE = re.compile(r"^\[shares a picture: .*\]$")


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order, without what only describes a picture."""
    ends = _END_IN_SMALL_LETTERS if text.islower() else _END
    parts = (part.strip() for part in ends.split(text))
    return [part for part in parts if part and not _PICTURE.match(part)]
