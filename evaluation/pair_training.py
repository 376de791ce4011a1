"""Training the classifiers of pairs: what is added to the transformer that reads them, by gradient.

The transformer stays as it is; a low-rank adaptation of its matrices (LoRA, Hu et al. 2021), its
normalisations and two layers behind it are fitted, the same formulas as `memory.language.text` runs
in numpy, written for JAX, which gives their gradients. JAX is needed for this alone:
`pip install jax`.
"""

import json
import random
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from memory.language import WIDTH, encode_sentence, encode_sentences, tokenizer, weights

EXAMPLES = Path(__file__).with_name("examples")
_LAYERS, _HEADS, _RANK, _UNITS = 6, 12, 16, 64
_MATRICES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_NORMALISATIONS = ("attention.output.LayerNorm", "output.LayerNorm")
_TOGETHER, _ROUNDS, _STEP = 32, 3, 1e-3
# Lengths are rounded up to so many tokens: each other length is compiled anew.
_PACE, _MOST_TOKENS = 16, 128
_DROPPED, _SMOOTHED = 0.1, 0.05
_PRODUCT = 20
# So many of the statements are made of two that do not belong together, and agree.
_MADE = 0.05
# So many questions that were written for another text stand beside each, of those that are as like
# it as what is often found for a question; what is liker might be answered by it after all.
_OTHERS, _LIKE_ANOTHER = 1, (0.1, 0.45)

Array = Any
Trained = dict[str, Array]


class Pairs(list[tuple[str, str, str]]):
    """Pairs of texts with their label: (label, first, then)."""

    @property
    def labels(self) -> list[str]:
        """The labels, by the alphabet."""
        return sorted({label for label, _, _ in self})

    def apart(self, share: float) -> tuple["Pairs", "Pairs"]:
        """The others, and such a share of them; those with the same first text stay together."""
        firsts = sorted({first for _, first, _ in self})
        random.Random(1).shuffle(firsts)  # noqa: S311 - the same parts each time
        aside = set(firsts[: int(len(firsts) * share)])
        return (
            Pairs(one for one in self if one[1] not in aside),
            Pairs(one for one in self if one[1] in aside),
        )


def statement_pairs() -> Pairs:
    """Two statements of one person: those of the file (label, first and then, with tabs between),
    those that plain statements make with each other, and a few that are no pair, and agree.
    """
    written = _lines("pairs.tsv")
    pairs = [(label, one, other) for label, one, other in (line.split("\t") for line in written)]
    plain = tomllib.loads((EXAMPLES / "plain_statements.toml").read_text(encoding="utf-8"))
    pairs += [pair for topic in plain.values() for pair in _combined(topic)]
    chance = random.Random(0)  # noqa: S311 - the same each time
    made = [
        ("agrees", chance.choice(pairs)[1], chance.choice(pairs)[2])
        for _ in range(int(len(pairs) * _MADE))
    ]
    return Pairs([*pairs, *made])


def answer_pairs() -> Pairs:
    """What somebody told, and a question that it answers or does not: those of the file, and for
    each text a question that was written for another.
    """
    written = [json.loads(line) for line in _lines("answers.jsonl")]
    asked = [question for one in written for question in one["answered"]]
    meanings = encode_sentences(asked)
    chance = random.Random(0)  # noqa: S311 - the same each time
    pairs = Pairs()
    for one in written:
        said = one["said"]
        pairs += [("answers", said, question) for question in one["answered"]]
        pairs += [("silent", said, question) for question in one["near"]]
        likeness = meanings @ encode_sentence(said)
        least, most = _LIKE_ANOTHER
        others = np.flatnonzero((likeness > least) & (likeness < most))
        pairs += [("silent", said, asked[at]) for at in chance.sample(others.tolist(), _OTHERS)]
    return pairs


def _lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def _combined(topic: dict[str, list[str]]) -> Iterator[tuple[str, str, str]]:
    """The pairs that the plain statements on one topic make (see the file)."""
    denies, claims, values, beside, changes = (
        topic.get(name, []) for name in ("denies", "claims", "values", "beside", "changes")
    )
    for denial, claim in product(denies, claims):
        yield "contradicts", denial, claim
        yield "contradicts", claim, denial
    yield from (("contradicts", one, other) for one, other in permutations(values, 2))
    yield from (("updates", one, other) for one, other in product(denies or values[:1], changes))
    yield from (
        ("agrees", one, other) for one, other in product([*denies, *claims, *values], beside)
    )


def train(pairs: Pairs, said: Callable[[str], None]) -> Trained:
    """What is to be added, fitted to these; `said` hears of each round. About a minute a thousand
    pairs and round on two cores.
    """
    chance, labels = random.Random(0), pairs.labels  # noqa: S311 - the same each time
    steps = _ROUNDS * (len(pairs) // _TOGETHER)
    trained = _beginning(len(labels))
    moments = jax.tree.map(jnp.zeros_like, (trained, trained))
    done = 0
    for number in range(_ROUNDS):
        since, loss = time.monotonic(), 0.0
        for batch in _batches(pairs, labels, chance):
            done += 1
            pace = _STEP * min(done / (steps / 10), 0.5 + 0.5 * np.cos(np.pi * done / steps))
            trained, moments, lost = _step(trained, moments, batch, done, pace)
            loss += float(lost) * _TOGETHER / len(pairs)
        said(f"round {number + 1}: loss {loss:.3f}, {time.monotonic() - since:.0f} s")
    return trained


def probabilities(trained: Trained, pairs: Pairs) -> npt.NDArray[np.float32]:
    """A row a pair: how probable each label is."""
    found = np.zeros((len(pairs), trained["output.bias"].shape[0]), np.float32)
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][1]) + len(pairs[at][2]))
    for first in range(0, len(order), _TOGETHER):
        places = order[first : first + _TOGETHER]
        filled = [*places, *places[:1] * (_TOGETHER - len(places))]
        tokens, kinds, mask, _ = _arrays([pairs[at] for at in filled], pairs.labels)
        scores = jax.nn.softmax(_scores_alone(trained, tokens, kinds, mask))
        found[places] = np.asarray(scores)[: len(places)]
    return found


def save(trained: Trained, labels: Sequence[str], path: Path) -> None:
    """Write it down for `PairClassifier.load`, in half precision."""
    arrays = {name: np.asarray(one, np.float16) for name, one in trained.items()}
    np.savez_compressed(path, labels=np.array(labels), **arrays)  # type: ignore[arg-type]


def _beginning(labels: int) -> Trained:
    """Nothing is added yet: one of two factors is zero."""
    chance = np.random.default_rng(0)
    trained: Trained = {"kinds": chance.normal(0, 0.02, (2, WIDTH))}
    for number in range(_LAYERS):
        for name in (f"encoder.layer.{number}.{one}" for one in _MATRICES):
            made, taken = weights()[f"{name}.weight"].shape
            trained[f"{name}.a"] = chance.normal(0, taken**-0.5, (taken, _RANK))
            trained[f"{name}.b"] = np.zeros((_RANK, made))
        for name in (f"encoder.layer.{number}.{one}" for one in _NORMALISATIONS):
            trained[f"{name}.scale"] = trained[f"{name}.shift"] = np.zeros(WIDTH)
    trained["hidden"] = chance.normal(0, (3 * WIDTH) ** -0.5, (3 * WIDTH, _UNITS))
    trained["hidden.bias"] = np.zeros(_UNITS)
    trained["output"] = chance.normal(0, 0.1, (_UNITS, labels))
    trained["output.bias"] = np.zeros(labels)
    return {name: jnp.asarray(one, jnp.float32) for name, one in trained.items()}


def _batches(
    examples: Pairs, labels: list[str], chance: random.Random
) -> Iterator[tuple[Array, Array, Array, Array]]:
    """The examples in a new order, those of about the same length together."""
    mixed = chance.sample(examples, len(examples))
    batches = []
    for first in range(0, len(mixed), _TOGETHER * 16):
        near = sorted(
            mixed[first : first + _TOGETHER * 16], key=lambda one: len(one[1]) + len(one[2])
        )
        batches += [near[at : at + _TOGETHER] for at in range(0, len(near), _TOGETHER)]
    chance.shuffle(batches)
    for batch in batches:
        if len(batch) == _TOGETHER:
            yield _arrays(batch, labels)


def _arrays(
    batch: Sequence[tuple[str, str, str]], labels: list[str]
) -> tuple[Array, Array, Array, Array]:
    """Tokens, kinds of token (0 the first text, 1 the second), mask, and the label's number."""
    encodings = tokenizer().encode_batch([(one, other) for _, one, other in batch])
    longest = max(len(one.ids) for one in encodings)
    length = min(_MOST_TOKENS, -(-longest // _PACE) * _PACE)
    tokens, kinds = np.zeros((2, len(batch), length), np.int32)
    mask = np.zeros((len(batch), length), np.float32)
    for row, one in enumerate(encodings):
        size = len(one.ids)
        tokens[row, :size], kinds[row, :size], mask[row, :size] = one.ids, one.type_ids, 1
    return tokens, kinds, mask, np.array([labels.index(label) for label, _, _ in batch])


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
    """Cross-entropy with smoothed labels."""
    *read, wanted = batch
    scores = _Network(trained, key).scores(*read)
    count = scores.shape[-1]
    target = jax.nn.one_hot(wanted, count) * (1 - _SMOOTHED) + _SMOOTHED / count
    return -jnp.mean(jnp.sum(target * jax.nn.log_softmax(scores), axis=-1))


def _scores(trained: Trained, tokens: Array, kinds: Array, mask: Array) -> Array:
    return _Network(trained, None).scores(tokens, kinds, mask)


_step, _scores_alone = jax.jit(_stepped), jax.jit(_scores)


class _Network:
    """The transformer and what is added; with a key some of its numbers are dropped by chance."""

    def __init__(self, trained: Trained, key: Array | None) -> None:
        self._trained = trained
        self._keys = None if key is None else iter(jax.random.split(key, 64))

    def scores(self, tokens: Array, kinds: Array, mask: Array) -> Array:
        """A row a pair, a number a label."""
        trained = self._trained
        rows = self._embedded(tokens, kinds)
        for number in range(_LAYERS):
            rows = self._through_layer(rows, f"encoder.layer.{number}", mask)
        one, other = (
            jnp.sum(rows * part[..., None], axis=1) / jnp.sum(part, axis=1)[:, None]
            for part in (mask * (1 - kinds), mask * kinds)
        )
        told = jnp.concatenate([rows[:, 0], jnp.abs(one - other), one * other * _PRODUCT], axis=-1)
        hidden = jnp.tanh(self._dropped(told) @ trained["hidden"] + trained["hidden.bias"])
        return self._dropped(hidden) @ trained["output"] + trained["output.bias"]

    def _embedded(self, tokens: Array, kinds: Array) -> Array:
        words = jnp.asarray(weights()["embeddings.word_embeddings.weight"])
        rows = jnp.take(words, tokens, axis=0)
        rows += weights()["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        rows += weights()["embeddings.token_type_embeddings.weight"][0]
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
        if self._keys is None:
            return numbers
        kept = jax.random.bernoulli(next(self._keys), 1 - _DROPPED, numbers.shape)
        return numbers * kept / (1 - _DROPPED)
