"""How far a value is believed: pure functions of numbers, no database, no clock."""

from typing import NamedTuple


class TrustWord(NamedTuple):
    """Trust as a person reads it: a word, and how many of five stitches are lit."""

    word: str
    stitches: int


# From the design guide: the lowest trust that earns each word.
_WORDS = (
    (0.90, TrustWord("Sure", 5)),
    (0.75, TrustWord("Fairly sure", 4)),
    (0.55, TrustWord("Not sure yet", 3)),
    (0.35, TrustWord("A guess", 2)),
)


def in_words(trust: float) -> TrustWord:
    """Say a trust of 0..1 in words."""
    # Half a thousandth of grace: 0.9 reached by sums of tenths is still 'Sure'.
    return next((word for floor, word in _WORDS if trust >= floor - 0.0005), TrustWord("Hardly", 1))


def after_agreement(trust: float, step: float) -> float:
    """Trust after the same thing was said again: `t + step·(1 - t)`, never above 1."""
    return min(1.0, trust + step * (1.0 - trust))
