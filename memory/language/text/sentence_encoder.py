"""The meaning of a whole sentence as 384 numbers, in which the order of its words counts.

A small transformer reads it (`transformer`). The word vectors of `embeddings` are a hundred times
quicker and find; this encoder judges what was found or said.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import structlog

from accounts.support.best_effort import best_effort
from memory.language.text.recent_vectors import RecentVectors
from memory.language.text.transformer import WIDTH, Float32Array, token_rows, tokenizer

log = structlog.get_logger(__name__)
SENTENCE_DIMENSIONS = WIDTH
# So many sentences go through the layers together.
_TOGETHER = 32
# Of so many texts the vectors are kept, 6 MB.
_recent = RecentVectors(4096)


def encode_sentence(text: str) -> Float32Array:
    """The unit vector of one text: SENTENCE_DIMENSIONS numbers; zeros on a failure."""
    return np.asarray(encode_sentences([text])[0], np.float32)


def encode_sentences(texts: Sequence[str]) -> Float32Array:
    """A unit vector a text: (texts, SENTENCE_DIMENSIONS); zeros, and a log line, on a failure.

    New ones take 6 to 20 ms each, several at once a third of what they take one by one.
    """
    return np.array(_recent.find(texts, _encode), np.float32).reshape(-1, SENTENCE_DIMENSIONS)


def _encode(texts: list[str]) -> Float32Array:
    found = np.zeros((len(texts), SENTENCE_DIMENSIONS), np.float32)
    # No kind of failure here may cost a person a message.
    with best_effort(lambda error: log.warning("not_encoded", error=type(error).__name__)):
        for first in range(0, len(texts), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            found[part] = list(_encode_each(texts[part]))
    return found


def _encode_each(texts: Sequence[str]) -> Iterator[Float32Array]:
    """The mean of the last layer over the tokens of each text, at unit length."""
    for rows in token_rows(tokenizer().encode_batch(list(texts))):
        mean = rows.mean(axis=0)
        yield mean / np.linalg.norm(mean)
