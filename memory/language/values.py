"""Comparing two values of a slot: equal, more precise, or how different.

The rules prefer "different": a needless question costs a click, a wrong merge loses a fact. So
equality uses declared normalisations only, no fuzzy matching (Anna and Ana are two names). Fuzzy
similarity is used for :func:`drift`, which only lowers trust, and for :func:`spelled_alike`, which
only asks.
"""

import re
import unicodedata
from calendar import month_name
from collections.abc import Iterator
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from memory.language.dates.time_expressions import MONTHS
from memory.language.lexicons import NUMBER_WORDS, load_pairs, load_places

_COMPANY_SUFFIX = re.compile(
    r"(?: (?:inc|incorporated|ltd|limited|llc|llp|gmbh|ag|kg|plc|corp|corporation|co|company))+$"
)
_STATES = load_pairs("regions")
"""States of the USA, and two of Canada, by their abbreviations."""
_AROUND = load_places()
"""The places that people name most, each with the one in which it lies; no atlas."""
_PLACE_ALIASES = load_pairs("place_names")
_WORD_ALIASES = {
    "job_title": {"sr": "senior", "jr": "junior", "dev": "developer"},
    "employment_status": {"unemployed": "not working", "jobless": "not working"},
    "diet": {"veggie": "vegetarian"},
    "expertise": {"js": "javascript", "golang": "go"},
}
_PLURALS_MERGE = frozenset({"likes", "dislikes", "interests", "pets", "family", "diet"})
_PLACES = frozenset({"location", "hometown"})
_LEADING = re.compile(r"^(?:(?:the|a|an|my|our|some|to)\s+)+(?=\S)")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)")
_PRONOUNS = {"he": "him", "she": "her", "they": "them", "it": "its", "ze": "zir", "xe": "xem"}

_NAMED_IN_FULL = frozenset({"name", "employer"})
"""Slots in which words after a value make it more special: "Sam Smith", "Google DeepMind"."""
_NAMED_BY_HEAD = frozenset({"job_title", "career_goal", "employer", "vehicle", "pets", "education"})
"""Slots in which words before a value make it more special: "senior nurse", "City Hospital"."""
_SURROUNDINGS = re.compile(
    r"(?:(?:small|big|large|little|tiny|rural|quiet|busy|old) )*"
    r"(?:farm|ranch|town|village|city|suburbs?|country|countryside|area|mountains|beach|island"
    r"|woods|coast)"
)
_SPELLED_ALIKE, _LEAST_LETTERS = 1 / 3, 4
"""Up to this distance two names may be one, of which the longer has so many letters at least."""


# --- Equality ------------------------------------------------------------------------------------


# Cached, because one value is compared with all values of its slot.
@lru_cache(maxsize=1024)
def value_key(slot: str, value: str) -> str:
    """Return the normalised key of a value; two values with one key are equal.

    Case, accents, punctuation, spaces, leading articles and, by slot, company suffixes, some
    aliases, number words and date order do not matter. ``+`` and ``#`` stay: C, C++ and C# are
    three languages. Never raises; an empty value has the empty key.
    """
    text = _plain(value)
    if slot == "age":
        return _number(text)
    if slot == "birthday":
        return _date(text)
    if slot == "pronouns":
        return _pronouns(text)
    if slot in _PLACES:
        return _place(value)
    if slot == "employer":
        text = _COMPANY_SUFFIX.sub("", text)
    aliases = _WORD_ALIASES.get(slot, {})
    text = " ".join(aliases.get(word, word) for word in _LEADING.sub("", text).split())
    if slot in {"pets", "family"}:
        text = re.sub(r"\b(?:named|called)\s+", "", text)
    return _singular(text) if slot in _PLURALS_MERGE else text


def same_value(slot: str, first: str, second: str) -> bool:
    """Return whether two values of one slot mean the same.

    Their keys are equal, or they are the same place with and without its region: "Portland" equals
    "Portland, Oregon"; "Portland, Maine" and "Portland, Oregon" differ.
    """
    keys = value_key(slot, first), value_key(slot, second)
    if keys[0] == keys[1]:
        return True
    cities, regions = zip(*(key.partition("|")[::2] for key in keys), strict=True)
    return slot in _PLACES and cities[0] == cities[1] and not all(regions)


def drift(slot: str, old: str, new: str) -> float:
    """Return the distance of the new value from the old, 0.0 (equal) to 1.0 (all different).

    The edit distance of the two keys, divided by the longer length.
    """
    if same_value(slot, old, new):
        return 0.0
    return Levenshtein.normalized_distance(value_key(slot, old), value_key(slot, new))


def spelled_alike(first: str, second: str) -> bool:
    """Return whether two values differ in the spelling of one word: "cat Pixl" and "cat Pixel".

    They may still be different, so the user is asked.
    """
    words, others = _plain(first).split(), _plain(second).split()
    different = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if len(words) != len(others) or len(words) < 2 or len(different) != 1:
        return False
    first_word, second_word = different[0]
    near = Levenshtein.normalized_distance(first_word, second_word) <= _SPELLED_ALIKE
    return near and max(len(first_word), len(second_word)) >= _LEAST_LETTERS


def _plain(value: str) -> str:
    """Return a text in lower case without accents, brackets and punctuation, with single spaces."""
    decomposed = unicodedata.normalize("NFKD", _PARENTHESIS.sub("", value) or value)
    text = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    text = text.replace("&", " and ").replace("'", "").replace("\u2019", "")
    text = re.sub(r"\bu\.s\.(?:a\.)?", lambda match: match[0].replace(".", ""), text)
    return " ".join(re.sub(r"[^\w+#]|_", " ", text).split())


def _place(value: str) -> str:
    """Return ``city`` or ``city|region``; a region counts only after a comma."""
    city, _, region = value.partition(",")
    city, region = _LEADING.sub("", _plain(city)), _plain(region)
    city = _PLACE_ALIASES.get(city, city)
    region = _STATES.get(region, _PLACE_ALIASES.get(region, region))
    return f"{city}|{region}" if region else city


def _number(text: str) -> str:
    """Return digits: "twenty eight" and "28 years old" are both "28"."""
    digits = re.search(r"\d+", text)
    if digits:
        return str(int(digits[0]))
    words = [NUMBER_WORDS[word] for word in text.split() if word in NUMBER_WORDS]
    return str(sum(words)) if words else text


def _date(text: str) -> str:
    """Return day, month, year: "March 3, 1990" and "3rd of March 1990" are "3 march 1990"."""
    month = next((MONTHS[word] for word in text.split() if word in MONTHS), 0)
    if not month:
        return text
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    day = next((number for number in numbers if number <= 31), 0)
    year = next((number for number in numbers if number > 31), 0)
    parts = (str(day or ""), month_name[month].lower(), str(year or ""))
    return " ".join(part for part in parts if part)


def _pronouns(text: str) -> str:
    """Return two forms: "he/him/his" is "he him"; a lone "she" is "she her"."""
    words = [word for word in text.split() if word != "and"]
    if len(words) == 1 and words[0] in _PRONOUNS:
        words.append(_PRONOUNS[words[0]])
    return " ".join(words[:2])


def _singular(text: str) -> str:
    """Return a text with its last word in the singular: "dogs" is "dog", "chess" stays."""
    if len(text) > 3 and text.endswith("s") and not text.endswith(("ss", "us", "is", "ics")):
        return text[:-1]
    return text


# --- More precise values -------------------------------------------------------------------------


def narrower(slot: str, first: str, second: str) -> bool:
    """Return whether the first value says the same as the second, more precisely.

    "Moscow" is narrower than "Russia", "senior nurse" than "nurse", "City Hospital" than "a
    hospital", "Sam Smith" than "Sam", "Google DeepMind" than "Google", and "Ohio" than "a small
    town". A value is never narrower than itself.
    """
    inner, outer = value_key(slot, first), value_key(slot, second)
    if same_value(slot, first, second) or not inner or not outer:
        return False
    if slot in _PLACES:
        return _is_inside(inner, outer)
    if slot == "employment_status":
        return outer == "not working" and inner != outer
    in_full = slot in _NAMED_IN_FULL and inner.startswith(f"{outer} ")
    by_head = slot in _NAMED_BY_HEAD and inner.endswith(f" {outer}")
    of_a_kind = slot in {"job_title", "career_goal"} and inner.startswith(f"{outer} of ")
    return in_full or by_head or of_a_kind


def _is_inside(inner: str, outer: str) -> bool:
    """Return whether a place lies in another, by its own region or by the list of places."""
    city, _, region = inner.partition("|")
    around = outer.partition("|")[0]
    if _SURROUNDINGS.fullmatch(around):
        return not _SURROUNDINGS.fullmatch(city)
    if city == around.removesuffix(" area"):
        return city != around
    return around in _places_around(region or city) or around == region


def _places_around(place: str) -> Iterator[str]:
    """Yield the places that contain a place, from small to large."""
    while place in _AROUND or place in _STATES.values():
        place = _AROUND.get(place, "united states")
        yield place
