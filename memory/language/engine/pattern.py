"""What a pattern is. Patterns are data; :mod:`memory.language.extraction` runs them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from memory.language.engine.predicates import Mode
from memory.language.lazy_pattern import lazy_pattern
from memory.language.values.readers import Reader

Kind = Literal["statement", "correction", "transition", "past", "denial", "ended"]
"""How a value is said. "ended" says that the one that is held is over, and does not name it."""

EXPLICIT = 0.90
"""Trust at birth of what is typed and explicit."""
IMPLIED = 0.70
"""Trust at birth of what follows from something else that was said."""
WEAK = 0.65
"""Trust at birth of what is most often meant, though not said: "I swim", "my car"."""


class Anchor(StrEnum):
    """Where a pattern is anchored."""

    BE = "be"  # after "I am"
    VERB = "verb"  # after "I"
    MY = "my"  # at "my ..."
    OPEN = "open"  # at the start of any clear clause, subject included
    ANY = "any"  # anywhere in a clear clause
    GIVEN = "given"  # like ANY, and where it is taken for granted: "when my dog barks"


@dataclass(frozen=True)
class Pattern:
    """One way of saying one thing.

    ``regex`` is matched at the anchor; the value starts where the match ends. ``modes`` are the
    predicate modes in which it speaks at all. ``kind`` overrides the kind that the mode
    implies. ``check`` may refuse a match; ``shape`` writes the notebook form from match and value.
    """

    cue: str
    slot: str
    heads: tuple[Anchor, ...]
    regex: re.Pattern[str]
    read: Reader
    trust: float = EXPLICIT
    confidence: float = 0.9
    kind: Kind | None = None
    modes: frozenset[Mode] = frozenset({Mode.NOW, Mode.PAST, Mode.DENIED})
    check: Callable[[re.Match[str]], bool] | None = None
    shape: Callable[[re.Match[str], str], str] | None = None
    is_given: bool = field(init=False)
    is_anywhere: bool = field(init=False)
    is_open: bool = field(init=False)

    def __post_init__(self) -> None:
        # Asked of every pattern for every clause, so worked out once.
        for name, head in (
            ("given", Anchor.GIVEN),
            ("anywhere", Anchor.ANY),
            ("open", Anchor.OPEN),
        ):
            object.__setattr__(self, f"is_{name}", head in self.heads)


def pattern(
    cue: str,
    heads: str,
    regex: str,
    read: Reader,
    *,
    trust: float = EXPLICIT,
    confidence: float = 0.9,
    kind: Kind | None = None,
    modes: str = "now past denied",
    check: Callable[[re.Match[str]], bool] | None = None,
    shape: Callable[[re.Match[str], str], str] | None = None,
    slot: str = "",
) -> Pattern:
    """A pattern from readable parts; the slot is the part of the cue before the dot."""
    return Pattern(
        cue=cue,
        slot=slot or cue.split(".", maxsplit=1)[0],
        heads=tuple(Anchor(part) for part in heads.split()),
        regex=lazy_pattern(regex, re.IGNORECASE),
        read=read,
        trust=trust,
        confidence=confidence,
        kind=kind,
        modes=frozenset(Mode(part) for part in modes.split()),
        check=check,
        shape=shape,
    )


def capital_follows(match: re.Match[str]) -> bool:
    """Whether the value starts with a capital: the only sign of a name in some wordings."""
    return match.string[match.end() : match.end() + 1].isupper()


def next_word(match: re.Match[str]) -> str:
    """The first word of the value, lower case."""
    return match.string[match.end() : match.end() + 40].split(" ")[0].lower().rstrip(".,!")
