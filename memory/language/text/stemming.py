"""Bringing the forms of an English word together: Snowball English, and the forms it cannot know.

Source of the algorithm: https://snowballstem.org/algorithms/english/stemmer.html
"""

import re
import threading
from functools import lru_cache

import snowballstemmer

from memory.language.lexicons import load_pairs

_WORD = re.compile("[a-z']+")


class _Stemmer(threading.local):
    """One a thread: a stemmer holds the word that it works on."""

    def __init__(self) -> None:
        self.stemmer = snowballstemmer.stemmer("english")


_of_thread = _Stemmer()

# What the rules cannot know: forms that share no stem with their word.
_PAST_FORMS = load_pairs("past_forms")
_IRREGULAR = _PAST_FORMS | load_pairs("irregular_forms")


def is_past(word: str) -> bool:
    """Return whether a lower-case word is a verb's past form; 'put' and its like are not known."""
    return word in _PAST_FORMS or (word.endswith("ed") and stem(word) != word)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; what is not English letters is its own stem."""
    word = _IRREGULAR.get(word, word).removeprefix("'")
    if len(word) <= 2 or not _WORD.fullmatch(word):
        return word
    return _of_thread.stemmer.stemWord(word)  # type: ignore[no-any-return]
