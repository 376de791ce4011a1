"""When two values of a slot mean the same thing, and how far apart two others are.

The rule errs towards "different": a needless question to the person costs a click, a wrong merge
loses a fact. So no fuzzy matching decides equality (Anna and Ana are two names); only declared
normalisations do. Fuzzy similarity is used for :func:`drift` alone, which merely weakens trust.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from memory.language.lexicons.lexicon import MONTHS, NUMBER_WORDS, REGION_NAMES, word_set

_COMPANY_SUFFIXES = word_set(
    "inc incorporated ltd limited llc llp gmbh ag kg plc corp corporation co company sa srl bv pty"
)

_PLACE_ALIASES = {
    "nyc": "new york city", "new york": "new york city", "ny": "new york city",
    "la": "los angeles", "sf": "san francisco", "dc": "washington dc", "philly": "philadelphia",
    "vegas": "las vegas", "st louis": "saint louis", "uk": "united kingdom",
    "great britain": "united kingdom", "us": "united states", "usa": "united states",
    "u s": "united states", "u s a": "united states", "united states of america": "united states",
    "states": "united states", "america": "united states",
    "holland": "netherlands", "uae": "united arab emirates",
}  # fmt: skip

_WORD_ALIASES: dict[str, dict[str, str]] = {
    "job_title": {"sr": "senior", "jr": "junior", "swe": "software engineer", "dev": "developer",
                  "pm": "product manager", "vp": "vice president", "programmer": "developer",
                  "rn": "nurse", "cop": "police officer", "policeman": "police officer",
                  "policewoman": "police officer", "attorney": "lawyer", "vet": "veterinarian",
                  "trucker": "truck driver", "actress": "actor", "waitress": "waiter"},
    "employment_status": {"unemployed": "not working", "jobless": "not working"},
    "employer": {"aws": "amazon web services", "self-employed": "self employed"},
    "diet": {"veggie": "vegetarian", "veg": "vegetarian"},
    "expertise": {"js": "javascript", "ts": "typescript", "golang": "go"},
}  # fmt: skip

# What a job may be called besides, without becoming another: "professional dancer".
_NO_OTHER_JOB = frozenset({"professional", "certified", "licensed", "registered", "fulltime"})
_PLURALS_MERGE = frozenset({"likes", "dislikes", "interests", "pets", "family", "diet"})
_LEADING = re.compile(r"^(?:(?:the|a|an|my|our|some|to)\s+)+(?=\S)")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)")


# One telling is compared with each value of its slot in turn, so the same few are asked for again.
@lru_cache(maxsize=1024)
def value_key(slot: str, value: str) -> str:
    """The normalised key of a value; two values with one key are the same value.

    Case, accents, punctuation, spaces, leading articles and, slot by slot, company suffixes, place
    and job aliases, number words and date order do not matter. ``+`` and ``#`` stay: C, C++ and C#
    are three languages. Never raises; an empty value has the empty key.
    """
    text = _plain(value)
    if slot == "age":
        return _number(text)
    if slot == "birthday":
        return _date(text)
    if slot == "pronouns":
        return _pronouns(text)
    if slot in {"location", "hometown"}:
        return _place(value)
    if slot == "employer":
        text = _without_company_suffix(text)
    text = _LEADING.sub("", text)
    aliases = _WORD_ALIASES.get(slot)
    if aliases:
        text = " ".join(aliases.get(word, word) for word in text.split())
    if slot == "job_title":
        text = " ".join(w for w in text.split() if w not in _NO_OTHER_JOB) or text
    if slot in {"pets", "family"}:
        text = re.sub(r"\b(?:named|called)\s+", "", text)
    return _singular(text) if slot in _PLURALS_MERGE else text


def same_value(slot: str, a: str, b: str) -> bool:
    """Whether two values of one slot mean the same.

    Equal keys are the same. Beyond that only a place may be named with or without its region:
    "Portland" agrees with "Portland, Oregon"; "Portland, Maine" and "Portland, Oregon" differ.
    """
    first, second = value_key(slot, a), value_key(slot, b)
    if first == second:
        return True
    if slot in {"location", "hometown"}:
        city_a, _, region_a = first.partition("|")
        city_b, _, region_b = second.partition("|")
        return city_a == city_b and not (region_a and region_b)
    return False


def drift(slot: str, old: str, new: str) -> float:
    """How far the new value is from the old, 0.0 (the same) to 1.0 (nothing in common).

    One minus the normalised Levenshtein similarity of the two keys (edit distance over the longer
    length). It says how far a value has moved, not whether it is wrong: the caller multiplies it
    by the trust it takes away.
    """
    if same_value(slot, old, new):
        return 0.0
    return Levenshtein.normalized_distance(value_key(slot, old), value_key(slot, new))


def _plain(value: str) -> str:
    """Casefold, drop accents, bracketed remarks and punctuation, collapse spaces."""
    decomposed = unicodedata.normalize("NFKD", _PARENTHESIS.sub("", value) or value)
    text = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    text = text.replace("&", " and ").replace("'", "").replace("\u2019", "")
    text = re.sub(r"\bu\.s\.(?:a\.)?", lambda m: m[0].replace(".", ""), text)
    return " ".join(re.sub(r"[^\w+#]|_", " ", text).split())


def _without_company_suffix(text: str) -> str:
    words = text.split()
    while len(words) > 1 and words[-1] in _COMPANY_SUFFIXES:
        words.pop()
    return " ".join(words)


def _place(value: str) -> str:
    """``city`` or ``city|region``; a region counts only after a comma or when it is well known."""
    city, comma, region = value.partition(",")
    key = _LEADING.sub("", _plain(city))
    if not comma or not _plain(region):
        return _PLACE_ALIASES.get(key, key)
    region_key = _plain(region)
    region_key = REGION_NAMES.get(region_key, _PLACE_ALIASES.get(region_key, region_key))
    city_key = _PLACE_ALIASES.get(key, key)
    return f"{city_key}|{region_key}"


def _number(text: str) -> str:
    """Digits: "twenty eight" and "28 years old" are both "28"."""
    digits = re.search(r"\d+", text)
    if digits:
        return str(int(digits[0]))
    words = [NUMBER_WORDS[word] for word in text.split() if word in NUMBER_WORDS]
    return str(sum(words)) if words else text


def _date(text: str) -> str:
    """Day, month, year: "3rd of March 1990" and "March 3, 1990" are both "3 march 1990"."""
    month = next((MONTHS[word] for word in text.split() if word in MONTHS), "")
    if not month:
        return text
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    day = next((number for number in numbers if number <= 31), 0)
    year = next((number for number in numbers if number > 31), 0)
    return " ".join(part for part in (str(day or ""), month, str(year or "")) if part)


def _pronouns(text: str) -> str:
    """Two forms: "he/him/his" is "he him"; a lone "she" is "she her"."""
    words = [word for word in text.split() if word != "and"]
    full = {"he": "him", "she": "her", "they": "them", "it": "its", "ze": "zir", "xe": "xem"}
    if len(words) == 1 and words[0] in full:
        words.append(full[words[0]])
    return " ".join(words[:2])


def _singular(text: str) -> str:
    """Fold a plain English plural of the last word: "dogs" is "dog", "chess" stays."""
    if len(text) > 3 and text.endswith("s") and not text.endswith(("ss", "us", "is", "ics")):
        return text[:-1]
    return text
