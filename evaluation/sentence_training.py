"""Training the classifiers of sentences on `evaluation/examples`, and what they are worth."""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from conversations.notebook import intents
from memory.language import (
    CORRECTIONS_PATH,
    PRIVATE_SENTENCES_PATH,
    Float32Array,
    SentenceClassifier,
    correction_features,
    sentence_features,
    softmax,
)
from memory.notes import NOTEWORTHINESS_PATH

EXAMPLES = Path(__file__).with_name("examples")
FOLDS = 5
_SMOOTHING, _ROUNDS = 0.3, 350
# So many examples of corrections are made of others, beside those that stand in the file.
_MADE = 1600
_TALK = (
    "noteworthy.tsv",
    "private.tsv",
    "small_talk.tsv",
    "questions.tsv",
    "product_questions.tsv",
    "intents.tsv",
)


@dataclass(frozen=True)
class Example:
    """One example: its label, what makes its features, and what examples that go together share."""

    label: str
    features: Callable[[], Float32Array]
    group: str


@dataclass(frozen=True)
class Task:
    """A classifier to be trained: its file, those with its examples, and what a label of theirs
    counts as here; None for not at all.
    """

    path: Path
    sources: tuple[str, ...]
    counts_as: Mapping[str, str | None] = field(default_factory=dict)

    def examples(self) -> Iterator[Example]:
        """Those of its files."""
        for line in _lines(*self.sources):
            written, sentence = line.split("\t", 1)
            label = self.counts_as.get(written, written)
            if label is not None:
                yield Example(label, partial(sentence_features, sentence), sentence)


class CorrectionTask(Task):
    """Messages with those before them; what is said beside them is drawn from other examples."""

    def examples(self) -> Iterator[Example]:
        """Those of the file, some with something else said beside or between, and mere talk."""
        told = [one for line in _lines(*self.sources) if (one := json.loads(line))["before"]]
        talk = [line.split("\t")[1] for line in _lines(*_TALK) if not line.startswith("correction")]
        chance = random.Random(0)  # noqa: S311 - the same examples at each training
        for one in told:
            yield self._example(one["text"], one["before"], one["label"])
        for one in chance.sample(told, _MADE // 8):
            both = f"{one['text'].rstrip('.!')}. {chance.choice(talk)}"
            yield self._example(both, one["before"], one["label"])
        for one in chance.sample(told, _MADE // 8):
            between = chance.sample(talk, chance.randint(1, 3))
            yield self._example(one["text"], [*one["before"], *between], one["label"])
        for _ in range(_MADE):
            said = " ".join(chance.sample(talk, chance.randint(1, 3)))
            yield self._example(said, chance.sample(talk, chance.randint(1, 5)), "new")

    def _example(self, text: str, before: list[str], label: str) -> Example:
        told = self.counts_as.get(label) or label
        return Example(told, partial(correction_features, text, before), before[0])


def _lines(*names: str) -> Iterator[str]:
    for name in names:
        yield from (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


# What asks, greets or thanks tells nothing of a life; what states, a joy or a sorrow may.
_ASKS_OR_GREETS = (
    *("task", "knowledge", "memory_question", "rhetorical", "greeting", "goodbye", "thanks"),
    *("export", "forget_request", "privacy", "what_is_noted"),
)
_INTENTS = (
    "small_talk.tsv",
    "questions.tsv",
    "product_questions.tsv",
    "intents.tsv",
    "talk.tsv",
    "noteworthy.tsv",
    "bare_lines.tsv",
)
TASKS = {
    "noteworthiness": Task(
        NOTEWORTHINESS_PATH,
        ("noteworthy.tsv", "questions.tsv", "bare_lines.tsv"),
        dict.fromkeys(("statement", "joy", "sorrow")) | dict.fromkeys(_ASKS_OR_GREETS, "passing"),
    ),
    "private_sentences": Task(PRIVATE_SENTENCES_PATH, ("private.tsv",)),
    "corrections": CorrectionTask(
        CORRECTIONS_PATH, ("corrections.jsonl",), {"adds": "other", "new": "other"}
    ),
    "intents": Task(intents.CLASSIFIER_PATH, _INTENTS, {"worth": "statement", "passing": None}),
}


@dataclass(frozen=True)
class Known:
    """Examples: a row of features each, the number of its label, and that of its group."""

    labels: list[str]
    rows: Float32Array
    kinds: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int64]

    def part(self, which: npt.NDArray[np.bool_]) -> "Known":
        """Those that are marked."""
        return Known(self.labels, self.rows[which], self.kinds[which], self.groups[which])


def known(task: Task, every: int = 1) -> Known:
    """The examples of a task; of `every` so many one, for who only takes a sample."""
    told = list(islice(task.examples(), 0, None, every))
    labels = sorted({one.label for one in told})
    numbers: dict[str, int] = {}
    return Known(
        labels,
        np.stack([one.features() for one in told]),
        np.array([labels.index(one.label) for one in told]),
        np.array([numbers.setdefault(one.group, len(numbers)) for one in told]),
    )


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
    groups = examples.groups
    fold = np.random.default_rng(0).integers(0, FOLDS, groups.max() + 1)[groups]
    found = np.zeros((len(fold), len(examples.labels)), np.float32)
    for number in range(FOLDS):
        out = fold == number
        trained = train(examples.part(~out))
        found[out] = softmax(examples.rows[out] @ trained.weights.T)
    return found
