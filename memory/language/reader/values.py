"""Normalising a marked value: without surrounding articles, prepositions and punctuation."""

from __future__ import annotations

import re
from datetime import date

from memory.language.dates.time_expressions import TIMES, WEEKDAYS_ALONE, find_times
from memory.language.lexicons import NUMBER_WORDS
from memory.language.text.terms import STOPWORDS

_AROUND = " \t\n.,;:!?\"“”„'‘’()[]*-–—"
_ARTICLE = re.compile(r"(?:an?|the|my|our)\s+(?=\S)", re.IGNORECASE)
# Words at the end of a value that was cut too late.
_TAIL = re.compile(
    r"(?:(?:^|\s+)(?:an?|the|my|our|of|in|with|for|and|or|to|at|on|by|per))+$", re.IGNORECASE
)
_NUMBER = re.compile(r"\d{1,3}")
_NAMES = frozenset({"name", "preferred_name", "location", "hometown", "languages"})
"""Slots whose values are written with capitals, also where they were not typed so."""
_WITH_ARTICLE = frozenset({"interests", "likes", "dislikes", "employer"})
"""Slots in which "the" may belong to a name: The Cure, The Guardian."""
_ANY_WORD = _NAMES | {"pronouns"}
"""Slots whose values may be words that elsewhere say nothing: Will, May, they."""
_OLDEST = 120
_TWO_DAYS = (date(2024, 1, 10), date(2024, 5, 18))
"""Two days, on other weekdays of other months."""


def written_value(slot: str, text: str) -> str:
    """Return the normalised value of a slot; '' if it says nothing."""
    value = " ".join(text.split()).strip(_AROUND)
    if value.endswith(("'s", "’s")) and slot in _NAMES:
        value = value[:-2]
    article = _ARTICLE.match(value)
    if article and not (slot in _WITH_ARTICLE and article[0][:1].isupper()):
        value = value[article.end() :]
    value = _TAIL.sub("", value)
    if slot == "age":
        return _age(value)
    if slot == "birthday" and _is_counted_from_today(value):
        return ""
    if slot not in _ANY_WORD and STOPWORDS.issuperset(value.lower().split()):
        return ""
    if slot in _NAMES and value.islower():
        value = " ".join(word[:1].upper() + word[1:] for word in value.split(" "))
    return value


def _is_counted_from_today(value: str) -> bool:
    """Return whether a value names another day each time it is said: "Friday", "next week"."""
    spans = (find_times((*TIMES, *WEEKDAYS_ALONE), value.lower(), today) for today in _TWO_DAYS)
    days = [{(span.first.month, span.first.day) for span in reading} for reading in spans]
    return days[0] != days[1]


def _age(value: str) -> str:
    digits = _NUMBER.search(value)
    if digits:
        years = int(digits[0])
    else:
        parts = [part for part in re.split(r"[\s-]+", value.lower()) if part]
        years = sum(NUMBER_WORDS.get(part, 0) for part in parts)
    return str(years) if 0 < years <= _OLDEST else ""
