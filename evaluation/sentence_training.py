"""Training the classifiers of sentences on `evaluation/examples`, and what they are worth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from conversations.notebook import intents
from memory.language import (
    PRIVATE_SENTENCES_PATH,
    Float32Array,
    SentenceClassifier,
    sentence_features,
    softmax,
)
from memory.notes import NOTEWORTHINESS_PATH

EXAMPLES = Path(__file__).with_name("examples")
FOLDS = 5
_SMOOTHING, _ROUNDS = 0.3, 350


@dataclass(frozen=True)
class Task:
    """A classifier to be trained: its file, those with its examples, and what a label of theirs
    counts as here; None for not at all.
    """

    path: Path
    sources: tuple[str, ...]
    counts_as: Mapping[str, str | None] = field(default_factory=dict)


TASKS = {
    "noteworthiness": Task(NOTEWORTHINESS_PATH, ("noteworthy.tsv",)),
    "private_sentences": Task(PRIVATE_SENTENCES_PATH, ("private.tsv",)),
    "intents": Task(
        intents.CLASSIFIER_PATH,
        (
            "small_talk.tsv",
            "questions.tsv",
            "product_questions.tsv",
            "intents.tsv",
            "noteworthy.tsv",
        ),
        {"worth": "statement", "passing": None},
    ),
}


@dataclass(frozen=True)
class Known:
    """Examples: a row of features each, and the number of its label."""

    labels: list[str]
    rows: Float32Array
    kinds: npt.NDArray[np.int64]

    def part(self, which: npt.NDArray[np.bool_]) -> "Known":
        """Those that are marked."""
        return Known(self.labels, self.rows[which], self.kinds[which])


def known(task: Task) -> Known:
    """The examples of a task."""
    told = list(_told(task))
    labels = sorted({label for label, _ in told})
    rows = np.stack([sentence_features(sentence) for _, sentence in told])
    return Known(labels, rows, np.array([labels.index(label) for label, _ in told]))


def _told(task: Task) -> Iterator[tuple[str, str]]:
    """A line an example: its label, a tab, the sentence."""
    for name in task.sources:
        for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines():
            written, sentence = line.split("\t", 1)
            label = task.counts_as.get(written, written)
            if label is not None:
                yield label, sentence


def train(examples: Known) -> SentenceClassifier:
    """Multinomial logistic regression with a ridge, by Nesterov's accelerated gradient."""
    rows, wanted = examples.rows, np.eye(len(examples.labels), dtype=np.float32)[examples.kinds]
    steepest = 0.5 * float(np.linalg.norm(rows @ rows.T, 2)) + _SMOOTHING
    weights = ahead = np.zeros((rows.shape[1], wanted.shape[1]), np.float32)
    for number in range(_ROUNDS):
        slope = rows.T @ (softmax(rows @ ahead) - wanted) + _SMOOTHING * ahead
        before, weights = weights, ahead - slope / steepest
        ahead = weights + number / (number + 3) * (weights - before)
    return SentenceClassifier(examples.labels, np.ascontiguousarray(weights.T, np.float32))


def cross_validate(examples: Known) -> Float32Array:
    """The probability of each label for each example, by a classifier that did not know it."""
    fold = np.random.default_rng(0).integers(0, FOLDS, len(examples.kinds))
    found = np.zeros((len(fold), len(examples.labels)), np.float32)
    for number in range(FOLDS):
        out = fold == number
        trained = train(examples.part(~out))
        found[out] = softmax(examples.rows[out] @ trained.weights.T)
    return found
