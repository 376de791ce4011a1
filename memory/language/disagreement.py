"""Whether two sentences of one person cannot both hold: an age, the kind of a pet, what is eaten,
what somebody has and denied having.

Pure. Only what can be told for certain from the words: where in doubt, both may hold.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from memory.language import denials
from memory.language.lexicons import load_lexicon
from memory.language.text import terms

_WORDS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
}
_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(_WORDS)})"
# "Wren is 5", "Wren just turned eight", "Judith (73)", "Max, 5,".
_AGE = re.compile(
    rf"\b(?P<who>[A-Z][\w-]+)(?P<says>(?:'s|,? who is|,? who's| is| has| just| was)*"
    rf"(?: (?:now|only|already|nearly|turned|turning|turns))*[ ,(]+){_NUMBER}\b"
    r"(?! ?(?:are\b|were\b|o'?clock|am\b|pm\b|euros?|pounds?|dollars?|%))"
    r"(?! (?:times|days|weeks|months|hours))"
)
_TO_COME = re.compile(r"\b(?:turns|turning|will be|going to be)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][a-zà-ÿ]+\b")
_GENERAL = frozenset(
    """animal animals bird birds cat cats dog dogs fish kitten kittens pet pets pony pup puppy
    puppies puppy rescue horse horses rabbit rabbits""".split()
)
# What somebody eats themselves, and what is made for others or of something else.
_EATS = re.compile(
    r"\b(?:had|have|having|havin|ate|eats?|eating|drank|drinks?|drinking|my usual|my treat|ordered"
    r"|best breakf\w*|for myself|for breakfast|for lunch|for dinner|snack\w*)\b",
    re.IGNORECASE,
)
_NOT_REALLY = re.compile(
    r"\b(?:veggie|vegan|vegetarian|plant|oat|soy|soya|almond milk|cashew|free|without|decaf|no|not"
    r"|non-?alcoholic|fake|for the|for my|for our|bought|used to|if|would|wish\w*|\w+n't|never)\b"
    r"|-free|0 ?%",
    re.IGNORECASE,
)
_EXCEPT = re.compile(r"\b(?:except|but|apart from|unless)\b.*", re.IGNORECASE)
_KIN = re.compile(
    rf"\b(?:my|our|his|her|their)\s+(?:\w+\s+)?(?P<kin>{'|'.join(sorted(load_lexicon('kin')))})\b",
    re.IGNORECASE,
)
_SELF = "i"


@dataclass(frozen=True)
class DatedSentence:
    """A sentence and when it was said."""

    text: str
    at: datetime


def contradicts(new: DatedSentence, old: DatedSentence) -> bool:
    """Whether the two cannot both hold, as far as the words tell."""
    return (
        _ages(new, old)
        or _kinds(new, old)
        or _food(new.text, old.text)
        or denials.denies(new.text, old.text)
    )


def asserts_eating(text: str) -> bool:
    """Whether somebody eats or drinks something in it, and not as a thing denied or for others."""
    return _EATS.search(text) is not None and not _NOT_REALLY.search(text)


def _ages(new: DatedSentence, old: DatedSentence) -> bool:
    """One name, two ages that no birthday lies between."""
    if _TO_COME.search(new.text) or _TO_COME.search(old.text):
        return False
    before = dict(_told_ages(old.text))
    years = (new.at - old.at).days / 365
    return any(
        who in before and not -1 < age - before[who] - years < 2
        for who, age in _told_ages(new.text)
    )


def _told_ages(text: str) -> Iterator[tuple[str, int]]:
    for match in _AGE.finditer(text):
        # "Room 7" tells no age.
        if match["says"] == " " and terms.is_ordinary_word(match["who"].lower()):
            continue
        number = match["number"].lower()
        yield match["who"], _WORDS.get(number) or int(number)


def _kinds(new: DatedSentence, old: DatedSentence) -> bool:
    """One name, two kinds of animal."""
    if not _capitalised_words(new.text) & _capitalised_words(old.text):
        return False
    kinds = [_animals(sentence.text) for sentence in (new, old)]
    return all(len(kind) == 1 for kind in kinds) and not kinds[0] & kinds[1]


def _animals(text: str) -> set[str]:
    said = set(re.findall(r"[a-z]+", text.lower()))
    return (said & _entries("pet_words")) - _GENERAL


def _food(new: str, old: str) -> bool:
    """Something is eaten that the other sentence leaves out, by the same person."""
    if not asserts_eating(new) or _subject_of(new) != _subject_of(old):
        return False
    said = _EXCEPT.sub("", old)
    return any(
        says.search(said) and any(food[0] not in old for food in left_out.finditer(new))
        for says, left_out in _groups()
    )


def _subject_of(text: str) -> str:
    """Of whom a sentence speaks: a name, a relative, else the speaker."""
    kin = _KIN.search(text)
    names = sorted(_capitalised_words(text), key=text.index)
    first = re.match(r"\W*([A-Z][a-zà-ÿ]+)\b", text)
    if kin:
        return names[0] if names else kin["kin"].lower()
    named = first is not None and first[1] in names and not terms.is_ordinary_word(first[1].lower())
    return names[0] if named else _SELF


def _capitalised_words(text: str) -> set[str]:
    """The words with a capital that may be a name."""
    return {name for name in _NAME.findall(text) if name.lower() not in _entries("not_names")}


@cache
def _entries(name: str) -> frozenset[str]:
    return load_lexicon(name)


@cache
def _groups() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    read = tomllib.loads(Path(__file__).with_name("food_groups.toml").read_text("utf-8"))
    return tuple(
        (
            re.compile(rf"\b(?:{group['says']})\b", re.IGNORECASE),
            re.compile(rf"\b(?:{group['leaves_out']})\b", re.IGNORECASE),
        )
        for group in read.values()
    )
