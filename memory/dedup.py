"""Whether two notes say the same: by their words, by their meaning, and by what must not differ."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from rapidfuzz import fuzz, process

from memory import gist, lexicon
from memory.slots import same_value

# Alike in words alone from here on, in words and meaning together from there on; of 100.
Meaning = Sequence[float] | lexicon.Floats
SAME_WORDS, SAME_WORDS_LOOSELY = 90.0, 82.0
SAME_MEANING, WITH_WORDS = 0.90, 70.0
_NEGATION = re.compile(r"\b(?:not|never|no|without|nothing|nobody|n't|\w+n't)\b")
_WHEN = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|yesterday|tomorrow|last|next|this"
    r"|morning|evening|night|spring|summer|autumn|fall|winter)\b"
)


@lru_cache(maxsize=4_096)
def key(text: str) -> str:
    """The words of a text without case, marks or fillers: equal keys mean the very same note."""
    return " ".join(lexicon.words(gist.telegram(text))) or text.strip().lower()


def likely(key_of_one: str, keys: Sequence[str]) -> list[int]:
    """The places of those keys that are alike enough in words to be looked at, best first."""
    found = process.extract(
        key_of_one, keys, scorer=fuzz.token_sort_ratio, score_cutoff=WITH_WORDS, limit=None
    )
    return [place for _, _, place in found]


def says_the_same(
    one: str,
    other: str,
    one_meaning: Meaning | None = None,
    other_meaning: Meaning | None = None,
    *,
    loosely: bool = False,
) -> bool:
    """Whether one of two notes is enough. Meanings are unit vectors, where they are known.

    `loosely` is for what can be undone: a little less alike is enough then. However alike, two
    notes differ when one denies what the other says, or when they name other people, places,
    numbers or times.
    """
    mine, theirs = key(one), key(other)
    if mine == theirs:
        return True
    if _differ_in_what_counts(one, other):
        return False
    words = fuzz.token_sort_ratio(mine, theirs)
    if words >= (SAME_WORDS_LOOSELY if loosely else SAME_WORDS):
        return True
    if words < WITH_WORDS or one_meaning is None or other_meaning is None:
        return False
    return float(np.dot(np.asarray(one_meaning), np.asarray(other_meaning))) >= SAME_MEANING


def tells_the_same(slot: str, one: str, other: str) -> bool:
    """Whether two values of a slot are one: the same, or the one with a word more than the other.

    For what is only supposed ('a bowl', 'a hand-painted bowl'); the profile itself is stricter.
    """
    if same_value(slot, one, other):
        return True
    mine, theirs = stems(one), stems(other)
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def stems(value: str) -> set[int]:
    """The telling words of a value, by the number of their stem."""
    return {lexicon.number(word) for word in lexicon.telling(value)}


def _differ_in_what_counts(one: str, other: str) -> bool:
    denied = bool(_NEGATION.search(one.lower())), bool(_NEGATION.search(other.lower()))
    if denied[0] != denied[1]:
        return True
    return _what_counts(one) != _what_counts(other)


@lru_cache(maxsize=4_096)
def _what_counts(text: str) -> frozenset[str]:
    lower = text.lower()
    named = {word for span in gist.key_spans(text, most=20) for word in lexicon.words(span)}
    return frozenset(named | {found[0] for found in _WHEN.finditer(lower)})
