"""Trust and relevance as pure functions of numbers, with no database and no clock."""

import math
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


def trust_in_words(trust: float) -> TrustWord:
    """Say a trust of 0..1 in words."""
    # Half a thousandth of grace: 0.9 reached by sums of tenths is still 'Sure'.
    return next((word for floor, word in _WORDS if trust >= floor - 0.0005), TrustWord("Hardly", 1))


def after_agreement(trust: float, step: float) -> float:
    """Trust after the same thing was said again: `t + step·(1 - t)`, never above 1."""
    return min(1.0, trust + step * (1.0 - trust))


def after_drift(trust: float, step: float, drift: float) -> float:
    """Trust after something else was said, `drift` (0..1) away: `t - step·drift`, never below 0."""
    return max(0.0, trust - step * drift)


def belief(trust: float, confidence: float, alpha: float) -> float:
    """`w = α·trust + (1 - α)·confidence`, 0..1."""
    return alpha * trust + (1.0 - alpha) * confidence


def recency_factor(age_days: float, half_life_days: float | None, floor: float) -> float:
    """`ρ`: halves every half-life and never falls below the floor; None does not fade at all."""
    if half_life_days is None:
        return 1.0
    return floor + (1.0 - floor) * math.pow(0.5, max(age_days, 0.0) / half_life_days)


class Score(NamedTuple):
    """`R = s·ρ·w`, with each factor for whoever wants to know why."""

    similarity: float
    recency: float
    belief: float

    @property
    def total(self) -> float:
        """R, 0..1."""
        return self.similarity * self.recency * self.belief

    def explained(self) -> dict[str, float]:
        """The factors and their product, rounded to what a reader can use."""
        factors = {"s": self.similarity, "rho": self.recency, "w": self.belief, "R": self.total}
        return {name: round(value, 4) for name, value in factors.items()}
