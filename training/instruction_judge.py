"""Training the judge of instruction-shaped text (`safety.classifier`), and what it is worth.

Logistic regression with a quadratic penalty, by Newton's method, solved in the space of the texts,
which are fewer than the features. Of an instructing text only the
passage that instructs most counts, and which one that is is found in rounds. Folds keep texts
together that share words or meaning, so that no text is judged by its own translation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import cast

import numpy as np

from memory.language.safety.classifier import (
    CLASSIFIER_WEIGHTS_PATH,
    COUNTED_FEATURE_NAMES,
    FEATURE_COUNT,
    FEATURE_SIZES,
    MEANING_SIZE,
    REFUSAL_THRESHOLD,
    Float64Array,
    compute_instruction_features,
)
from memory.language.safety.obfuscation import fold_text
from training.text_examples import EXAMPLES

PENALTY = 0.5
ROUNDS = 3
STEPS = 12
FOLDS = 5
_FREE = 1e-3
_SETTLED = 1e-3
SHARED_WORDS = 6
"""Two texts with so many words in a row in common are of one family."""

ALIKE = 0.86
"""... and so are two whose meanings are as near as this (cosine)."""


@dataclass(frozen=True)
class Example:
    """A text with its passages' features, a row each."""

    text: str
    instructs: bool
    features: Float64Array


@dataclass(frozen=True)
class Fold:
    """One fold: shares of 1, judged by numbers that never saw the fold's texts."""

    caught: float
    wrongly: float


def own_sentences() -> list[tuple[str, bool]]:
    """Return what the judge learns from, and whether each instructs: orders, then what is none:
    talk and wishes, and notes about somebody.
    """
    orders, *others = (_lines(name) for name in ("orders", "talk", "wishes", "notes"))
    plain = [line for lines in others for line in lines]
    return [*((line, True) for line in orders), *((line, False) for line in dict.fromkeys(plain))]


def _lines(name: str) -> list[str]:
    file = EXAMPLES / "instructions" / f"{name}.txt"
    return file.read_text(encoding="utf-8").splitlines()


def examples(texts: Iterable[tuple[str, bool]]) -> list[Example]:
    """Texts made ready for training, each with whether it instructs."""
    return [
        Example(text, instructs, compute_instruction_features(text)) for text, instructs in texts
    ]


def train(known: Sequence[Example]) -> Float64Array:
    """The numbers that tell the two kinds apart best."""
    worst = {position: 0 for position, example in enumerate(known) if example.instructs}
    weights = np.zeros(FEATURE_COUNT)
    for turn in range(ROUNDS):
        weights = _fit(*_rows(known, worst, every_passage=turn > 0))
        worst = {position: int(np.argmax(known[position].features @ weights)) for position in worst}
    return weights


def cross_validate(known: Sequence[Example], threshold: float) -> list[Fold]:
    """Train on four fifths and judge the fifth, five times."""
    family = families(known)
    shuffled = np.random.default_rng(0).permutation(sorted(set(family)))
    fold_of = {one: position % FOLDS for position, one in enumerate(shuffled)}
    folds = []
    for number in range(FOLDS):
        held = [fold_of[one] == number for one in family]
        weights = train([known[i] for i, out in enumerate(held) if not out])
        tested = [known[i] for i, out in enumerate(held) if out]
        refused = [bool((example.features @ weights).max() >= threshold) for example in tested]
        of = [example.instructs for example in tested]
        folds.append(Fold(_share(refused, of, kind=True), _share(refused, of, kind=False)))
    return folds


def families(known: Sequence[Example]) -> list[int]:
    """For each example the number of its family; plain texts stand alone."""
    parent = list(range(len(known)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = place = parent[parent[place]]
        return place

    bad = [place for place, example in enumerate(known) if example.instructs]
    first: dict[tuple[str, ...], int] = {}
    for position in bad:
        words = re.findall(r"\w+", fold_text(known[position].text))
        for start in range(len(words) - SHARED_WORDS + 1):
            run = tuple(words[start : start + SHARED_WORDS])
            parent[root(position)] = root(first.setdefault(run, position))
    meanings = np.array([known[place].features[0, :MEANING_SIZE] for place in bad])
    if bad:
        for one, other in np.argwhere(np.triu(meanings @ meanings.T, 1) > ALIKE):
            parent[root(bad[one])] = root(bad[other])
    return [root(place) for place in range(len(known))]


def keep(weights: Float64Array, path: Path = CLASSIFIER_WEIGHTS_PATH) -> None:
    """Write the numbers down by sort, each count's beside its name."""
    rest = [round(float(weight), 3) for weight in weights]
    kept: dict[str, object] = {}
    for name, length in FEATURE_SIZES.items():
        kept[name], rest = rest[:length], rest[length:]
    kept["counts"] = dict(
        zip(COUNTED_FEATURE_NAMES, cast("list[float]", kept["counts"]), strict=True)
    )
    path.write_text(json.dumps(kept, indent=None) + "\n")


def _rows(
    known: Sequence[Example], worst: dict[int, int], *, every_passage: bool
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Features, kinds and importances: a plain text's passages share its importance of 1."""
    rows: list[Float64Array] = []
    kinds: list[float] = []
    importance: list[float] = []
    for position, example in enumerate(known):
        if example.instructs:
            taken = example.features[worst[position]][None]
        else:
            taken = example.features if every_passage else example.features[:1]
        rows.append(taken)
        kinds += [float(example.instructs)] * len(taken)
        importance += [1 / len(taken)] * len(taken)
    return np.vstack(rows), np.array(kinds), np.array(importance)


def _fit(rows: Float64Array, kinds: Float64Array, importance: Float64Array) -> Float64Array:
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], PENALTY)
    # The last feature is always 1: it only says how frequent the two kinds are.
    penalty[-1] = _FREE
    likeness = (rows / penalty) @ rows.T
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ ((likely - kinds) * importance) + penalty * weights
        bend = likely * (1 - likely) * importance + 1e-6
        straight = slope / penalty
        # The inverse of penalty + rows' · bend · rows, by a matrix as large as there are texts.
        inner = np.linalg.solve(np.diag(1 / bend) + likeness, rows @ straight)
        step = straight - (rows.T @ inner) / penalty
        weights -= step
        if np.abs(step).max() < _SETTLED:
            break
    return weights


def _share(refused: Sequence[bool], of: Sequence[bool], *, kind: bool) -> float:
    return fmean(said for said, instructs in zip(refused, of, strict=True) if instructs is kind)


def main() -> None:
    """Train on five times four fifths, then on everything, and write the numbers down."""
    known = examples(own_sentences())
    print(f"{len(known)} texts, {sum(example.instructs for example in known)} instruct.")
    folds = cross_validate(known, REFUSAL_THRESHOLD)
    for fold in folds:
        print(
            f"Of a fifth that it never saw: {fold.caught:.3f} caught, {fold.wrongly:.4f} wrongly."
        )
    keep(train(known))
    print(f"The numbers are in {CLASSIFIER_WEIGHTS_PATH}.")


if __name__ == "__main__":
    main()
