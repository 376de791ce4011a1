"""Two texts read together by the transformer: how probable each label of the pair is.

A cross-encoder: each token of one text sees those of the other, so that "never touched a cigarette"
and "down to five a day" are told apart from what only speaks of the same. What was trained for a
task is a low-rank adaptation and two small layers behind it, kept in a file beside the module that
asks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import structlog

from accounts.support.best_effort import best_effort
from memory.language.text.transformer import Float32Array, token_rows, tokenizer

log = structlog.get_logger(__name__)
_MOST_LETTERS = 400
# The product of two means is small beside the rest.
_PRODUCT = 20


@dataclass(frozen=True)
class PairClassifier:
    """The labels, and what was trained: the adaptation of the transformer (`token_rows`) and the
    layers `hidden` (3 * WIDTH, units) and `output` (units, labels), each with its `.bias`.
    """

    labels: Sequence[str]
    trained: Mapping[str, Float32Array]

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
        """How probable each label is for each pair, about 15 ms each; empty dicts on a failure."""
        # No kind of failure here may cost a person a message.
        with best_effort(lambda error: log.warning("pairs_not_read", error=type(error).__name__)):
            return [dict(zip(self.labels, row, strict=True)) for row in self._shares(pairs)]
        return [{} for _ in pairs]

    def _shares(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """A row a pair, the share of each label."""
        if not pairs:
            return []
        encodings = tokenizer().encode_batch(
            [(one[:_MOST_LETTERS], other[:_MOST_LETTERS]) for one, other in pairs]
        )
        features = np.stack(
            [
                _features(rows, np.array(one.type_ids, bool))
                for rows, one in zip(token_rows(encodings, self.trained), encodings, strict=True)
            ]
        )
        trained = self.trained
        hidden = np.tanh(features @ trained["hidden"] + trained["hidden.bias"])
        scores = hidden @ trained["output"] + trained["output.bias"]
        grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares: list[list[float]] = (grown / grown.sum(axis=-1, keepdims=True)).tolist()
        return shares

    @classmethod
    def load(cls, path: Path) -> "PairClassifier":
        """Read the arrays of a file by their names, and `labels`."""
        with np.load(path) as kept:
            arrays = dict(kept)
        labels = [str(label) for label in arrays.pop("labels")]
        return cls(labels, {name: one.astype(np.float32) for name, one in arrays.items()})


def _features(rows: Float32Array, second: npt.NDArray[np.bool_]) -> Float32Array:
    """The first token, how far apart the means of both texts are, and what they have in common."""
    one, other = rows[~second].mean(axis=0), rows[second].mean(axis=0)
    return np.concatenate([rows[0], np.abs(one - other), one * other * _PRODUCT])
