"""Linear classifiers of one sentence, trained on examples: which of some labels it fits, how well.

A sentence is read as pieces of words and words (hashed into a fixed number of places), the meaning
of the whole, and marks of its shape. How much each of these speaks for a label
is fitted by `manage.py train_sentence_classifiers` and kept in a file beside the module that asks.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from memory.language.lazy_pattern import compile_lazily
from memory.language.text.feature_hashing import hashed_counts, word_pieces
from memory.language.text.sentence_encoder import (
    SENTENCE_DIMENSIONS,
    encode_sentence,
    encode_sentences,
)
from memory.language.text.terms import Float32Array

_PLACES = 4096
_MOST_LETTERS = 600
# How much each kind of feature counts beside the others.
_MEANING, _SHAPE = 1.5, 0.35
_DAYS = "mon|tues|wednes|thurs|fri|satur|sun"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_KIN = (
    "mum|mom|mam|dad|father|mother|sister|brother|son|daughter|wife|husband|partner|boss|friend"
    r"|neighbour|aunt|uncle|nan|gran\w*|cousin|niece|nephew|dog|cat"
)
_SHAPES = tuple(
    compile_lazily(shape, re.IGNORECASE)
    for shape in (
        r"\b(?:i|i'm|im|i've|ive|me|my|mine|we|our|us|ich|mein\w*|mir|yo|mis?|moj\w*|je|mon|mes)\b",
        r"\b(?:you|your|you're|u|du|dein\w*|dir|tu|te|ty|vous)\b",
        r"\?",
        r"\?\s*$",
        "!",
        r"\b(?:was|were|had|told|said|mention\w*|talked|again)\b",
        r"\b(?:not|no|never|dont|doesnt|isnt|arent|wont|cant|didnt|nor|neither|none)\b|n't\b",
        r"\b(?:any ?more|no longer|stopped|quit|gave up|used to)\b",
        r"\b(?:he|she|his|her|him|they|their|it|it's|its|that|this)\b",
        r"\d",
        rf"\b(?:{_DAYS})day|\b(?:tomorrow|next|until|till|since|every|{_MONTHS})\b",
        rf"\b(?:my|our) (?:\w+ )?(?:{_KIN})\b",
        r"^(?:what|who|where|when|which|whose|why|how|was|wer|wo|wie|que|quien|donde|como|co|kto"
        r"|gdzie|jak|quel\w*|comment|ou|qui)\b",
        r"^(?:is|are|am|do|does|did|have|has|had|should|can|could|would|will)\b",
        r"^(?:please )?(?:write|make|give|tell|show|plan|translate|suggest|recommend|help|find|list"
        r"|calculate|summari[sz]e|explain|create|draft|book|set|play|order|convert)\b",
        r"^(?:can|could|would|will) you\b",
        r"^(?:i|my|we|our|he|she|they|it)\b",
        r"^\S+(?: \S+)?[.!?]*$",
        r"^(?:\S+ ){6}",
        r"^(?:\S+ ){12}",
    )
)
_MARKS = compile_lazily(r"[^\w'&+ ?!]")
FEATURE_COUNT = 2 * _PLACES + SENTENCE_DIMENSIONS + len(_SHAPES) + 1


@dataclass(frozen=True)
class SentenceClassifier:
    """The labels, and a row a label: how much each feature speaks for it.

    `weights` has the shape (labels, features): FEATURE_COUNT of a sentence, and what a classifier
    reads beside it.
    """

    labels: Sequence[str]
    weights: Float32Array

    def probabilities(self, sentence: str) -> dict[str, float]:
        """How probable each label is; together they are 1."""
        return self.probabilities_of(sentence_features(sentence))

    def probabilities_of(self, features: Float32Array) -> dict[str, float]:
        """The same for a row of features that the weights were fitted to."""
        shares = softmax(self.weights @ features)
        return dict(zip(self.labels, map(float, shares), strict=True))

    def save(self, path: Path) -> None:
        """Write it down, each weight as a whole number from -127 to 127 and a scale a label."""
        scales = np.abs(self.weights).max(axis=1, keepdims=True) / 127
        whole = np.round(self.weights / scales).astype(np.int8)
        np.savez_compressed(path, labels=np.array(self.labels), weights=whole, scales=scales)

    @classmethod
    def load(cls, path: Path) -> "SentenceClassifier":
        """Read what `save` wrote."""
        with np.load(path) as kept:
            weights = kept["weights"].astype(np.float32) * kept["scales"].astype(np.float32)
            return cls([str(label) for label in kept["labels"]], weights)


def softmax(scores: Float32Array) -> Float32Array:
    """Scores as shares of 1, along the last axis."""
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True), np.float32)


@lru_cache(maxsize=64)
def sentence_features(sentence: str) -> Float32Array:
    """A sentence as a row of FEATURE_COUNT numbers; the last is always 1."""
    plain = _plain(sentence[:_MOST_LETTERS])
    words = plain.split()
    shape = [bool(mark.search(sentence)) for mark in _SHAPES]
    row = np.concatenate(
        [
            _hashed(word_pieces(words)),
            _hashed(_word_runs(words)),
            _MEANING * encode_sentence(_as_encoded(sentence)),
            _SHAPE * np.array(shape, np.float32),
            np.ones(1, np.float32),
        ]
    )
    row.flags.writeable = False
    return row


def read_together(sentences: Iterable[str]) -> None:
    """Make the meaning of several sentences known at once: a third of what one by one takes."""
    encode_sentences([_as_encoded(sentence) for sentence in sentences])


def _as_encoded(sentence: str) -> str:
    # A stop may have been cut off with what follows.
    return sentence[:_MOST_LETTERS].rstrip(" .")


def _plain(text: str) -> str:
    """Small letters without accents and marks, blanks single."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(_MARKS.sub(" ", bare).split()) or text.strip()


def _word_runs(words: list[str]) -> Iterator[str]:
    """The words, two in a row, and how it begins."""
    yield from words
    yield from map(" ".join, pairwise(["^", *words, "$"]))
    yield "^" + " ".join(words[:3])


def _hashed(parts: Iterable[str]) -> Float32Array:
    """A unit row in which each part counts at its place; frequent ones count a little more."""
    row = np.sqrt(hashed_counts(parts, _PLACES))
    length = np.linalg.norm(row)
    return np.asarray(row / length if length else row, np.float32)
