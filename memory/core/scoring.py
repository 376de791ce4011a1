"""Trust and relevance as pure functions of numbers, with no database and no clock."""

import math
from typing import NamedTuple


class TrustWord(NamedTuple):
    """Trust in words, and how many of five stitches are filled."""

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
    """Return a trust of 0..1 in words."""
    # Half a thousandth of grace: 0.9 reached by sums of tenths is still 'Sure'.
    return next((word for floor, word in _WORDS if trust >= floor - 0.0005), TrustWord("Hardly", 1))


def after_agreement(trust: float, step: float) -> float:
    """Return the trust after a repetition: `t + step·(1 - t)`, never above 1."""
    return min(1.0, trust + step * (1.0 - trust))


def after_drift(trust: float, step: float, drift: float) -> float:
    """Return the trust after another value, `drift` (0..1) away: `t - step·drift`,
    never below 0.
    """
    return max(0.0, trust - step * drift)


def belief(trust: float, confidence: float, alpha: float) -> float:
    """Return `w = α·trust + (1 - α)·confidence`, 0..1."""
    return alpha * trust + (1.0 - alpha) * confidence


def recency_factor(age_days: float, half_life_days: float | None, floor: float) -> float:
    """Return `ρ`: halves every half-life down to the floor; None does not decay."""
    if half_life_days is None:
        return 1.0
    return floor + (1.0 - floor) * math.pow(0.5, max(age_days, 0.0) / half_life_days)


class Score(NamedTuple):
    """`R = s·ρ·w`, with each factor for explanations."""

    similarity: float
    recency: float
    belief: float

    @property
    def total(self) -> float:
        """R, 0..1."""
        return self.similarity * self.recency * self.belief

    def explained(self) -> dict[str, float]:
        """Return the rounded factors and their product."""
        factors = {"s": self.similarity, "rho": self.recency, "w": self.belief, "R": self.total}
        return {name: round(value, 4) for name, value in factors.items()}
