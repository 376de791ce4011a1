"""The score of each side of a conflict: `0.6·trust + 0.2·confidence + 0.2·recency`."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from ledger.models import Contradiction
from memory.core.scoring import recency_factor
from memory.models import ProfileFact


@dataclass(frozen=True)
class SideWeights:
    """The factors of one side's score, each 0..1."""

    trust: float
    confidence: float
    recency: float

    @property
    def score(self) -> float:
        """Return the weighted sum of the three factors, 0..1."""
        weights = settings.MEMORY["settle_weights"]
        return float(sum(weight * getattr(self, of) for of, weight in weights.items()))


@dataclass(frozen=True)
class Scores:
    """The scores of both sides."""

    old: SideWeights
    new: SideWeights

    @property
    def are_close(self) -> bool:
        """Return whether the scores are too close to decide."""
        # Tolerance for rounding: a sum of products of 0.1 still counts as 0.1.
        margin: float = settings.MEMORY["settle_margin"]
        return abs(self.old.score - self.new.score) < margin - 1e-9

    @property
    def old_wins(self) -> bool:
        """Return whether the old side has the higher score."""
        return self.old.score > self.new.score


def scores(entry: Contradiction, at: datetime) -> Scores:
    """Return the scores of both sides at a time.

    The old fact is scored with its trust before the conflict, which would otherwise lower it.
    """
    shaken = settings.MEMORY["drift_step"] * entry.drift
    trust = min(1.0, entry.old_fact.trust + shaken)
    new = _weighed(entry.new_fact, entry.new_fact.trust, at)
    return Scores(_weighed(entry.old_fact, trust, at), new)


def _weighed(fact: ProfileFact, trust: float, at: datetime) -> SideWeights:
    age = (at - fact.last_verified) / timedelta(days=1)
    recency = recency_factor(age, settings.MEMORY["settle_half_life_days"], 0.0)
    return SideWeights(trust, fact.confidence, recency)
