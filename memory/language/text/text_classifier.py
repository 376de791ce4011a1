"""A text, or two read together, by the transformer: how probable each of some labels is.

Of two texts each token sees those of the other (a cross-encoder), so that "never touched a
cigarette" and "down to five a day" are told apart from what only speaks of the same. What was
trained is a low-rank adaptation and two small layers behind it, kept in a file beside the module
that asks. One classifier may serve several tasks: "intent/joy" and "private/ordinary" are labels of
two, and the labels of each task are 1 together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import structlog

from accounts.support.best_effort import best_effort
from memory.language.text.recent_vectors import RecentVectors
from memory.language.text.transformer import Float32Array, token_rows, tokenizer

log = structlog.get_logger(__name__)
Texts = str | tuple[str, str]
_MOST_LETTERS = 400
# The mean, and the product of two, are small beside the rest.
_MEAN, _PRODUCT = 3, 20
# So many go through the layers together, and of so many is known what came of them.
_TOGETHER, _MOST_RECENT = 32, 4096
# Stands in no message.
_BETWEEN = "\0"


def task_of(label: str) -> str:
    """The task that a label is one of; "" where a classifier has but one."""
    return label.rpartition("/")[0]


@dataclass(frozen=True)
class TextClassifier:
    """The labels, and what was trained: the adaptation of the transformer (`token_rows`) and the
    layers `hidden` (2 * WIDTH, units), for two texts (3 * WIDTH, units), and `output` (units,
    labels), each with its `.bias`.
    """

    labels: Sequence[str]
    trained: Mapping[str, Float32Array]
    recent: RecentVectors = field(default_factory=lambda: RecentVectors(_MOST_RECENT))

    def probabilities(self, texts: Sequence[Texts]) -> list[dict[str, float]]:
        """How probable each label is for each text or pair; empty dicts on a failure.

        New ones take about 15 ms each, several at once a third of what they take one by one.
        """
        by_key = {one if isinstance(one, str) else _BETWEEN.join(one): one for one in texts}
        rows = self.recent.find(
            list(by_key), lambda keys: self._read([by_key[key] for key in keys])
        )
        known = dict(zip(by_key.values(), rows, strict=True))
        return [
            dict(zip(self.labels, known[one].tolist(), strict=True)) if known[one].any() else {}
            for one in texts
        ]

    def _read(self, texts: Sequence[Texts]) -> Float32Array:
        """A row a text, zeros on a failure."""
        found = np.zeros((len(texts), len(self.labels)), np.float32)
        # No kind of failure here may cost a person a message.
        with best_effort(lambda error: log.warning("texts_not_read", error=type(error).__name__)):
            for first in range(0, len(texts), _TOGETHER):
                part = slice(first, first + _TOGETHER)
                found[part] = self._shares(texts[part])
        return found

    def _shares(self, texts: Sequence[Texts]) -> Float32Array:
        """A row a text, the share of each label among those of its task."""
        encodings = tokenizer().encode_batch([_cut(one) for one in texts])
        features = np.stack(
            [
                _features(rows, np.array(encoding.type_ids, bool))
                for rows, encoding in zip(
                    token_rows(encodings, self.trained), encodings, strict=True
                )
            ]
        )
        trained = self.trained
        hidden = np.tanh(features @ trained["hidden"] + trained["hidden.bias"])
        scores = hidden @ trained["output"] + trained["output.bias"]
        grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
        tasks = [task_of(label) for label in self.labels]
        same = np.array([[one == other for other in tasks] for one in tasks], np.float32)
        return np.asarray(grown / (grown @ same), np.float32)

    @classmethod
    def load(cls, path: Path) -> "TextClassifier":
        """Read the arrays of a file by their names, and `labels`."""
        with np.load(path) as kept:
            arrays = dict(kept)
        labels = [str(label) for label in arrays.pop("labels")]
        return cls(labels, {name: one.astype(np.float32) for name, one in arrays.items()})


def _cut(texts: Texts) -> Texts:
    if isinstance(texts, str):
        return texts[:_MOST_LETTERS]
    return texts[0][:_MOST_LETTERS], texts[1][:_MOST_LETTERS]


def _features(rows: Float32Array, second: npt.NDArray[np.bool_]) -> Float32Array:
    """The first token and the mean; of two texts how far apart their means are, and what they have
    in common.
    """
    one = rows[~second].mean(axis=0)
    if not second.any():
        return np.concatenate([rows[0], _MEAN * one])
    other = rows[second].mean(axis=0)
    return np.concatenate([rows[0], np.abs(one - other), one * other * _PRODUCT])
