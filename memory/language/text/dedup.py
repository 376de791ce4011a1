"""Whether two notes say the same: by their words, by their meaning, and by what must not differ."""

import re
from calendar import month_name
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from rapidfuzz import fuzz, process

from memory.language.dates.time_expressions import MONTHS
from memory.language.text import compression, terms
from memory.slots import same_value

# Alike in words alone from here on, in words and meaning together from there on; of 100.
Meaning = Sequence[float] | terms.Float32Array
SAME_WORDS, SAME_WORDS_LOOSELY = 90.0, 82.0
SAME_MEANING, WITH_WORDS = 0.90, 70.0
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
        " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        " twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth"
        " twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first".split(),
        start=1,
    )
}
_NEGATION = re.compile(r"\b(?:not|never|no|without|nothing|nobody|n't|\w+n't)\b")
TIME_WORDS = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|yesterday|tomorrow|last|next|this"
    r"|morning|evening|night|spring|summer|autumn|fall|winter)\b"
)


_MONTH_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b", re.IGNORECASE)
# "The twelfth of May", and "May the twelfth": alone, a first or a second is no day.
_SPELT_OUT = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_DAY_OF_MONTH = re.compile(
    rf"\b(?:the )?(\d{{1,2}}|{_SPELT_OUT}) (?:of )?({_MONTH_NAMES})\b", re.IGNORECASE
)
_MONTH_AND_DAY = re.compile(
    rf"\b({_MONTH_NAMES}),? (?:the )?({_SPELT_OUT}|\d{{1,2}})\b(?! o'clock|:)", re.IGNORECASE
)


@lru_cache(maxsize=4_096)
def make_content_key(text: str) -> str:
    """The words of a text without case, marks or fillers: equal keys mean the very same note."""
    return (
        " ".join(terms.split_words(compression.compress_to_telegram(_with_plain_days(text))))
        or text.strip().lower()
    )


def _with_plain_days(text: str) -> str:
    """The days of the year in one form: "the 12th of May" and "May 12" are "12 May"."""
    plain = _ORDINAL.sub(r"\1", text)
    plain = _DAY_OF_MONTH.sub(lambda match: _day(match[1], match[2]), plain)
    return _MONTH_AND_DAY.sub(lambda match: _day(match[2], match[1]), plain)


def _day(number: str, month: str) -> str:
    return (
        f"{_ORDINALS.get(number.lower(), number).lstrip('0')} {month_name[MONTHS[month.lower()]]}"
    )


def likely(key_of_one: str, keys: Sequence[str]) -> list[int]:
    """The places of those keys that are alike enough in words to be looked at, best first."""
    found = process.extract(
        key_of_one, keys, scorer=fuzz.token_sort_ratio, score_cutoff=WITH_WORDS, limit=None
    )
    return [position for _, _, position in found]


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
    mine, theirs = make_content_key(one), make_content_key(other)
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
    mine, theirs = content_stem_ids(one), content_stem_ids(other)
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def content_stem_ids(value: str) -> set[int]:
    """The telling words of a value, by the number of their stem."""
    return {terms.stem_id(word) for word in terms.content_words(value)}


def _differ_in_what_counts(one: str, other: str) -> bool:
    denied = bool(_NEGATION.search(one.lower())), bool(_NEGATION.search(other.lower()))
    if denied[0] != denied[1]:
        return True
    return _what_counts(one) != _what_counts(other)


@lru_cache(maxsize=4_096)
def _what_counts(text: str) -> frozenset[str]:
    plain = _with_plain_days(text)
    named = {
        word for span in compression.key_spans(plain, most=20) for word in terms.split_words(span)
    }
    return frozenset(named | {match[0] for match in TIME_WORDS.finditer(plain.lower())})
