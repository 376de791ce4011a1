"""Training and measuring a classifier of what belongs in a profile, on users' decisions.

Logistic regression with L2 regularisation, solved by Newton's method without a library.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

import numpy as np
import numpy.typing as npt
from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.timezone import now

from accounts.database.isolation import acting_as_trainer
from ledger.models import Decision, ProfileClassifier
from ledger.promotion import promotion_policy

Floats = npt.NDArray[np.float64]
# One user in four is held out from training, to measure the result.
_HELD_OUT = 4
_RIDGE = 1.0
_MOST_STEPS = 50


class TooThin(ValueError):
    """Too few decisions or users to learn from; the message says what is missing."""


@dataclass(frozen=True)
class Example:
    """A decision, and the user who made it."""

    user: str
    slot: str
    trust: float
    confidence: float
    confirmations: int
    edits: int
    worthy: bool

    @property
    def told(self) -> tuple[str, float, float, int, int]:
        """Return the arguments for `promotion_policy.is_worthy`."""
        return self.slot, self.trust, self.confidence, self.confirmations, self.edits


@dataclass(frozen=True)
class Figures:
    """Precision, recall and F1 of a classifier."""

    precision: float
    recall: float
    f1: float


def read_decisions() -> list[Example]:
    """Return the decisions of all users, read with the database role of the trainer."""
    with acting_as_trainer():
        names = ("slot", "trust", "confidence", "confirmations", "edits", "worthy")
        rows = Decision.objects.order_by("at", "pk").values_list("user_id", *names)
        return [Example(str(user_id), *columns) for user_id, *columns in rows.iterator()]


def train(examples: Sequence[Example], *, from_a_file: bool = False) -> ProfileClassifier:
    """Train a classifier, measure it on held-out users, and save it, inactive.

    The figures are those of the saved weights; `from_a_file` is saved with them. Raises TooThin and
    saves nothing if there are too few decisions.
    """
    _refuse_thin(examples)
    learned, held_out = split(examples)
    for part in (learned, held_out):
        if len({example.worthy for example in part}) < 2:
            raise TooThin(
                "Too few people have made decisions to train on some and test on the rest."
            )
    weights = fit(learned)
    classifier = ProfileClassifier(weights=weights, trained_at=now(), version=0)
    classifier.figures = {
        "classifier": asdict(measure(held_out, classifier)),
        "heuristic": asdict(measure(held_out, None)),
        "learned": _counts(learned),
        "held_out": _counts(held_out),
        "from_a_file": from_a_file,
    }
    with transaction.atomic():
        newest = ProfileClassifier.objects.aggregate(newest=Max("version"))["newest"]
        classifier.version = (newest or 0) + 1
        classifier.save()
    return classifier


def _refuse_thin(examples: Sequence[Example]) -> None:
    least, there = settings.MEMORY["classifier_least"], _counts(examples)
    fewer = min(there["kept"], there["decisions"] - there["kept"])
    wanting = [
        f"{count} {label} (at least {needed})"
        for label, count, needed in (
            ("decisions", there["decisions"], least["decisions"]),
            ("of the less common kind", fewer, least["of_either_kind"]),
            ("people", there["people"], least["people"]),
        )
        if count < needed
    ]
    if wanting:
        raise TooThin(f"Not enough to learn from: {', '.join(wanting)}.")


def _counts(examples: Sequence[Example]) -> dict[str, int]:
    return {
        "decisions": len(examples),
        "kept": sum(example.worthy for example in examples),
        "people": len({example.user for example in examples}),
    }


def split(examples: Sequence[Example]) -> tuple[list[Example], list[Example]]:
    """Return training and test examples: no user is in both, and the split is deterministic."""
    people = sorted(
        {example.user for example in examples}, key=lambda u: sha256(u.encode()).digest()
    )
    asked = set(people[::_HELD_OUT])
    parts: tuple[list[Example], list[Example]] = ([], [])
    for example in examples:
        parts[example.user in asked].append(example)
    return parts


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return a weight for each feature; slots without decisions have none."""
    feature_rows = [promotion_policy.features(*example.told) for example in examples]
    names = sorted({name for row in feature_rows for name in row})
    rows = np.array([[row.get(name, 0.0) for name in names] for row in feature_rows])
    wanted = np.array([float(example.worthy) for example in examples])
    # The intercept is not regularised.
    ridge = np.array([0.0 if name == promotion_policy.ALWAYS else _RIDGE for name in names])
    return dict(zip(names, map(float, _newton(rows, wanted, ridge)), strict=True))


def _newton(rows: Floats, wanted: Floats, ridge: Floats) -> Floats:
    weights = np.zeros(rows.shape[1])
    for _ in range(_MOST_STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(rows @ weights, -500, 500)))
        slope = rows.T @ (wanted - likely) - ridge * weights
        curve = (rows.T * (likely * (1.0 - likely))) @ rows + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def measure(examples: Sequence[Example], by: ProfileClassifier | None) -> Figures:
    """Return the figures of the classifier, or of the heuristic if it is None."""
    let_in = [example for example in examples if promotion_policy.is_worthy(*example.told, by=by)]
    right = sum(example.worthy for example in let_in)
    labels = sum(example.worthy for example in examples)
    precision, recall = right / (len(let_in) or 1), right / (labels or 1)
    return Figures(precision, recall, 2 * precision * recall / ((precision + recall) or 1.0))
