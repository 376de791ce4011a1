"""What a sentence wants, told from examples: a greeting, a task for a model, help, a question.

The examples are in `intents.toml` and `product_help.toml`; one more is one more line. They are
weighed against each other once (kernel ridge regression over pieces of words, words, meaning and
the shape of the sentence), and what is like none of them is plain talk.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accounts.support.process_cache import once_per_process
from memory.language import EMBEDDING_DIMENSIONS, embed_as_array

Floats = npt.NDArray[np.float32]

HERE = Path(__file__).parent
# How much each reading of a sentence counts, and how far a single example is smoothed.
_LETTERS, _WORDS, _MEANING, _SHAPE = 0.3, 0.2, 0.3, 0.2
_SMOOTHING = 0.3
# From here on a sentence is taken for what it is most like.
SURE = 0.3
# As like an example of another language as this, a sentence is in that language.
_SAME_LANGUAGE = 0.45
# Pieces of words by how many letters they have.
_PIECES = (2, 3, 4)
# What the words of a sentence show of its shape, in the languages of the examples.
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"\b(?:i|i'm|im|i've|me|my|mine|we|our|us|ich|mein\w*|mir|mich|yo|mis?|moj\w*|mam|je|mon|mes)\b",
        r"\b(?:you|your|you're|u|du|dein\w*|dir|tu|te|ty|vous)\b",
        r"^(?:what|who|where|when|which|whose|why|how|was|wer|wo|wie|que|quien|donde|como|cual|co|kto"
        r"|gdzie|jak|quel\w*|comment|ou|qui)\b",
        r"^(?:is|are|am|do|does|did|have|has|had|should|can|could|would|will)\b",
        r"\?\s*$",
        r"!\s*$",
        r"^(?:please )?(?:write|make|give|tell|show|plan|translate|suggest|recommend|help|calculate"
        r"|summari[sz]e|explain|create|draft|find|list|book|set|play|fix|order|convert|design|compose)\b",
        r"\b(?:did|was|were|had|told|said|mention\w*|talked|again)\b",
        r"^(?:can|could|would|will) you\b",
        r"^(?:i|my|we|our|he|she|they|it)\b",
        r"\b(?:he|she|his|her|him|they|their)\b",
        r"^\S+(?: \S+)?[.!?]*$",
        r"^(?:\S+ ){6}",
    )
)


@dataclass(frozen=True)
class Intent:
    """What is wanted, and how sure that is: about 0 for plain talk, 1 for an example itself."""

    name: str
    score: float

    @property
    def is_help(self) -> bool:
        """Whether it is a question about the product."""
        return self.name in answers()


def read(sentence: str, *, asks: bool, sure: float = SURE) -> Intent | None:
    """What one sentence wants, of which it is known whether it asks; None for plain talk."""
    found = rank(sentence, asks=asks)[0]
    return found if found.score >= sure else None


def rank(sentence: str, *, asks: bool) -> list[Intent]:
    """All that a sentence of its mood may want, the likeliest first."""
    known = _examples()
    scores = known.readings(sentence) @ known.weights
    return sorted(
        (
            Intent(name, float(score))
            for name, score in zip(known.names, scores, strict=True)
            if known.moods[name] in ("any", "asks" if asks else "tells")
        ),
        key=lambda intent: -intent.score,
    )


def language_of(sentence: str, name: str) -> str:
    """The language of the example of an intent that a sentence is most like: "en", "de"."""
    known = _examples().letters
    wanted = known.row(_plain(sentence))
    by_language = {"en": [], **load("intents.toml")[name].get("also", {})}
    likeness = {
        language: max((float(known.row(_plain(text)) @ wanted) for text in texts), default=0.0)
        for language, texts in by_language.items()
    }
    best = max(likeness, key=lambda language: likeness[language])
    return best if likeness[best] >= _SAME_LANGUAGE else "en"


@once_per_process
def answers() -> dict[str, str]:
    """What is said to each question about the product, with {pages} still to be filled in."""
    return {name: str(given["answer"]) for name, given in load("product_help.toml").items()}


@dataclass(frozen=True)
class _Examples:
    """All examples, by intent, and what follows from them."""

    by_intent: dict[str, list[str]]
    moods: dict[str, str]

    @cached_property
    def names(self) -> list[str]:
        return list(self.by_intent)

    @cached_property
    def texts(self) -> list[str]:
        return [text for texts in self.by_intent.values() for text in texts]

    @cached_property
    def letters(self) -> "_Terms":
        return _Terms(self.texts, _pieces)

    @cached_property
    def words(self) -> "_Terms":
        return _Terms(self.texts, _pairs)

    def readings(self, text: str) -> Floats:
        """A sentence as one row of numbers, each reading of it as long as it counts."""
        plain = _plain(text)
        rows = (
            (_LETTERS, self.letters.row(plain)),
            (_WORDS, self.words.row(plain)),
            (_MEANING, _meaning(plain)),
            (_SHAPE, _unit(np.array([bool(s.search(text.lower())) for s in _SHAPES], np.float32))),
        )
        return np.concatenate([np.sqrt(share) * row for share, row in rows])

    @cached_property
    def weights(self) -> Floats:
        """A column an intent: how much each number of a row speaks for it."""
        rows = np.array([self.readings(text) for text in self.texts])
        wanted = np.array(
            [
                [float(name == other) for other in self.names]
                for name, texts in self.by_intent.items()
                for _ in texts
            ]
        )
        smoothed = rows @ rows.T + _SMOOTHING * np.eye(len(rows))
        return np.asarray(rows.T @ np.linalg.solve(smoothed, wanted), np.float32)


class _Terms:
    """Which parts a text has, rare ones counting more."""

    def __init__(self, texts: Sequence[str], parts: Callable[[str], Iterable[str]]) -> None:
        plain = [_plain(text) for text in texts]
        counted = Counter(part for text in plain for part in set(parts(text)))
        self._parts = parts
        self._places = {part: place for place, part in enumerate(sorted(counted))}
        self._rarity = [np.log(1 + len(texts) / counted[part]) for part in sorted(counted)]

    def row(self, plain: str) -> Floats:
        """A unit row; what no example has is not counted."""
        row = np.zeros(len(self._places), np.float32)
        for part, count in Counter(self._parts(plain)).items():
            place = self._places.get(part)
            if place is not None:
                row[place] = np.sqrt(count) * self._rarity[place]
        return _unit(row)


@once_per_process
def _examples() -> _Examples:
    given = {**load("intents.toml"), **load("product_help.toml")}
    return _Examples(
        {
            # Those in other languages too, which stand by language.
            name: [*each["examples"], *chain.from_iterable(each.get("also", {}).values())]
            for name, each in given.items()
        },
        {name: each.get("mood", "any") for name, each in given.items()},
    )


def load(name: str) -> dict[str, dict[str, Any]]:
    """A data file beside this module."""
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def _meaning(plain: str) -> Floats:
    meant = embed_as_array(plain)
    return np.zeros(EMBEDDING_DIMENSIONS, np.float32) if meant is None else meant


def _unit(row: Floats) -> Floats:
    length = float(np.linalg.norm(row))
    return row / length if length else row


def _pieces(text: str) -> Iterator[str]:
    for word in text.split():
        marked = f" {word} "
        for size in _PIECES:
            yield from (marked[at : at + size] for at in range(max(1, len(marked) - size + 1)))


def _pairs(text: str) -> Iterator[str]:
    """The words, two in a row, and how it begins."""
    words = text.split()
    yield from words
    yield from (" ".join(pair) for pair in pairwise(words))
    yield "^" + " ".join(words[:2])


def _plain(text: str) -> str:
    """Small letters without accents and marks, blanks single."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[^\w'&+ ]", " ", bare).split()) or text
