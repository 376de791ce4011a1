"""A text's content words, as stem ids, and its embedding."""

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

# The stored embedding is the model's own plus the mean vector of the content words.
MEANING_MODEL_NAME = f"{embeddings.MODEL_NAME}-words"
# Function words, and question words, which answers do not repeat.
STOPWORDS = load_lexicon("empty_words")
# In characters; longer words are cut, to protect index and caches.
LONGEST_WORD = 64
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_WHOLE_WORD = re.compile("▁[A-Za-z]{3,}")

# Least cosine similarity of a related word, its weight compared to the word itself, and the number
# of related words.
RELATED_FROM = 0.5
RELATED_COUNTS = 0.8
MOST_RELATED = 12
# Short forms that the vectors do not know, with their long forms.
_SHORT_FORMS = load_pairs("short_forms")


def split_words(text: str) -> list[str]:
    """Return all words of a text in order, in lower case, without possessive endings."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    return [word.removesuffix("'s")[:LONGEST_WORD] for word in words]


def content_words(text: str) -> list[str]:
    """Return the content words of a text in order."""
    return [word for word in split_words(text) if word not in STOPWORDS]


@lru_cache(maxsize=100_000)
def stem_id(word: str) -> int:
    """Return a signed 32-bit id of a word's stem, so that texts can be stored as arrays.

    Collisions are rare (one in four billion pairs) and only cause a false match.
    """
    return zlib.crc32(stem(word).encode()) - 2**31


def meaning_vectors(texts: Sequence[str]) -> list[Float32Array | None]:
    """Return a unit vector per text; None for a text without a known word.

    The mean over all tokens (style) plus the mean over content words (subject): the first is better
    for long messages, the second for short ones.
    """
    return [
        _both(embeddings.embed_as_array(text), _sum_of_words(content_words(text))) for text in texts
    ]


def columns(numbers: Sequence[int], meaning: Float32Array | None) -> dict[str, Any]:
    """Return the database columns for stem ids and an embedding."""
    return {
        "terms": np.array(numbers, "<i4").tobytes(),
        "embedding": None if meaning is None else meaning.tolist(),
        "embedding_model": "" if meaning is None else MEANING_MODEL_NAME,
    }


def as_text(vector: Float32Array) -> str:
    """Return a vector as a PostgreSQL literal with four decimals."""
    return "[" + ",".join(["%.4f"] * len(vector)) % tuple(vector.tolist()) + "]"


def weigh_word(word: str) -> float | None:
    """Return the length of a word's vector, 2..20; more specific words have longer vectors.

    None for a word that is not a single token, such as most names.
    """
    rows = embeddings.token_vectors(word)
    # Without vectors, every word counts as unknown.
    whole = rows is not None and len(rows) == 1
    return float(np.linalg.norm(_vector(word))) if whole else None


@lru_cache(maxsize=10_000)
def find_related_stems(word: str) -> tuple[tuple[int, float], ...]:
    """Return related words that can match this one, as (stem id, weight 0..1).

    Only for words that are one token of the model (about ten thousand), so names have none and
    'instrument' has 'guitar'. Short forms have weight 1.
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
    # Also for NaN: a zero or invalid vector would break every search.
    return vector / np.float32(length) if length > 1e-6 else None


@lru_cache(maxsize=20_000)
def _vector(word: str) -> Float32Array:
    """Return a word's vector, the mean over its tokens; longer for more specific words."""
    rows = embeddings.token_vectors(word)
    if rows is None:  # words still find
        return np.zeros(EMBEDDING_DIMENSIONS, np.float32)
    vector: Float32Array = rows.mean(axis=0)
    return vector


def is_ordinary_word(word: str) -> bool:
    """Return whether a word is an ordinary word and not a name."""
    return word in STOPWORDS or weigh_word(word) is not None


@once_per_process
def _ordinary_words() -> tuple[list[int], Float32Array]:
    """Return the stem ids and unit vectors of the model's tokens that are whole words."""
    model = embeddings._model()
    tokens: dict[str, int] = {}
    for token, place in sorted(model.tokenizer.get_vocab().items(), key=lambda item: item[1]):
        if _WHOLE_WORD.fullmatch(token) and token[1:].lower() not in STOPWORDS:
            tokens.setdefault(token[1:].lower(), place)
    vectors = model.embedding[list(tokens.values())]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [stem_id(word) for word in tokens], vectors
