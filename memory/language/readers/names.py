"""Readers for names of people, places and organisations."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon, load_lexicon
from memory.language.readers.phrases import (
    STOP,
    Value,
    capitalise,
    is_word,
    longest_in,
    name_run,
    noun_phrase,
)

_PLAIN_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|['-](?!s$))*")
_NO_NAME = (
    lexicon.NOT_NAMES | lexicon.OCCUPATIONS | lexicon.LANGUAGES | STOP | frozenset(lexicon.MONTHS)
)
_EXPLAINED = lexicon.PLACES | lexicon.KNOWN_ORGS | lexicon.FIGURES
_ADJECTIVE = ("ing", "ed", "ful", "less", "ous", "ly", "able", "ese", "ish", "ian", "ive")
_UNITS = lexicon.word_set(
    "second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month"
    " months km miles metres meters % percent euros pounds dollars quid"
)
_AFTER_NAME = lexicon.word_set("and from but by here a an who at in for not now so i nice the")
_TITLES = lexicon.OCCUPATIONS | lexicon.word_set(
    "boss chief doc sir madam lord lady king queen champ ace master mister miss mrs mr captain"
)


def person(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A given name, perhaps with a surname, after words that announce one ("my name is")."""
    return _person(tokens, index, stop, announced=True)


def bare_person(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A name after a mere "I am": a known one, or a capital that nothing else explains."""
    return _person(tokens, index, stop, announced=False)


def called(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What somebody wants to be called: a name, or a title with its capital ("Captain")."""
    found = person(tokens, index, stop)
    if found or index >= stop or not tokens.is_capital(index) or tokens.words[index] not in _TITLES:
        return found
    end = max(name_run(tokens, index, stop, 2), index + 1)
    return [Value(index, end, tokens.said(index, end))]


def capital_person(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A name that is written with a capital."""
    return person(tokens, index, stop) if index < stop and tokens.is_capital(index) else []


def _person(tokens: Tokens, index: int, stop: int, *, announced: bool) -> list[Value]:
    if index >= stop or not _may_be_name(tokens, index, announced=announced):
        return []
    known = tokens.words[index] in lexicon.GIVEN_NAMES
    end = index + 1
    while end < min(stop, index + 3) and _is_surname(tokens, end):
        end += 1
    after = tokens.words[end] if end < stop and is_word(tokens, end) else ""
    goes_on = after in _AFTER_NAME or after in STOP or (known and _is_age(tokens, end, stop))
    if after and not (known and announced) and not goes_on:
        return []
    return [Value(index, end, capitalise(tokens.said(index, end)), 1.0 if known else 0.85)]


def _is_age(tokens: Tokens, index: int, stop: int) -> bool:
    """Whether an age stands there, and no other number: "im tariq 41", not "max 10 minutes"."""
    number, following = (*tokens.words[index : min(index + 2, stop)], "", "")[:2]
    return re.fullmatch(r"[1-9]\d", number) is not None and following not in _UNITS


def _is_surname(tokens: Tokens, index: int) -> bool:
    word = tokens.words[index]
    return (
        is_word(tokens, index)
        and tokens.is_capital(index)
        and word not in lexicon.NOT_NAMES | STOP
        and "'" not in word
    )


def _may_be_name(tokens: Tokens, index: int, *, announced: bool) -> bool:
    word = tokens.words[index]
    if not _PLAIN_NAME.fullmatch(word) or len(word) > 30:
        return False
    if word in lexicon.GIVEN_NAMES and (announced or word not in lexicon.FIGURES):
        return announced or tokens.is_capital(index) or word not in lexicon.WORD_NAMES
    if word in _NO_NAME or len(word) == 1:
        return False
    shouted = tokens.text.isupper()
    explained = word in _EXPLAINED or word.endswith(_ADJECTIVE)
    return announced or (tokens.is_capital(index) and not shouted and not explained)


# --- Organisations -------------------------------------------------------------------------------

_NO_ORGANISATION = load_lexicon("no_organisations")
_ARTICLES = frozenset({"a", "an", "the", "my", "our", "some"})
DAYS = lexicon.word_set("monday tuesday wednesday thursday friday saturday sunday")
_NO_FIRM = lexicon.GIVEN_NAMES | lexicon.word_set("smoking drinking playing going doing being")
_OFFICE = lexicon.word_set("office offices headquarters hq branch campus building site")


def organisation(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A company or workplace: "Google", "Bank of America", "a hospital"."""
    named = employer(tokens, index, stop)
    if named:
        return named
    if index < stop and tokens.words[index] in _ARTICLES:
        return workplace(tokens, index, stop)
    if tokens.words[index : index + 1] and (
        tokens.words[index] in lexicon.PLACES or tokens.words[index] in _NO_FIRM
    ):
        return []
    end = noun_phrase(tokens, index, stop, 4)
    if (
        end == index
        or not tokens.words[index][0].isalpha()
        or tokens.words[index] in _NO_ORGANISATION
    ):
        return []
    end = _before_deed(tokens, index, end)
    value = tokens.said(index, end)
    kind = tokens.words[end - 1] in lexicon.WORKPLACES and end - index < 3
    return [Value(index, end, value if kind else capitalise(value), 0.85)]


def employer(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """An organisation by name: written in capitals, or on the list however it is written."""
    first = index + 1 if index + 1 < stop and tokens.words[index] in {"the", "a"} else index
    listed, end = longest_in(tokens, index, stop, lexicon.KNOWN_ORGS), name_run(tokens, first, stop)
    if listed > index and listed >= end:
        return [Value(index, listed, capitalise(tokens.said(index, listed)))]
    unfit = _NO_ORGANISATION | lexicon.MONTHS.keys() if end - first == 1 else frozenset()
    plain = end > first and tokens.words[first] not in unfit
    article = tokens.words[index] == "the" and first > index
    alone = tokens.words[first] if end - first == 1 else ""
    if (
        not plain
        or tokens.words[first] in STOP
        or alone in DAYS | lexicon.LANGUAGES | lexicon.PLACES | lexicon.GIVEN_NAMES
    ):
        return []
    return [Value(index if article else first, end, tokens.said(first, end))]


def capital_employer(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """An organisation whose name is written with a capital."""
    return employer(tokens, index, stop) if index < stop and tokens.is_capital(index) else []


def known_employer(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A firm that is on the list, and stands alone: not the "Google" of "Google Docs"."""
    first = index + 1 if index < stop and tokens.words[index] == "the" else index
    end = longest_in(tokens, first, stop, lexicon.KNOWN_ORGS)
    alone = end >= stop or not is_word(tokens, end) or tokens.words[end] in STOP
    return [Value(first, end, capitalise(tokens.said(first, end)))] if end > first and alone else []


# What is no employer but a part of one, or a house in which many may be.
_PARTS_OF_A_FIRM = lexicon.word_set("department division team building unit section")


def workplace(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A kind of workplace, with its article unless it is "my": "a hospital", "campus library"."""
    first, own = index, False
    while first < stop and (tokens.words[first] in _ARTICLES or tokens.words[first] == "local"):
        own = own or tokens.words[first] in {"my", "our", "some"}
        first += 1
    end = noun_phrase(tokens, first, stop, 4)
    kinds = [n for n in range(first, end) if tokens.words[n] in lexicon.WORKPLACES]
    if end - first == 1 and tokens.words[first] in {"company", "firm", "place"}:
        return []
    if not kinds or tokens.words[kinds[-1]] in _PARTS_OF_A_FIRM:
        return []
    end = kinds[-1] + 1
    firm = " ".join(tokens.words[first : end - 1])
    if tokens.words[end - 1] in _OFFICE and firm in lexicon.KNOWN_ORGS:
        return [Value(first, end - 1, capitalise(tokens.said(first, end - 1)))]
    begin = first if own else index
    return [Value(begin, end, tokens.said(begin, end), 0.85)]


def known_organisation(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """An employer by name or a kind of workplace, and nothing else."""
    return employer(tokens, index, stop) or workplace(tokens, index, stop)


_NO_WORKPLACE = load_lexicon("no_workplaces")


def any_workplace(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """Whatever somebody says they work at, with its article: "a golf course"."""
    if index >= stop or tokens.words[index] not in {"a", "an", "the"}:
        return []
    end = _before_deed(tokens, index + 1, noun_phrase(tokens, index + 1, stop, 4))
    named = set(tokens.words[index + 1 : end])
    if end == index + 1 or named & (_NO_WORKPLACE | lexicon.KNOWN_ORGS | _PARTS_OF_A_FIRM):
        return []
    if tokens.words[end : end + 1] == ("building",):
        return []
    if end < stop and tokens.words[end] in {"called", "named"}:
        end = max(end, name_run(tokens, end + 1, stop))
    return (
        [Value(index, end, tokens.said(index, end), 0.8)]
        if len(tokens.words[index + 1]) > 2
        else []
    )


def _before_deed(tokens: Tokens, first: int, end: int) -> int:
    """Where a workplace ends before what is done there: "amazon | packing boxes"."""
    for index in range(first + 1, end):
        word = tokens.words[index]
        if word.endswith("ing") and len(word) > 5 and word != "building":
            return index
    return end


def industry(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A known field of work."""
    end = longest_in(tokens, index, stop, lexicon.INDUSTRIES, 3)
    alone = (
        end >= stop or not is_word(tokens, end) or tokens.words[end] in STOP | {"industry", "field"}
    )
    return [Value(index, end, tokens.said(index, end))] if end > index and alone else []


# --- Places --------------------------------------------------------------------------------------

_NO_PLACE = load_lexicon("no_places")
_THE_PLACE = re.compile(
    r"the (?:us|usa|uk|uae|states|united (?:states|kingdom)|netherlands|philippines|bronx|bay area|"
    r"midwest|czech republic|bahamas|maldives|(?:east|west|gulf) coast|pacific northwest|"
    r"(?:deep )?south|midwest|north(?:east|west)?|tropics|caribbean|rockies|ozarks|appalachians)"
    r" (?!side |of )"
)
_REGIONS = lexicon.COUNTRIES | frozenset(lexicon.REGION_NAMES.values())
_PARTS = lexicon.word_set(
    "upstate central rural north south east west northern southern eastern western downtown"
)


def place(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A city, region or country, with its region if that follows: "Seattle, Washington"."""
    fixed = _THE_PLACE.match(tokens.line, tokens.offset(index)) if index < stop else None
    if fixed:
        end = tokens.position(fixed.end())
        return [Value(index, end, f"the {capitalise(tokens.said(index + 1, end))}")]
    first = index + 1 if index + 1 < stop and tokens.words[index] in _PARTS else index
    first = index if tokens.words[index] in {"north", "south", "west"} else first
    named = name_run(tokens, first, stop, 4)
    listed = longest_in(tokens, first, stop, lexicon.PLACES)
    end = (
        max(named, listed)
        if listed > first or named > first
        else noun_phrase(tokens, index, stop, 3)
    )
    known = listed > first
    if not known and (_NO_PLACE | lexicon.WORKPLACES | lexicon.DWELLINGS) & set(
        tokens.words[index:end]
    ):
        return []
    adverb = end - index == 1 and not known and tokens.words[index].endswith("ly")
    if (
        end == index
        or adverb
        or not tokens.words[index][0].isalpha()
        or " ".join(tokens.words[index:end]) in _OTHER_NAME
    ):
        return []
    if not known and named == first and any(tokens.is_capital(n) for n in range(index, end)):
        return []  # "I would miss | Oslo"
    if not known and named == first and (end - index > 2 or tokens.words[end - 1].endswith("ing")):
        return []
    return [_with_region(tokens, index, end, stop, 1.0 if known or named > first else 0.8)]


_OTHER_NAME = lexicon.KNOWN_ORGS - lexicon.PLACES


def known_place(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A place that is on the list."""
    return [
        value
        for value in place(tokens, index, stop)
        if value.text.lower().split(",")[0].removeprefix("the ") in lexicon.PLACES | _THE_REGIONS
    ]


_THE_REGIONS = lexicon.phrases(
    "midwest, bay area, south, deep south, pacific northwest, east coast, west coast, uk, us, "
    "states"
)


def region(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A state or country, or a place with its own: who is "in Texas" lives there."""
    return [
        value
        for value in place(tokens, index, stop)
        if {value.text.lower(), _without_part(value.text.lower())} & _REGIONS or ", " in value.text
    ]


def _without_part(name: str) -> str:
    first, _, rest = name.partition(" ")
    return rest if first in _PARTS else name


def _with_region(tokens: Tokens, index: int, end: int, stop: int, sure: float) -> Value:
    value = capitalise(tokens.said(index, end))
    if len(value) == 2 and value.lower() in lexicon.REGION_NAMES:
        return Value(index, end, value.upper(), sure)
    city = " ".join(tokens.words[index:end])
    begin = end + 1 if end < stop and tokens.words[end] in {",", "in"} else end
    if begin >= stop or (city in _REGIONS and begin == end):
        return Value(index, end, value, sure)
    last = longest_in(tokens, begin, stop, _REGIONS, 3)
    if last > begin:
        return Value(index, last, f"{value}, {capitalise(tokens.said(begin, last))}", sure)
    short = tokens.words[begin]
    capitals = tokens.said(begin, begin + 1).isupper()
    if short in lexicon.REGION_NAMES and (capitals or (begin > end and short not in STOP)):
        return Value(index, begin + 1, f"{value}, {short.upper()}", sure)
    return Value(index, end, value, sure)


_HOMES = lexicon.word_set("mobile nursing retirement group foster tiny motor care")
_NO_HOME = lexicon.word_set("go going work friends bed people boat mexico kansas new peace")


def dwelling(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A kind of home or surroundings: "beet farm", "big city"."""
    while index < stop and tokens.words[index] in {
        "the",
        "a",
        "an",
        "my",
        "our",
        "this",
        "own",
        "nice",
    }:
        index += 1
    end = noun_phrase(tokens, index, stop, 4)
    kinds = [
        n
        for n in range(index, end)
        if tokens.words[n] in lexicon.DWELLINGS
        or (tokens.words[n] == "home" and n > index and tokens.words[n - 1] in _HOMES)
    ]
    if not kinds or tokens.words[index] in _NO_HOME:
        return []
    end = kinds[-1] + 1
    if end < stop and tokens.words[end] in {"park", "complex", "building"}:
        end += 1
    return [Value(index, end, tokens.said(index, end))]
