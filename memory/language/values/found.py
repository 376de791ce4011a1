"""A value where it stands in a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FoundValue:
    """A value at ``text[start:end]``, written as a person would write it in a notebook."""

    start: int
    end: int
    value: str
