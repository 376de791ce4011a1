"""How much speaks for each side: `0.6·trust + 0.2·confidence + 0.2·recency`."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from ledger.models import Contradiction
from memory.core import scoring
from memory.models import ProfileFact


@dataclass(frozen=True)
class Scores:
    """How much speaks for each side, 0..1."""

    old: float
    new: float

    @property
    def are_close(self) -> bool:
        """Whether they are too close to call."""
        # A hair of grace: 0.1 reached by sums of products is still 0.1.
        margin: float = settings.MEMORY["settle_margin"]
        return abs(self.old - self.new) < margin - 1e-9

    @property
    def old_wins(self) -> bool:
        """Whether more speaks for what was noted first."""
        return self.old > self.new


def scores(entry: Contradiction, at: datetime) -> Scores:
    """Weigh both sides as they stand at a moment.

    The old one is weighed as it was believed before the new one shook it: what is in question
    cannot be evidence for itself.
    """
    shaken = settings.MEMORY["drift_step"] * entry.drift
    old = min(1.0, entry.old_fact.trust + shaken)
    return Scores(_score(entry.old_fact, old, at), _score(entry.new_fact, entry.new_fact.trust, at))


def _score(fact: ProfileFact, trust: float, at: datetime) -> float:
    weights = settings.MEMORY["settle_weights"]
    age = (at - fact.last_verified) / timedelta(days=1)
    recency = scoring.recency(age, settings.MEMORY["settle_half_life_days"], 0.0)
    return float(
        weights["trust"] * trust
        + weights["confidence"] * fact.confidence
        + weights["recency"] * recency
    )
