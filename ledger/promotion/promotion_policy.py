"""Whether something plainly said is worth a place in the profile without asking.

A heuristic of slot and trust, unless staff switched a trained classifier on. Private conversations,
blocked and sensitive slots are kept out before, by `memory.core.persistence_gate`, whatever it
would say here.
"""

import math

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from ledger.models import ProfileClassifier
from memory.slots import SLOTS

# Worth it from this probability on.
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
    """Whether it enters the profile; `by` is the classifier that is switched on, if one is.

    What the classifier has never seen decided is left to the heuristic.
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
    """What a decision looks like to the classifier, by name. The tenth time tells little more than
    the ninth, so counts go in as logarithms.
    """
    return {
        ALWAYS: 1.0,
        slot_feature(slot): 1.0,
        "trust": trust,
        "confidence": confidence,
        "confirmations": math.log1p(confirmations),
        "edits": math.log1p(edits),
    }


def slot_feature(slot: str) -> str:
    """'slot employer'"""
    return f"slot {slot}"


def probability(weights: dict[str, float], values: dict[str, float]) -> float:
    """How likely its owner would keep it, 0..1."""
    odds = sum(weights.get(name, 0.0) * value for name, value in values.items())
    return 1.0 / (1.0 + math.exp(-odds)) if odds > -700 else 0.0


def in_force() -> ProfileClassifier | None:
    """The classifier that is switched on; None where the heuristic decides."""
    return switched_on().first()


def switched_on() -> QuerySet[ProfileClassifier]:
    """It or nothing, to be asked for."""
    return ProfileClassifier.objects.filter(switched_on=True)


def switch_on(classifier: ProfileClassifier) -> None:
    """Let it decide from now on, in place of the heuristic or of another version."""
    with transaction.atomic():
        switch_off()
        classifier.switched_on = True
        classifier.save(update_fields=["switched_on"])


def switch_off() -> None:
    """Let the heuristic decide."""
    switched_on().update(switched_on=False)
