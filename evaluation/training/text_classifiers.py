"""Training what reads whole texts: what is added to the transformer, and the layers behind it.

The transformer stays as it is; a low-rank adaptation of its matrices (LoRA, Hu et al. 2021), its
normalisations and two layers behind it are fitted, the same formulas as `memory.language.text` runs
in numpy, written for JAX, which gives their gradients. JAX is needed for this alone:
`pip install jax`.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from evaluation.training.text_examples import Example, Examples
from memory.language import WIDTH, task_of, tokenizer, weights

_LAYERS, _HEADS, _RANK = 6, 12, 16
_MATRICES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_NORMALISATIONS = ("attention.output.LayerNorm", "output.LayerNorm")
_TOGETHER, _ROUNDS, _STEP, _STEP_ON = 32, 3, 1e-3, 5e-4
# Texts are padded to one of these lengths: each other length is compiled anew.
_LENGTHS = (24, 48, 80, 128)
_DROPPED, _SMOOTHED = 0.1, 0.05
# As `memory.language.text.text_classifier` weighs them.
_MEAN, _PRODUCT = 3, 20
# Layers behind the transformer are wider where they serve several tasks.
_UNITS, _UNITS_OF_MANY = 64, 128

Array = Any
Trained = dict[str, Array]


def train(
    examples: Examples, said: Callable[[str], None], go_on_from: Path | None = None
) -> Trained:
    """What is to be added, fitted to these; `said` hears of each round. About a minute a thousand
    pairs and round on two cores, half of that for single sentences.

    `go_on_from`: what was saved before, for the same labels, is fitted for one round more in
    smaller steps, where examples were added. Raises ValueError where the labels are others.
    """
    chance, labels = random.Random(0), examples.labels  # noqa: S311 - the same each time
    rounds, step = (_ROUNDS, _STEP) if go_on_from is None else (1, _STEP_ON)
    steps = rounds * (len(examples) // _TOGETHER)
    if go_on_from is None:
        trained = _beginning(labels, parts=2 if examples[0].second is None else 3)
    else:
        trained = _saved(go_on_from, labels)
    moments = jax.tree.map(jnp.zeros_like, (trained, trained))
    tasks, done = _tasks(labels), 0
    for number in range(rounds):
        since, loss = time.monotonic(), 0.0
        for batch in _batches(examples, labels, chance):
            done += 1
            pace = step * min(done / (steps / 10), 0.5 + 0.5 * np.cos(np.pi * done / steps))
            trained, moments, lost = _step(trained, moments, (*batch, tasks), done, pace)
            loss += float(lost) * _TOGETHER / len(examples)
        said(f"round {number + 1}: loss {loss:.3f}, {time.monotonic() - since:.0f} s")
    return trained


def save(trained: Trained, labels: Sequence[str], path: Path) -> None:
    """Write it down for `TextClassifier.load`, in half precision."""
    arrays = {name: np.asarray(one, np.float16) for name, one in trained.items()}
    np.savez_compressed(path, labels=np.array(labels), **arrays)  # type: ignore[arg-type]


def _saved(path: Path, labels: Sequence[str]) -> Trained:
    with np.load(path) as arrays:
        if list(arrays["labels"]) != list(labels):
            raise ValueError("It was trained for other labels: train it from the beginning.")
        return {
            name: jnp.asarray(arrays[name], jnp.float32)
            for name in arrays.files
            if name != "labels"
        }


def _tasks(labels: Sequence[str]) -> npt.NDArray[np.float32]:
    """A row a label, a column a task: 1 where the label is one of the task."""
    names = sorted({task_of(label) for label in labels})
    return np.array([[task_of(label) == name for name in names] for label in labels], np.float32)


def _beginning(labels: Sequence[str], parts: int) -> Trained:
    """Nothing is added yet: one of two factors is zero. `parts` go into the layers behind."""
    chance = np.random.default_rng(0)
    trained: Trained = {}
    if parts > 2:
        trained["kinds"] = chance.normal(0, 0.02, (2, WIDTH))
    for number in range(_LAYERS):
        for name in (f"encoder.layer.{number}.{one}" for one in _MATRICES):
            made, taken = weights()[f"{name}.weight"].shape
            trained[f"{name}.a"] = chance.normal(0, taken**-0.5, (taken, _RANK))
            trained[f"{name}.b"] = np.zeros((_RANK, made))
        for name in (f"encoder.layer.{number}.{one}" for one in _NORMALISATIONS):
            trained[f"{name}.scale"] = trained[f"{name}.shift"] = np.zeros(WIDTH)
    units = _UNITS if len({task_of(label) for label in labels}) == 1 else _UNITS_OF_MANY
    trained["hidden"] = chance.normal(0, (parts * WIDTH) ** -0.5, (parts * WIDTH, units))
    trained["hidden.bias"] = np.zeros(units)
    trained["output"] = chance.normal(0, 0.1, (units, len(labels)))
    trained["output.bias"] = np.zeros(len(labels))
    return {name: jnp.asarray(one, jnp.float32) for name, one in trained.items()}


def _batches(
    examples: Examples, labels: list[str], chance: random.Random
) -> Iterator[tuple[Array, Array, Array, Array]]:
    """The examples in a new order, those of about the same length together."""
    mixed = chance.sample(examples, len(examples))
    batches = []
    for first in range(0, len(mixed), _TOGETHER * 16):
        near = sorted(
            mixed[first : first + _TOGETHER * 16],
            key=lambda example: len(example.first) + len(example.second or ""),
        )
        batches += [near[index : index + _TOGETHER] for index in range(0, len(near), _TOGETHER)]
    chance.shuffle(batches)
    for batch in batches:
        if len(batch) == _TOGETHER:
            yield _arrays(batch, labels)


def _arrays(batch: Sequence[Example], labels: list[str]) -> tuple[Array, Array, Array, Array]:
    """Tokens, kinds of token (0 the first text, 1 the second), mask, and 1 for each label."""
    encodings = tokenizer().encode_batch([example.texts for example in batch])
    longest = max(len(one.ids) for one in encodings)
    length = next(size for size in _LENGTHS if size >= longest)
    tokens, kinds = np.zeros((2, len(batch), length), np.int32)
    mask = np.zeros((len(batch), length), np.float32)
    for row, encoding in enumerate(encodings):
        size = len(encoding.ids)
        tokens[row, :size], kinds[row, :size], mask[row, :size] = encoding.ids, encoding.type_ids, 1
    wanted = [[label in example.labels for label in labels] for example in batch]
    return tokens, kinds, mask, np.array(wanted, np.float32)


def _stepped(trained: Trained, moments: Any, batch: Any, done: int, pace: float) -> Any:
    """One step of Adam (Kingma and Ba 2014) with a little decay of the weights (AdamW)."""
    loss, slope = jax.value_and_grad(_loss)(trained, batch, jax.random.PRNGKey(done))
    length = jnp.sqrt(sum(jnp.sum(one * one) for one in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda one: one / jnp.maximum(1.0, length), slope)
    mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, moments[0], slope)
    square = jax.tree.map(lambda old, new: 0.999 * old + 0.001 * new * new, moments[1], slope)

    def moved(old: Array, first: Array, second: Array) -> Array:
        way = (first / (1 - 0.9**done)) / (jnp.sqrt(second / (1 - 0.999**done)) + 1e-8)
        return old - pace * (way + 0.01 * old)

    return jax.tree.map(moved, trained, mean, square), (mean, square), loss


def _loss(trained: Trained, batch: Any, key: Array) -> Array:
    """Cross-entropy with smoothed labels, of each task whose label is known."""
    *read, wanted, tasks = batch
    scores = _Network(trained, key).scores(*read)
    scores -= jnp.max(scores, axis=-1, keepdims=True)
    shares = scores - jnp.log(jnp.exp(scores) @ tasks) @ tasks.T
    others = (wanted @ tasks / jnp.sum(tasks, axis=0)) @ tasks.T
    target = wanted * (1 - _SMOOTHED) + others * _SMOOTHED
    return -jnp.mean(jnp.sum(target * shares, axis=-1))


_step = jax.jit(_stepped)


class _Network:
    """The transformer and what is added, of whose numbers some are dropped by chance."""

    def __init__(self, trained: Trained, key: Array) -> None:
        self._trained = trained
        self._keys = iter(jax.random.split(key, 64))

    def scores(self, tokens: Array, kinds: Array, mask: Array) -> Array:
        """A row an example, a number a label."""
        trained = self._trained
        rows = self._embedded(tokens, kinds)
        for number in range(_LAYERS):
            rows = self._through_layer(rows, f"encoder.layer.{number}", mask)
        told = jnp.concatenate([rows[:, 0], *self._means(rows, kinds, mask)], axis=-1)
        hidden = jnp.tanh(self._dropped(told) @ trained["hidden"] + trained["hidden.bias"])
        return self._dropped(hidden) @ trained["output"] + trained["output.bias"]

    def _means(self, rows: Array, kinds: Array, mask: Array) -> list[Array]:
        """Of one text its mean; of two how far apart theirs are, and what they have in common."""
        if "kinds" not in self._trained:
            return [_MEAN * _mean(rows, mask)]
        one, other = _mean(rows, mask * (1 - kinds)), _mean(rows, mask * kinds)
        return [jnp.abs(one - other), one * other * _PRODUCT]

    def _embedded(self, tokens: Array, kinds: Array) -> Array:
        words = jnp.asarray(weights()["embeddings.word_embeddings.weight"])
        rows = jnp.take(words, tokens, axis=0)
        rows += weights()["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        rows += weights()["embeddings.token_type_embeddings.weight"][0]
        if "kinds" in self._trained:
            rows += jnp.take(self._trained["kinds"], kinds, axis=0)
        return self._dropped(self._normalised(rows, "embeddings.LayerNorm"))

    def _through_layer(self, rows: Array, layer: str, mask: Array) -> Array:
        shape = (*rows.shape[:2], _HEADS, WIDTH // _HEADS)
        asked, offered, told = (
            self._linear(rows, f"{layer}.attention.self.{name}").reshape(shape).swapaxes(1, 2)
            for name in ("query", "key", "value")
        )
        scores = asked @ offered.swapaxes(2, 3) / np.sqrt(WIDTH / _HEADS)
        shares = jax.nn.softmax(scores + (mask[:, None, None] - 1) * 1e9)
        taken = (self._dropped(shares) @ told).swapaxes(1, 2).reshape(rows.shape)
        taken = self._linear(taken, f"{layer}.attention.output.dense")
        rows = self._normalised(rows + self._dropped(taken), f"{layer}.attention.output.LayerNorm")
        inner = jax.nn.gelu(self._linear(rows, f"{layer}.intermediate.dense"), approximate=False)
        made = self._linear(inner, f"{layer}.output.dense")
        return self._normalised(rows + self._dropped(made), f"{layer}.output.LayerNorm")

    def _linear(self, rows: Array, name: str) -> Array:
        made = rows @ weights()[f"{name}.weight"].T + weights()[f"{name}.bias"]
        return made + (rows @ self._trained[f"{name}.a"]) @ self._trained[f"{name}.b"]

    def _normalised(self, rows: Array, name: str) -> Array:
        rows = rows - rows.mean(axis=-1, keepdims=True)
        rows /= jnp.sqrt(jnp.mean(rows * rows, axis=-1, keepdims=True) + 1e-12)
        scale = weights()[f"{name}.weight"] + self._trained.get(f"{name}.scale", 0)
        return rows * scale + weights()[f"{name}.bias"] + self._trained.get(f"{name}.shift", 0)

    def _dropped(self, numbers: Array) -> Array:
        kept = jax.random.bernoulli(next(self._keys), 1 - _DROPPED, numbers.shape)
        return numbers * kept / (1 - _DROPPED)


def _mean(rows: Array, part: Array) -> Array:
    """The mean of the tokens that are marked."""
    return jnp.sum(rows * part[..., None], axis=1) / jnp.sum(part, axis=1)[:, None]
