"""How much speaks for each side: `0.6·trust + 0.2·confidence + 0.2·recency`."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from ledger.models import Contradiction
from memory.core.scoring import recency_factor
from memory.models import ProfileFact


@dataclass(frozen=True)
class SideWeights:
    """What speaks for one side, each 0..1, and all of it together."""

    trust: float
    confidence: float
    recency: float

    @property
    def score(self) -> float:
        """The sum of the three by their weights."""
        weights = settings.MEMORY["settle_weights"]
        return float(sum(weight * getattr(self, of) for of, weight in weights.items()))


@dataclass(frozen=True)
class Scores:
    """Both sides, weighed."""

    old: SideWeights
    new: SideWeights

    @property
    def are_close(self) -> bool:
        """Whether they are too close to call."""
        # A hair of grace: 0.1 reached by sums of products is still 0.1.
        margin: float = settings.MEMORY["settle_margin"]
        return abs(self.old.score - self.new.score) < margin - 1e-9

    @property
    def old_wins(self) -> bool:
        """Whether the old side has the higher score."""
        return self.old.score > self.new.score


def scores(entry: Contradiction, at: datetime) -> Scores:
    """Return the scores of both sides at a moment.

    The old fact is weighed with its trust before the conflict: what is in question cannot be
    evidence for itself.
    """
    shaken = settings.MEMORY["drift_step"] * entry.drift
    trust = min(1.0, entry.old_fact.trust + shaken)
    new = _weighed(entry.new_fact, entry.new_fact.trust, at)
    return Scores(_weighed(entry.old_fact, trust, at), new)


def _weighed(fact: ProfileFact, trust: float, at: datetime) -> SideWeights:
    age = (at - fact.last_verified) / timedelta(days=1)
    recency = recency_factor(age, settings.MEMORY["settle_half_life_days"], 0.0)
    return SideWeights(trust, fact.confidence, recency)
