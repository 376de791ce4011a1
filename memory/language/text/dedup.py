"""Whether two memories mean the same: by words, embeddings, and details that must not differ."""

import re
from calendar import month_name
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from rapidfuzz import fuzz, process

from memory.language.dates.time_expressions import MONTHS
from memory.language.lexicons import load_lexicon
from memory.language.text import compression, terms
from memory.slots import same_value

Meaning = Sequence[float] | terms.Float32Array
# Least similarity (0..100) by words alone, and with equal embeddings.
SAME_WORDS, SAME_WORDS_LOOSELY = 90.0, 82.0
SAME_MEANING, WITH_WORDS = 0.90, 70.0
TIME_WORDS = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|yesterday|tomorrow|last|next|this"
    r"|morning|evening|night|spring|summer|autumn|fall|winter)\b"
)
_NEGATION = re.compile(r"\b(?:not|never|no|without|nothing|nobody|n't|\w+n't)\b")
# Not included: negations, prepositions of place, time or person, and content words.
_FILLERS = load_lexicon("spared_words")
_MONTH_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINAL = re.compile(r"\b(?:the )?(\d+)(?:st|nd|rd|th)(?: of)?\b", re.IGNORECASE)
_SHORT_MONTH = re.compile(rf"(?<=\d )({_MONTH_NAMES})\b|\b({_MONTH_NAMES})(?= \d)", re.IGNORECASE)


@lru_cache(maxsize=4_096)
def make_content_key(text: str) -> str:
    """Return the words of a text without case, punctuation and fillers, for comparison."""
    words = terms.split_words(_with_plain_days(text))
    return " ".join(word for word in words if word not in _FILLERS) or text.strip().lower()


def _with_plain_days(text: str) -> str:
    """Return a text with uniform days: "the 12th of Dec" as "12 December"."""
    return _SHORT_MONTH.sub(_month_in_full, _ORDINAL.sub(r"\1", text))


def _month_in_full(match: re.Match[str]) -> str:
    return month_name[MONTHS[match[0].lower()]]


def likely(wanted: str, keys: Sequence[str]) -> list[int]:
    """Return the indexes of keys with similar words, best first."""
    alike = process.extract(
        wanted, keys, scorer=fuzz.token_sort_ratio, score_cutoff=WITH_WORDS, limit=None
    )
    return [place for _, _, place in alike]


def says_the_same(
    first: str,
    second: str,
    first_meaning: Meaning | None = None,
    second_meaning: Meaning | None = None,
    *,
    loosely: bool = False,
) -> bool:
    """Return whether two memories mean the same, so that one is enough.

    Meanings are unit vectors, if known. `loosely`: a lower threshold, for decisions that can be
    undone. Memories differ if one denies what the other says, or if names, numbers or times differ.
    """
    keys = make_content_key(first), make_content_key(second)
    if keys[0] == keys[1]:
        return True
    if _what_counts(first) != _what_counts(second):
        return False
    words = fuzz.token_sort_ratio(*keys)
    if words >= (SAME_WORDS_LOOSELY if loosely else SAME_WORDS):
        return True
    if words < WITH_WORDS or first_meaning is None or second_meaning is None:
        return False
    return float(np.dot(np.asarray(first_meaning), np.asarray(second_meaning))) >= SAME_MEANING


@lru_cache(maxsize=4_096)
def _what_counts(text: str) -> tuple[bool, frozenset[str]]:
    """Return whether a text has a negation, and its names, numbers and times."""
    plain = _with_plain_days(text)
    spans = " ".join(compression.key_spans(plain, most=20))
    words = {*terms.split_words(spans), *TIME_WORDS.findall(plain.lower())}
    return bool(_NEGATION.search(plain.lower())), frozenset(words)


def tells_the_same(slot: str, first: str, second: str) -> bool:
    """Return whether two values of a slot are equal, or one only has more words ('a red bowl').

    For uncertain values; the profile itself is stricter.
    """
    if same_value(slot, first, second):
        return True
    stems = content_stem_ids(first), content_stem_ids(second)
    return all(stems) and (stems[0] <= stems[1] or stems[1] <= stems[0])


def content_stem_ids(value: str) -> set[int]:
    """Return the stem ids of the content words of a value."""
    return {terms.stem_id(word) for word in terms.content_words(value)}
