"""What a text is made of: its words without the empty ones, as numbers and as one vector."""

import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from accounts.support.process_cache import once_per_process
from memory.language.lexicons import load_lexicon, load_pairs
from memory.language.text import EMBEDDING_DIMENSIONS, embeddings
from memory.language.text.stemming import stem

Float32Array = npt.NDArray[np.float32]

# The stored vector is the model's own mean with the mean of the telling words added to it.
MEANING_MODEL_NAME = f"{embeddings.MODEL_NAME}-words"
# Words that say how a sentence is built and nothing of what it is about. Question words are among
# them: an answer does not repeat the "when" it was asked with.
STOPWORDS = load_lexicon("empty_words")
# A text of one endless word must neither fill an index nor a cache.
LONGEST_WORD = 64
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_WHOLE_WORD = re.compile("▁[A-Za-z]{3,}")

# How near the vectors of two words must be for the one to stand in for the other, how much that
# counts beside the word itself, and how many stand-ins a word may have.
RELATED_FROM = 0.5
RELATED_COUNTS = 0.8
MOST_RELATED = 12
# Short forms that the vectors do not know, for words that are written out elsewhere.
_SHORT_FORMS = load_pairs("short_forms")


def split_words(text: str) -> list[str]:
    """Return the words of a text in reading order: lower case, possessives cut, empty ones
    included.
    """
    words = _WORD.findall(text.lower().replace("’", "'"))
    return [word.removesuffix("'s")[:LONGEST_WORD] for word in words]


def content_words(text: str) -> list[str]:
    """Return the words that say what a text is about, in reading order."""
    return [word for word in split_words(text) if word not in STOPWORDS]


@lru_cache(maxsize=100_000)
def stem_id(word: str) -> int:
    """Return a word's stem as a signed 32-bit number, so that a text can be kept as an array.

    Two stems share a number once in four thousand million pairs; the price is one false match.
    """
    return zlib.crc32(stem(word).encode()) - 2**31


def meaning_vectors(texts: Sequence[str]) -> list[Float32Array | None]:
    """Return a unit vector a text, or None for one without a known word.

    The mean over all tokens (the register of a text) plus the mean over its telling words (its
    subject): on long messages the first finds more, on short ones the second.
    """
    return [
        _both(embeddings.embed_as_array(text), _sum_of_words(content_words(text))) for text in texts
    ]


def columns(numbers: Sequence[int], meaning: Float32Array | None) -> dict[str, Any]:
    """Return the columns of a row for the numbers of its words and their meaning."""
    return {
        "terms": np.array(numbers, "<i4").tobytes(),
        "embedding": None if meaning is None else meaning.tolist(),
        "embedding_model": "" if meaning is None else MEANING_MODEL_NAME,
    }


def as_text(vector: Float32Array) -> str:
    """Return a vector as the database reads it; half precision holds four digits."""
    return "[" + ",".join(["%.4f"] * len(vector)) % tuple(vector.tolist()) + "]"


def weigh_word(word: str) -> float | None:
    """Return how long the model's vector of a word is: the more it tells, the longer (2..20).

    None for a word that the model has only in pieces, as it has most names.
    """
    rows = embeddings.token_vectors(word)
    # Without vectors, every word is unusual.
    whole = rows is not None and len(rows) == 1
    return float(np.linalg.norm(_vector(word))) if whole else None


@lru_cache(maxsize=10_000)
def find_related_stems(word: str) -> tuple[tuple[int, float], ...]:
    """Return words that can stand in for this one, as (number, how much they count: 0..1).

    Only words that are one token of the model are known here: some ten thousand ordinary ones, so
    names have no stand-ins and 'instrument' has 'guitar'. Its short forms stand in wholly.
    """
    full = _SHORT_FORMS.get(word, word)
    forms = {full, *(short for short, long in _SHORT_FORMS.items() if long == full)} - {word}
    counts = {stem_id(form): 1.0 for form in sorted(forms)}
    vector = _unit(_vector(word))
    if vector is None:
        return tuple(counts.items())
    numbers, vectors = _ordinary_words()
    nearness = vectors @ vector
    own = stem_id(word)
    near = np.flatnonzero(nearness > RELATED_FROM)
    for place in near[np.argsort(-nearness[near], kind="stable")][: MOST_RELATED + 1]:
        over = (float(nearness[place]) - RELATED_FROM) / (1 - RELATED_FROM)
        if numbers[place] != own:
            counts.setdefault(numbers[place], RELATED_COUNTS * min(1.0, over))
    return tuple(counts.items())


def _both(first: Float32Array | None, second: Float32Array | None) -> Float32Array | None:
    if first is None or second is None:
        return first if second is None else second
    return _unit(first + second)


def _sum_of_words(words: Sequence[str]) -> Float32Array | None:
    return _unit(np.sum([_vector(word) for word in words], axis=0)) if words else None


def _unit(vector: Float32Array) -> Float32Array | None:
    length = float(np.linalg.norm(vector))
    # NaN compares false too: a zero or broken vector would spoil every search it meets.
    return vector / np.float32(length) if length > 1e-6 else None


@lru_cache(maxsize=20_000)
def _vector(word: str) -> Float32Array:
    """Return a word's vector, the mean of its tokens'; not of unit length: the telling ones are
    long.
    """
    rows = embeddings.token_vectors(word)
    if rows is None:  # words still find
        return np.zeros(EMBEDDING_DIMENSIONS, np.float32)
    vector: Float32Array = rows.mean(axis=0)
    return vector


def is_ordinary_word(word: str) -> bool:
    """Return whether a word is commonly written in lower case: no name of somebody."""
    return word in STOPWORDS or weigh_word(word) is not None


@once_per_process
def _ordinary_words() -> tuple[list[int], Float32Array]:
    """Return the numbers and unit vectors of the model's tokens that are whole words."""
    model = embeddings._model()
    tokens: dict[str, int] = {}
    for token, place in sorted(model.tokenizer.get_vocab().items(), key=lambda item: item[1]):
        if _WHOLE_WORD.fullmatch(token) and token[1:].lower() not in STOPWORDS:
            tokens.setdefault(token[1:].lower(), place)
    vectors = model.embedding[list(tokens.values())]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [stem_id(word) for word in tokens], vectors
