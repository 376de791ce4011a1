"""A value where it stands in a text."""

from __future__ import annotations

from dataclasses import dataclass

from memory.language.engine.masking import MASK_CHARACTER


@dataclass(frozen=True)
class FoundValue:
    """A value at ``text[start:end]``, written as a person would write it in a notebook."""

    start: int
    end: int
    value: str


def has_mask(text: str, found: FoundValue) -> bool:
    """Whether a value touches hidden text."""
    return MASK_CHARACTER in text[found.start : found.end]
