"""Readers for what belongs to somebody's life: animals, vehicles, possessions, relatives, dates."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.grammar.verbs import is_past
from memory.language.lexicons import lexicon, load_lexicon
from memory.language.readers.names import DAYS
from memory.language.readers.phrases import (
    STOP,
    Value,
    capitalise,
    is_word,
    listed,
    longest_in,
    name_run,
    next_item,
    noun_phrase,
)

_COUNTS = lexicon.word_set(
    "a an one two three four five six seven eight nine ten several some many few couple"
)
_NAMED = frozenset({"named", "called"})
_NO_PET = load_lexicon("no_pets")
_ANOTHERS = load_lexicon("of_another") - {"old", "family", "first"}


def _is_count(word: str) -> bool:
    return word in _COUNTS or word.isdigit()


def animals(said: Tokens, at: int, stop: int) -> list[Value]:
    """Animals of a list, with count and names: "a dog named Rex and two cats"."""
    return listed(said, at, stop, _animal)


_HOW = frozenset({"of", "really", "very", "so", "super", "pretty"})
_COATS = lexicon.word_set("black white brown grey gray red orange golden big small little tan")
_DEEDS = lexicon.word_set("watching walking feeding training looking petting loving seeing riding")


def _animal(said: Tokens, at: int, stop: int) -> Value | None:
    while at < stop and said.words[at] in {
        "my",
        "our",
        "the",
        "like",
        "about",
        "lots",
        "of",
        "new",
    }:
        at += 1
    first = at
    while at < stop and (_is_count(said.words[at]) or said.words[at] in _HOW):
        at += 1
    if said.words[at + 1 : at + 2] == ("and",) and said.words[at] in _COATS:
        at += 2  # "a black and white cat"
    end = noun_phrase(said, at, stop, 5)
    kinds = [n for n in range(at, end) if said.words[n] in lexicon.PET_WORDS]
    before = set(said.words[at : kinds[0]]) if kinds else set()
    anothers = (
        {word.removesuffix("s") for word in before} & lexicon.KIN
        or before & (_ANOTHERS | lexicon.KIN)
        or any(word.endswith("'s") for word in before)
    )
    if not kinds or anothers or said.words[at] in _DEEDS:
        return None
    last = kinds[0]
    while last + 1 in kinds:
        last += 1
    if last + 1 < len(said.words) and said.words[last + 1] in _NO_PET | {"'s"}:
        return None
    if _NO_ANIMAL.match(said.line, said.offset(last + 1)):
        return None
    return _with_names(said, first, last + 1, stop)


# On a plate, in a picture, at work, or a figure of speech.
_NO_ANIMAL = re.compile(
    r"(?:on (?:\w+days?|(?:my|the|our|a|an) (?:\w+ )?(?:shirt|walls?|back|phone|stomach|poster|"
    r"mug|socks))|"
    r"as (?:the|a|an|my)|(?:there )?at (?:the|my) (?:clinic|zoo|shelter|office|work)|there|for "
    r"(?:dinner|"
    r"lunch|breakfast)|in (?:my|the) (?:throat|stomach|dreams?|story|book|game)|(?:was|is|were) "
    r"(?:over|"
    r"under)?cooked) "
)


def _with_names(said: Tokens, first: int, end: int, stop: int) -> Value:
    """Animals with all that they are called: "cats named salt and pepper", "cat, Soot"."""
    value, at = said.said(first, end), end
    if at < stop and said.words[at] == ",":
        at += 1
    announced = at < stop and said.words[at] in _NAMED
    at += announced
    names: list[str] = []
    stopped = end
    while at < stop and _is_name(said, at, announced=announced):
        names.append(capitalise(said.said(at, at + 1)))
        stopped = at + 1
        at = next_item(said, stopped, stop)
        if at == stopped:
            break
    if not names:
        return Value(first, end, value)
    joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    counted = _is_count(said.words[first]) or len(names) > 1 or value.lower().endswith("s")
    return Value(first, stopped, f"{value} named {joined}" if counted else f"{value} {joined}")


PET_NAMES = load_lexicon("pet_names")


# What only a being is or does, so that the word before it is its name: "my cat juno is old".
_BEING = {
    (verb,) for verb in "is was has had loves likes hates sleeps eats sings barks wants".split()
}
_NO_NAME = (
    lexicon.NOT_NAMES
    | lexicon.KIN
    | lexicon.OWNED
    | lexicon.HAVEABLE
    | lexicon.word_set(
        "who that which food name toy bed collar tree hair fur tail litter owner show died and"
    )
)


def _is_name(said: Tokens, at: int, *, announced: bool) -> bool:
    word = said.words[at]
    if not is_word(said, at) or not word.isalpha() or word in STOP | lexicon.PET_WORDS | _COUNTS:
        return False
    if not announced and said.words[at + 1 : at + 2] in _BEING and word not in _NO_NAME:
        return True
    known = word in PET_NAMES or (word in lexicon.GIVEN_NAMES - lexicon.WORD_NAMES)
    return announced or known or (said.is_capital(at) and word not in lexicon.NOT_NAMES)


def relative(said: Tokens, at: int, stop: int) -> list[Value]:
    """A relative with a name: "sister Anna" of "my sister's name is Anna"."""
    kin = at + 1 if said.words[at] in _ELDER else at
    word = said.words[kin].removesuffix("'s") if kin < stop else ""
    if word not in lexicon.KIN:
        return []
    end = kin + 1
    announced = False
    while end < stop and said.words[end] in {"is", "name", "names", "called", "named", ","}:
        announced = announced or said.words[end] in {"name", "called", "named"}
        end += 1
    if end >= stop or not _is_name(said, end, announced=announced):
        return []
    if said.words[kin + 1] == "is" and not announced:
        return []
    if not announced and not said.is_capital(end) and end + 1 < stop:
        return []
    who = said.said(at, kin + 1).removesuffix("'s")
    return [Value(at, end + 1, f"{who} {capitalise(said.said(end, end + 1))}")]


_ELDER = lexicon.word_set(
    "older younger elder big little twin step half baby eldest oldest youngest"
)


def relatives(said: Tokens, at: int, stop: int) -> list[Value]:
    """Relatives by number, of a list: "three sisters and a brother"."""
    return listed(said, at, stop, _counted_relative)


def _counted_relative(said: Tokens, at: int, stop: int) -> Value | None:
    kin = at + 1
    while kin < stop and said.words[kin] in _ELDER | {"beautiful", "wonderful", "lovely"}:
        kin += 1
    if kin >= stop or not _is_count(said.words[at]) or said.words[kin] not in lexicon.KIN:
        return None
    end = kin + 1
    if end + 1 < stop and said.words[end] in _NAMED and said.words[at] in {"a", "an", "one"}:
        who = said.said(at + 1, kin + 1)
        return Value(at, end + 2, f"{who} {capitalise(said.said(end + 1, end + 2))}")
    return Value(at, end, said.said(at, end))


# --- Vehicles and possessions --------------------------------------------------------------------

_PARTS = load_lexicon("vehicle_parts")
# Kinds, after which no model is named: "my car | broke down".
_KINDS = lexicon.word_set("""
car cars truck trucks boat boats bike bikes bicycle bicycles motorcycle motorcycles motorbike van
vans minivan scooter bus rv vehicle vehicles convertible moped tractor wagon sedan suv yacht jeep
""")
_DESCRIBED = lexicon.word_set("the my our mine this around only just lots of bunch couple few in")


def vehicle(said: Tokens, at: int, stop: int) -> list[Value]:
    """Something to drive, which must name a maker or a kind of vehicle: "a 2012 Golf"."""
    return _vehicle(said, at, stop, lexicon.VEHICLE_WORDS)


def own_vehicle(said: Tokens, at: int, stop: int) -> list[Value]:
    """What follows "my", up to the word for a vehicle: "black car", "ford focus"."""
    return _vehicle(said, at, stop, frozenset(lexicon.OWN_VEHICLES))


def _vehicle(said: Tokens, at: int, stop: int, kinds: frozenset[str]) -> list[Value]:
    while at < stop and said.words[at] in _DESCRIBED:
        at += 1
    first = at + 1 if at < stop and said.words[at] in {"a", "an"} else at
    while first < stop and said.words[first] in _HOW:
        first += 1
    while first + 1 < stop and said.words[first + 1] == ",":
        first += 2  # "a cool, black car"
    end = noun_phrase(said, first, stop, 5, frozenset({"out", "up"}))
    hits = [n for n in range(first, end) if said.words[n] in kinds]
    if not hits or (_ANOTHERS | lexicon.KIN) & set(said.words[first : hits[0]]):
        return []
    last = hits[0]
    while last + 1 < end and last + 1 in hits:
        last += 1
    if last + 1 < end and said.words[last] not in _KINDS and not is_past(said.words[last + 1]):
        last = max(last + 1, hits[-1])  # the maker's "focus", or its "truck"
    if {said.words[last], *said.words[last + 1 : last + 2]} & _PARTS:
        return []
    return [Value(at, last + 1, said.said(at, last + 1))]


_THINGS = load_lexicon("owned") | load_lexicon("haveable") | load_lexicon("owned_in_two_words")
_BEFORE_THING = lexicon.word_set("a an the my our some own of lots new also few bunch couple pair")
_NAMES_ANOTHER = load_lexicon("names_another")


def possessions(said: Tokens, at: int, stop: int) -> list[Value]:
    """Owned things of a list that are commonly owned, numbers kept: "two guitars"."""
    return listed(said, at, stop, _possession, most=3)


def _possession(said: Tokens, at: int, stop: int) -> Value | None:
    while at < stop and said.words[at] in _BEFORE_THING | _HOW:
        at += 1
    end = noun_phrase(said, at, stop, 4)
    named = set(said.words[at:end])
    if (
        end == at
        or (_ANOTHERS | lexicon.KIN | lexicon.PET_WORDS) & named
        or any(word.endswith("'s") or word.removesuffix("s") in lexicon.KIN for word in named)
    ):
        return None
    ends = [last for n in range(at, end) if (last := longest_in(said, n, end, _THINGS, 2)) > n]
    if not ends or (said.words[ends[-1] : ends[-1] + 1] and said.words[ends[-1]] in _NAMES_ANOTHER):
        return None
    return Value(at, max(ends), said.said(at, max(ends)))


# --- Names ----------------------------------------------------------------------------------------


def pronouns(said: Tokens, at: int, stop: int) -> list[Value]:
    """Pronouns with a stroke between them: "she/her"."""
    found = _PRONOUNS.match(said.line, said.offset(at), said.offset(stop)) if at < stop else None
    if not found:
        return []
    end = said.position(found.end())
    return [Value(at, end, said.said(at, end).replace(" ", ""))]


_PRONOUNS = re.compile(
    r"(?:she|he|they|it|ze|xe) ?/ ?(?:her|him|them|its|zir|xem|they|she|he)"
    r"(?: ?/ ?(?:hers|his|theirs|they|she|he|them))? "
)


def full_name(said: Tokens, at: int, stop: int) -> list[Value]:
    """A run of capitalised words."""
    end = name_run(said, at, stop, 4)
    dated = at < stop and said.words[at] in DAYS | lexicon.MONTHS.keys()
    return [Value(at, end, said.said(at, end))] if end > at and not dated else []


def kind_of_pet(said: Tokens, at: int, stop: int) -> list[Value]:
    """One word for an animal: the "dog" of "a dog owner"."""
    if at >= stop or said.words[at] not in lexicon.PET_WORDS:
        return []
    return [Value(at, at + 1, said.said(at, at + 1))]


def pet_named(said: Tokens, at: int, stop: int) -> list[Value]:
    """The name of the animal that was named last: "we have a cat. Her name is Soot"."""
    animal = next((value.text for value in getattr(said.topic, "values", ())), "")
    kind = animal.lower().split()[-1] if animal else ""
    if kind not in lexicon.PET_WORDS or at >= stop or not _is_name(said, at, announced=True):
        return []
    return [Value(at, at + 1, f"{kind} named {capitalise(said.said(at, at + 1))}")]
