"""Trust and relevance as pure functions of numbers, with no database and no clock."""

import math
from typing import NamedTuple


class TrustWord(NamedTuple):
    """Trust as a word, and the number of filled stitches (of five) that pages show."""

    word: str
    stitches: int


# The lowest trust for each word, from the design guide.
_WORDS = (
    (0.90, TrustWord("Sure", 5)),
    (0.75, TrustWord("Fairly sure", 4)),
    (0.55, TrustWord("Not sure yet", 3)),
    (0.35, TrustWord("A guess", 2)),
)


def trust_in_words(trust: float) -> TrustWord:
    """Return the word for a trust of 0..1."""
    # Tolerance for sums of tenths: 0.8999… is still 'Sure'.
    return next((word for floor, word in _WORDS if trust >= floor - 0.0005), TrustWord("Hardly", 1))


def after_agreement(trust: float, step: float) -> float:
    """Return the trust after a repetition: `t + step·(1 - t)`, at most 1."""
    return min(1.0, trust + step * (1.0 - trust))


def after_drift(trust: float, step: float, drift: float) -> float:
    """Return the trust after a different value at a distance `drift` (0..1): `t - step·drift`."""
    return max(0.0, trust - step * drift)


def belief(trust: float, confidence: float, alpha: float) -> float:
    """Return the belief weight `w = α·trust + (1 - α)·confidence`, 0..1."""
    return alpha * trust + (1.0 - alpha) * confidence


def recency_factor(age_days: float, half_life_days: float | None, floor: float) -> float:
    """Return `ρ`, 0..1: halves every half-life down to `floor`; 1 if `half_life_days` is None."""
    if half_life_days is None:
        return 1.0
    return floor + (1.0 - floor) * math.pow(0.5, max(age_days, 0.0) / half_life_days)


class Score(NamedTuple):
    """The relevance score `R = s·ρ·w` with its factors."""

    similarity: float
    recency: float
    belief: float

    @property
    def total(self) -> float:
        """The score R, 0..1."""
        return self.similarity * self.recency * self.belief

    def explained(self) -> dict[str, float]:
        """Return the rounded factors and their product, keyed by their symbol in the formula."""
        factors = {"s": self.similarity, "rho": self.recency, "w": self.belief, "R": self.total}
        return {name: round(value, 4) for name, value in factors.items()}
