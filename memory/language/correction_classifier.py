"""Whether a message puts right what the same person said before it: by its form, else by examples.

The classifier reads the message as `sentence_features` does, and what it shares with the messages
before it: words, numbers, meaning, the place of a value by another of its kind.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accounts.support.process_cache import once_per_process
from memory.language.amendments import (
    CLAUSE_END,
    DENIED,
    NUMBER_OR_DAY,
    amends_sentence,
    gives_another_value,
    is_explicit_correction,
    sets_against,
)
from memory.language.lexicons import lexicon
from memory.language.sentence_classifier import SentenceClassifier, sentence_features
from memory.language.text import terms
from memory.language.text.dedup import content_stem_ids
from memory.language.text.sentence_encoder import encode_sentence, encode_sentences
from memory.language.text.terms import Float32Array

CORRECTIONS_PATH = Path(__file__).with_name("corrections.npz")
# From here on it is taken for a correction by its examples alone, and from here on it may be one.
_SURELY, _PERHAPS = 0.6, 0.15
# How many of the messages before it are looked at.
_REACH = 6
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
    """A message, what it shares with the last of those before it (one at least), and with the
    nearest of them.
    """
    encode_sentences([text, *before[-_REACH:]])
    said = _Words(text)
    shared = [_shared(said, _Words(one)) for one in before[-_REACH:]]
    nearest = max(shared, key=lambda signs: signs[0] + signs[1])
    signs = np.array([*shared[-1], *nearest, *_alone(text)], np.float32)
    return np.concatenate([sentence_features(text), signs])


class _Words:
    """A text in its words, read once for all that it is compared with."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = set(terms.split_words(text))
        self.content = terms.content_words(text)
        self.stems = content_stem_ids(text)
        self.numbers = {w for w in self.words if w[0].isdigit() or w in lexicon.NUMBER_WORDS}
        self.meaning = encode_sentence(text)

    def vectors(self, without: set[str]) -> Float32Array:
        """What its content words mean, a unit row each, without those that another text has."""
        return terms.word_vectors([word for word in self.content if word not in without])


def _alone(text: str) -> list[float]:
    """What the message says of itself."""
    count = len(text.split())
    return [
        is_explicit_correction(text),
        text.startswith("*"),
        text.rstrip().endswith("*"),
        "?" in text,
        NUMBER_OR_DAY.search(text) is not None,
        DENIED.search(text) is not None,
        *(count <= most for most in _SHORT),
    ]


def _shared(said: _Words, told: _Words) -> list[float]:
    """How two messages go together; the first two numbers are shares of their content words."""
    first = CLAUSE_END.split(said.text)[0]
    both = said.stems & told.stems
    denied = {terms.stem_id(found["what"].lower()) for found in DENIED.finditer(said.text)}
    return [
        len(both) / max(1, len(said.stems)),
        len(both) / max(1, len(told.stems)),
        bool(both),
        bool(said.numbers - told.numbers and told.numbers),
        bool(said.numbers & told.numbers),
        bool(said.numbers and not told.numbers),
        float(said.meaning @ told.meaning),
        _nearest_replacement(said, told),
        bool(denied & told.stems),
        len(said.words & told.words) / max(1, len(said.words)),
        len(first.split()) <= _SHORT[0],
        bool(content_stem_ids(first) & told.stems),
        gives_another_value(said.text, [told.text]),
        bool((said.words - told.words) & lexicon.KIN),
    ]


def _nearest_replacement(said: _Words, told: _Words) -> float:
    """How alike in meaning the two likest words are of which each stands in one text only."""
    ours, theirs = said.vectors(told.words), told.vectors(said.words)
    return float((ours @ theirs.T).max()) if len(ours) and len(theirs) else 0.0


@once_per_process
def _classifier() -> SentenceClassifier:
    return SentenceClassifier.load(CORRECTIONS_PATH)
