"""Stemming English words: Snowball English, and irregular forms.

Source of the algorithm: https://snowballstem.org/algorithms/english/stemmer.html
"""

import re
import threading
from functools import lru_cache

import snowballstemmer

from memory.language.lexicons import load_pairs

_WORD = re.compile("[a-z']+")


class _Stemmer(threading.local):
    """A stemmer per thread, because it has state."""

    def __init__(self) -> None:
        self.stemmer = snowballstemmer.stemmer("english")


_of_thread = _Stemmer()

# Irregular forms, which the algorithm does not know.
_PAST_FORMS = load_pairs("past_forms")
_IRREGULAR = _PAST_FORMS | load_pairs("irregular_forms")


def is_past(word: str) -> bool:
    """Return whether a lower-case word is a past form, except forms like 'put'."""
    return word in _PAST_FORMS or (word.endswith("ed") and stem(word) != word)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case English word; other words are returned unchanged."""
    word = _IRREGULAR.get(word, word).removeprefix("'")
    if len(word) <= 2 or not _WORD.fullmatch(word):
        return word
    return _of_thread.stemmer.stemWord(word)  # type: ignore[no-any-return]
