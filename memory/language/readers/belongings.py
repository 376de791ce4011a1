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


def animals(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """Animals of a list, with count and names: "a dog named Rex and two cats"."""
    return listed(tokens, index, stop, _animal)


_HOW = frozenset({"of", "really", "very", "so", "super", "pretty"})
_COATS = lexicon.word_set("black white brown grey gray red orange golden big small little tan")
_DEEDS = lexicon.word_set("watching walking feeding training looking petting loving seeing riding")


def _animal(tokens: Tokens, index: int, stop: int) -> Value | None:
    while index < stop and tokens.words[index] in {
        "my",
        "our",
        "the",
        "like",
        "about",
        "lots",
        "of",
        "new",
    }:
        index += 1
    first = index
    while index < stop and (_is_count(tokens.words[index]) or tokens.words[index] in _HOW):
        index += 1
    if tokens.words[index + 1 : index + 2] == ("and",) and tokens.words[index] in _COATS:
        index += 2  # "a black and white cat"
    end = noun_phrase(tokens, index, stop, 5)
    kinds = [n for n in range(index, end) if tokens.words[n] in lexicon.PET_WORDS]
    before = set(tokens.words[index : kinds[0]]) if kinds else set()
    anothers = (
        {word.removesuffix("s") for word in before} & lexicon.KIN
        or before & (_ANOTHERS | lexicon.KIN)
        or any(word.endswith("'s") for word in before)
    )
    if not kinds or anothers or tokens.words[index] in _DEEDS:
        return None
    last = kinds[0]
    while last + 1 in kinds:
        last += 1
    if last + 1 < len(tokens.words) and tokens.words[last + 1] in _NO_PET | {"'s"}:
        return None
    if _NO_ANIMAL.match(tokens.line, tokens.offset(last + 1)):
        return None
    return _with_names(tokens, first, last + 1, stop)


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


def _with_names(tokens: Tokens, first: int, end: int, stop: int) -> Value:
    """Animals with all that they are called: "cats named salt and pepper", "cat, Soot"."""
    value, index = tokens.said(first, end), end
    if index < stop and tokens.words[index] == ",":
        index += 1
    announced = index < stop and tokens.words[index] in _NAMED
    index += announced
    names: list[str] = []
    stopped = end
    while index < stop and _is_name(tokens, index, announced=announced):
        names.append(capitalise(tokens.said(index, index + 1)))
        stopped = index + 1
        index = next_item(tokens, stopped, stop)
        if index == stopped:
            break
    if not names:
        return Value(first, end, value)
    joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    counted = _is_count(tokens.words[first]) or len(names) > 1 or value.lower().endswith("s")
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


def _is_name(tokens: Tokens, index: int, *, announced: bool) -> bool:
    word = tokens.words[index]
    if (
        not is_word(tokens, index)
        or not word.isalpha()
        or word in STOP | lexicon.PET_WORDS | _COUNTS
    ):
        return False
    if not announced and tokens.words[index + 1 : index + 2] in _BEING and word not in _NO_NAME:
        return True
    known = word in PET_NAMES or (word in lexicon.GIVEN_NAMES - lexicon.WORD_NAMES)
    return announced or known or (tokens.is_capital(index) and word not in lexicon.NOT_NAMES)


def relative(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A relative with a name: "sister Anna" of "my sister's name is Anna"."""
    kin = index + 1 if tokens.words[index] in _ELDER else index
    word = tokens.words[kin].removesuffix("'s") if kin < stop else ""
    if word not in lexicon.KIN:
        return []
    end = kin + 1
    announced = False
    while end < stop and tokens.words[end] in {"is", "name", "names", "called", "named", ","}:
        announced = announced or tokens.words[end] in {"name", "called", "named"}
        end += 1
    if end >= stop or not _is_name(tokens, end, announced=announced):
        return []
    if tokens.words[kin + 1] == "is" and not announced:
        return []
    if not announced and not tokens.is_capital(end) and end + 1 < stop:
        return []
    who = tokens.said(index, kin + 1).removesuffix("'s")
    return [Value(index, end + 1, f"{who} {capitalise(tokens.said(end, end + 1))}")]


_ELDER = lexicon.word_set(
    "older younger elder big little twin step half baby eldest oldest youngest"
)


def relatives(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """Relatives by number, of a list: "three sisters and a brother"."""
    return listed(tokens, index, stop, _counted_relative)


def _counted_relative(tokens: Tokens, index: int, stop: int) -> Value | None:
    kin = index + 1
    while kin < stop and tokens.words[kin] in _ELDER | {"beautiful", "wonderful", "lovely"}:
        kin += 1
    if kin >= stop or not _is_count(tokens.words[index]) or tokens.words[kin] not in lexicon.KIN:
        return None
    end = kin + 1
    if end + 1 < stop and tokens.words[end] in _NAMED and tokens.words[index] in {"a", "an", "one"}:
        who = tokens.said(index + 1, kin + 1)
        return Value(index, end + 2, f"{who} {capitalise(tokens.said(end + 1, end + 2))}")
    return Value(index, end, tokens.said(index, end))


# --- Vehicles and possessions --------------------------------------------------------------------

_PARTS = load_lexicon("vehicle_parts")
# Kinds, after which no model is named: "my car | broke down".
_KINDS = lexicon.word_set("""
car cars truck trucks boat boats bike bikes bicycle bicycles motorcycle motorcycles motorbike van
vans minivan scooter bus rv vehicle vehicles convertible moped tractor wagon sedan suv yacht jeep
""")
_DESCRIBED = lexicon.word_set("the my our mine this around only just lots of bunch couple few in")


def vehicle(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """Something to drive, which must name a maker or a kind of vehicle: "a 2012 Golf"."""
    return _vehicle(tokens, index, stop, lexicon.VEHICLE_WORDS)


def own_vehicle(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What follows "my", up to the word for a vehicle: "black car", "ford focus"."""
    return _vehicle(tokens, index, stop, frozenset(lexicon.OWN_VEHICLES))


def _vehicle(tokens: Tokens, index: int, stop: int, kinds: frozenset[str]) -> list[Value]:
    while index < stop and tokens.words[index] in _DESCRIBED:
        index += 1
    first = index + 1 if index < stop and tokens.words[index] in {"a", "an"} else index
    while first < stop and tokens.words[first] in _HOW:
        first += 1
    while first + 1 < stop and tokens.words[first + 1] == ",":
        first += 2  # "a cool, black car"
    end = noun_phrase(tokens, first, stop, 5, frozenset({"out", "up"}))
    hits = [n for n in range(first, end) if tokens.words[n] in kinds]
    if not hits or (_ANOTHERS | lexicon.KIN) & set(tokens.words[first : hits[0]]):
        return []
    last = hits[0]
    while last + 1 < end and last + 1 in hits:
        last += 1
    if last + 1 < end and tokens.words[last] not in _KINDS and not is_past(tokens.words[last + 1]):
        last = max(last + 1, hits[-1])  # the maker's "focus", or its "truck"
    if {tokens.words[last], *tokens.words[last + 1 : last + 2]} & _PARTS:
        return []
    return [Value(index, last + 1, tokens.said(index, last + 1))]


_THINGS = load_lexicon("owned") | load_lexicon("haveable") | load_lexicon("owned_in_two_words")
_BEFORE_THING = lexicon.word_set("a an the my our some own of lots new also few bunch couple pair")
_NAMES_ANOTHER = load_lexicon("names_another")


def possessions(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """Owned things of a list that are commonly owned, numbers kept: "two guitars"."""
    return listed(tokens, index, stop, _possession, most=3)


def _possession(tokens: Tokens, index: int, stop: int) -> Value | None:
    while index < stop and tokens.words[index] in _BEFORE_THING | _HOW:
        index += 1
    end = noun_phrase(tokens, index, stop, 4)
    named = set(tokens.words[index:end])
    if (
        end == index
        or (_ANOTHERS | lexicon.KIN | lexicon.PET_WORDS) & named
        or any(word.endswith("'s") or word.removesuffix("s") in lexicon.KIN for word in named)
    ):
        return None
    ends = [last for n in range(index, end) if (last := longest_in(tokens, n, end, _THINGS, 2)) > n]
    if not ends or (
        tokens.words[ends[-1] : ends[-1] + 1] and tokens.words[ends[-1]] in _NAMES_ANOTHER
    ):
        return None
    return Value(index, max(ends), tokens.said(index, max(ends)))


# --- Names ----------------------------------------------------------------------------------------


def pronouns(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """Pronouns with a stroke between them: "she/her"."""
    match = (
        _PRONOUNS.match(tokens.line, tokens.offset(index), tokens.offset(stop))
        if index < stop
        else None
    )
    if not match:
        return []
    end = tokens.position(match.end())
    return [Value(index, end, tokens.said(index, end).replace(" ", ""))]


_PRONOUNS = re.compile(
    r"(?:she|he|they|it|ze|xe) ?/ ?(?:her|him|them|its|zir|xem|they|she|he)"
    r"(?: ?/ ?(?:hers|his|theirs|they|she|he|them))? "
)


def full_name(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A run of capitalised words."""
    end = name_run(tokens, index, stop, 4)
    dated = index < stop and tokens.words[index] in DAYS | lexicon.MONTHS.keys()
    return [Value(index, end, tokens.said(index, end))] if end > index and not dated else []


def kind_of_pet(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """One word for an animal: the "dog" of "a dog owner"."""
    if index >= stop or tokens.words[index] not in lexicon.PET_WORDS:
        return []
    return [Value(index, index + 1, tokens.said(index, index + 1))]


def pet_named(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """The name of the animal that was named last: "we have a cat. Her name is Soot"."""
    animal = next((value.text for value in getattr(tokens.topic, "values", ())), "")
    kind = animal.lower().split()[-1] if animal else ""
    if (
        kind not in lexicon.PET_WORDS
        or index >= stop
        or not _is_name(tokens, index, announced=True)
    ):
        return []
    return [Value(index, index + 1, f"{kind} named {capitalise(tokens.said(index, index + 1))}")]
