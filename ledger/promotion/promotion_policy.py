"""Whether a plainly stated value enters the profile without asking.

Decided by a heuristic of slot and trust, or by the classifier that staff activated. Private
conversations, blocked and sensitive slots are excluded before, by `memory.core.persistence_gate`.
"""

import math

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from ledger.models import ProfileClassifier
from memory.slots import SLOTS

# The minimum probability.
THRESHOLD = 0.5
ALWAYS = "always there"


def is_worthy(
    slot: str,
    trust: float,
    confidence: float,
    confirmations: int = 0,
    edits: int = 0,
    *,
    by: ProfileClassifier | None = None,
) -> bool:
    """Return whether a value enters the profile; `by` is the active classifier, if any.

    Slots without training decisions are judged by the heuristic.
    """
    kind = SLOTS.get(slot)
    if kind is None or kind.sensitive:
        return False
    if by is not None and slot_feature(slot) in by.weights:
        values = features(slot, trust, confidence, confirmations, edits)
        return probability(by.weights, values) >= THRESHOLD
    return trust > float(settings.MEMORY["promotion_trust"])


def features(
    slot: str, trust: float, confidence: float, confirmations: int, edits: int
) -> dict[str, float]:
    """Return the features of a decision by name; counts are logarithmic."""
    return {
        ALWAYS: 1.0,
        slot_feature(slot): 1.0,
        "trust": trust,
        "confidence": confidence,
        "confirmations": math.log1p(confirmations),
        "edits": math.log1p(edits),
    }


def slot_feature(slot: str) -> str:
    """Return the name of a slot's feature: 'slot employer'."""
    return f"slot {slot}"


def probability(weights: dict[str, float], values: dict[str, float]) -> float:
    """Return the probability that the user keeps the value, 0..1."""
    odds = sum(weights.get(name, 0.0) * value for name, value in values.items())
    return 1.0 / (1.0 + math.exp(-odds)) if odds > -700 else 0.0


def in_force() -> ProfileClassifier | None:
    """Return the active classifier; None if the heuristic decides."""
    return switched_on().first()


def switched_on() -> QuerySet[ProfileClassifier]:
    """Return the active classifier as a queryset."""
    return ProfileClassifier.objects.filter(switched_on=True)


def switch_on(classifier: ProfileClassifier) -> None:
    """Activate a classifier, replacing the heuristic or another classifier."""
    with transaction.atomic():
        switch_off()
        classifier.switched_on = True
        classifier.save(update_fields=["switched_on"])


def switch_off() -> None:
    """Deactivate the classifier; the heuristic decides again."""
    switched_on().update(switched_on=False)
