"""Whether a message puts right what the same person said before it: by its form, else by examples.

The classifier reads the message as `sentence_features` does, and what it shares with the messages
before it: words, numbers, meaning, the place of a value by another of its kind.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np

from accounts.support.process_cache import once_per_process
from memory.language.amendments import (
    DENIED,
    amends_sentence,
    gives_another_value,
    is_explicit_correction,
    sets_against,
)
from memory.language.lexicons import lexicon
from memory.language.sentence_classifier import SentenceClassifier, sentence_features
from memory.language.text import embeddings, terms
from memory.language.text.terms import Float32Array

CORRECTIONS_PATH = Path(__file__).with_name("corrections.npz")
# From here on it is taken for a correction by its examples alone, and from here on it may be one.
_SURELY, _PERHAPS = 0.7, 0.2
# How many of the messages before it are looked at.
_REACH = 6
_NUMBER = re.compile(
    r"\d+(?:[.:]\d+)*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|first|second"
    r"|third|fourth)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.,;!?]")
_ANOTHER = frozenset({"other", "another", "also", "too"})
_SHORT = (3, 6, 12, 20)


def is_correction(text: str, before: Sequence[str]) -> bool:
    """Whether a text puts something right: what it says itself so of, or one of the texts `before`.

    `before` is what the same person said before it, the last one last.
    """
    plain = text.replace("’", "'").strip()
    if not plain or plain.endswith("?"):
        return False
    if is_explicit_correction(plain):
        return True
    if any(amends_sentence(plain, one) or sets_against(plain, one) for one in before):
        return True
    return surely_corrects(plain, before)


def surely_corrects(text: str, before: Sequence[str]) -> bool:
    """Whether it puts one of the texts before it right, by its examples."""
    return _probability(text, before) >= _SURELY and not _speaks_of_another(text, before)


def may_correct(text: str, before: Sequence[str]) -> bool:
    """Whether there is some chance of it: enough to show what it may be about, and no more."""
    return _probability(text, before) >= _PERHAPS


def _speaks_of_another(text: str, before: Sequence[str]) -> bool:
    """Whether it tells of another person or thing, which may be so as well: "my other sister"."""
    words = set(terms.split_words(text))
    named = words & lexicon.KIN - set(terms.split_words(before[-1]))
    return bool(named or words & _ANOTHER) and not DENIED.search(text)


def _probability(text: str, before: Sequence[str]) -> float:
    """From 0 to 1, by `evaluation/examples/corrections.jsonl`; 0 for a question, or a beginning."""
    if not before or text.rstrip().endswith("?"):
        return 0.0
    features = correction_features(text, before)
    return _classifier().probabilities_of(features)["corrects"]


def correction_features(text: str, before: Sequence[str]) -> Float32Array:
    """A message, what it shares with the last of those before it, and with the nearest of them."""
    shared = [_shared(text, one) for one in before[-_REACH:] or [""]]
    nearest = max(shared, key=lambda signs: signs[0] + signs[1])
    return np.concatenate(
        [
            sentence_features(text),
            np.array([*shared[-1], *nearest, *_alone(text), not before], np.float32),
        ]
    )


def _alone(text: str) -> list[float]:
    """What the message says of itself."""
    count = len(text.split())
    return [
        is_explicit_correction(text),
        text.startswith("*"),
        text.rstrip().endswith("*"),
        "?" in text,
        _NUMBER.search(text) is not None,
        DENIED.search(text) is not None,
        *(count <= most for most in _SHORT),
    ]


def _shared(text: str, other: str) -> list[float]:
    """How two messages go together; the first two numbers are shares of their content words."""
    first = _CLAUSE_END.split(text)[0]
    said, told, opening = map(_stems, (text, other, first))
    both = said & told
    denied = {terms.stem_id(found["what"].lower()) for found in DENIED.finditer(text)}
    numbers, others = (set(_NUMBER.findall(one.lower())) for one in (text, other))
    words, known = (set(terms.split_words(one)) for one in (text, other))
    return [
        len(both) / max(1, len(said)),
        len(both) / max(1, len(told)),
        bool(both),
        bool(numbers - others and others),
        bool(numbers & others),
        bool(numbers and not others),
        _likeness(text, other),
        _nearest_replacement(text, other),
        bool(denied & told),
        len(words & known) / max(1, len(words)),
        len(first.split()) <= _SHORT[0],
        bool(opening & told),
        gives_another_value(text, [other]),
        bool((words - known) & lexicon.KIN),
    ]


def _nearest_replacement(text: str, other: str) -> float:
    """How alike in meaning the two likest words are of which each stands in one text only."""
    said, told = (set(terms.content_words(one)) for one in (text, other))
    pairs = product(said - told, told - said)
    return max((_likeness(one, two) for one, two in pairs), default=0.0)


def _likeness(text: str, other: str) -> float:
    """How alike in meaning two texts are; 1 for the same."""
    one, two = _meaning(text), _meaning(other)
    return 0.0 if one is None or two is None else float(one @ two)


@lru_cache(maxsize=1000)
def _meaning(text: str) -> Float32Array | None:
    return embeddings.embed_as_array(text)


def _stems(text: str) -> set[int]:
    return {terms.stem_id(word) for word in terms.content_words(text)}


@once_per_process
def _classifier() -> SentenceClassifier:
    return SentenceClassifier.load(CORRECTIONS_PATH)
