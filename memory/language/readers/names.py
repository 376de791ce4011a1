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


def person(said: Tokens, at: int, stop: int) -> list[Value]:
    """A given name, perhaps with a surname, after words that announce one ("my name is")."""
    return _person(said, at, stop, announced=True)


def bare_person(said: Tokens, at: int, stop: int) -> list[Value]:
    """A name after a mere "I am": a known one, or a capital that nothing else explains."""
    return _person(said, at, stop, announced=False)


def called(said: Tokens, at: int, stop: int) -> list[Value]:
    """What somebody wants to be called: a name, or a title with its capital ("Captain")."""
    found = person(said, at, stop)
    if found or at >= stop or not said.is_capital(at) or said.words[at] not in _TITLES:
        return found
    end = max(name_run(said, at, stop, 2), at + 1)
    return [Value(at, end, said.said(at, end))]


def capital_person(said: Tokens, at: int, stop: int) -> list[Value]:
    """A name that is written with a capital."""
    return person(said, at, stop) if at < stop and said.is_capital(at) else []


def _person(said: Tokens, at: int, stop: int, *, announced: bool) -> list[Value]:
    if at >= stop or not _may_be_name(said, at, announced=announced):
        return []
    known = said.words[at] in lexicon.GIVEN_NAMES
    end = at + 1
    while end < min(stop, at + 3) and _is_surname(said, end):
        end += 1
    after = said.words[end] if end < stop and is_word(said, end) else ""
    goes_on = after in _AFTER_NAME or after in STOP or (known and _is_age(said, end, stop))
    if after and not (known and announced) and not goes_on:
        return []
    return [Value(at, end, capitalise(said.said(at, end)), 1.0 if known else 0.85)]


def _is_age(said: Tokens, at: int, stop: int) -> bool:
    """Whether an age stands there, and no other number: "im tariq 41", not "max 10 minutes"."""
    number, following = (*said.words[at : min(at + 2, stop)], "", "")[:2]
    return re.fullmatch(r"[1-9]\d", number) is not None and following not in _UNITS


def _is_surname(said: Tokens, at: int) -> bool:
    word = said.words[at]
    return (
        is_word(said, at)
        and said.is_capital(at)
        and word not in lexicon.NOT_NAMES | STOP
        and "'" not in word
    )


def _may_be_name(said: Tokens, at: int, *, announced: bool) -> bool:
    word = said.words[at]
    if not _PLAIN_NAME.fullmatch(word) or len(word) > 30:
        return False
    if word in lexicon.GIVEN_NAMES and (announced or word not in lexicon.FIGURES):
        return announced or said.is_capital(at) or word not in lexicon.WORD_NAMES
    if word in _NO_NAME or len(word) == 1:
        return False
    shouted = said.text.isupper()
    explained = word in _EXPLAINED or word.endswith(_ADJECTIVE)
    return announced or (said.is_capital(at) and not shouted and not explained)


# --- Organisations -------------------------------------------------------------------------------

_NO_ORGANISATION = load_lexicon("no_organisations")
_ARTICLES = frozenset({"a", "an", "the", "my", "our", "some"})
DAYS = lexicon.word_set("monday tuesday wednesday thursday friday saturday sunday")
_NO_FIRM = lexicon.GIVEN_NAMES | lexicon.word_set("smoking drinking playing going doing being")
_OFFICE = lexicon.word_set("office offices headquarters hq branch campus building site")


def organisation(said: Tokens, at: int, stop: int) -> list[Value]:
    """A company or workplace: "Google", "Bank of America", "a hospital"."""
    named = employer(said, at, stop)
    if named:
        return named
    if at < stop and said.words[at] in _ARTICLES:
        return workplace(said, at, stop)
    if said.words[at : at + 1] and (said.words[at] in lexicon.PLACES or said.words[at] in _NO_FIRM):
        return []
    end = noun_phrase(said, at, stop, 4)
    if end == at or not said.words[at][0].isalpha() or said.words[at] in _NO_ORGANISATION:
        return []
    end = _before_deed(said, at, end)
    value = said.said(at, end)
    kind = said.words[end - 1] in lexicon.WORKPLACES and end - at < 3
    return [Value(at, end, value if kind else capitalise(value), 0.85)]


def employer(said: Tokens, at: int, stop: int) -> list[Value]:
    """An organisation by name: written in capitals, or on the list however it is written."""
    first = at + 1 if at + 1 < stop and said.words[at] in {"the", "a"} else at
    listed, end = longest_in(said, at, stop, lexicon.KNOWN_ORGS), name_run(said, first, stop)
    if listed > at and listed >= end:
        return [Value(at, listed, capitalise(said.said(at, listed)))]
    unfit = _NO_ORGANISATION | lexicon.MONTHS.keys() if end - first == 1 else frozenset()
    plain = end > first and said.words[first] not in unfit
    article = said.words[at] == "the" and first > at
    alone = said.words[first] if end - first == 1 else ""
    if (
        not plain
        or said.words[first] in STOP
        or alone in DAYS | lexicon.LANGUAGES | lexicon.PLACES | lexicon.GIVEN_NAMES
    ):
        return []
    return [Value(at if article else first, end, said.said(first, end))]


def capital_employer(said: Tokens, at: int, stop: int) -> list[Value]:
    """An organisation whose name is written with a capital."""
    return employer(said, at, stop) if at < stop and said.is_capital(at) else []


def known_employer(said: Tokens, at: int, stop: int) -> list[Value]:
    """A firm that is on the list, and stands alone: not the "Google" of "Google Docs"."""
    first = at + 1 if at < stop and said.words[at] == "the" else at
    end = longest_in(said, first, stop, lexicon.KNOWN_ORGS)
    alone = end >= stop or not is_word(said, end) or said.words[end] in STOP
    return [Value(first, end, capitalise(said.said(first, end)))] if end > first and alone else []


# What is no employer but a part of one, or a house in which many may be.
_PARTS_OF_A_FIRM = lexicon.word_set("department division team building unit section")


def workplace(said: Tokens, at: int, stop: int) -> list[Value]:
    """A kind of workplace, with its article unless it is "my": "a hospital", "campus library"."""
    first, own = at, False
    while first < stop and (said.words[first] in _ARTICLES or said.words[first] == "local"):
        own = own or said.words[first] in {"my", "our", "some"}
        first += 1
    end = noun_phrase(said, first, stop, 4)
    kinds = [n for n in range(first, end) if said.words[n] in lexicon.WORKPLACES]
    if end - first == 1 and said.words[first] in {"company", "firm", "place"}:
        return []
    if not kinds or said.words[kinds[-1]] in _PARTS_OF_A_FIRM:
        return []
    end = kinds[-1] + 1
    firm = " ".join(said.words[first : end - 1])
    if said.words[end - 1] in _OFFICE and firm in lexicon.KNOWN_ORGS:
        return [Value(first, end - 1, capitalise(said.said(first, end - 1)))]
    begin = first if own else at
    return [Value(begin, end, said.said(begin, end), 0.85)]


def known_organisation(said: Tokens, at: int, stop: int) -> list[Value]:
    """An employer by name or a kind of workplace, and nothing else."""
    return employer(said, at, stop) or workplace(said, at, stop)


_NO_WORKPLACE = load_lexicon("no_workplaces")


def any_workplace(said: Tokens, at: int, stop: int) -> list[Value]:
    """Whatever somebody says they work at, with its article: "a golf course"."""
    if at >= stop or said.words[at] not in {"a", "an", "the"}:
        return []
    end = _before_deed(said, at + 1, noun_phrase(said, at + 1, stop, 4))
    named = set(said.words[at + 1 : end])
    if end == at + 1 or named & (_NO_WORKPLACE | lexicon.KNOWN_ORGS | _PARTS_OF_A_FIRM):
        return []
    if said.words[end : end + 1] == ("building",):
        return []
    if end < stop and said.words[end] in {"called", "named"}:
        end = max(end, name_run(said, end + 1, stop))
    return [Value(at, end, said.said(at, end), 0.8)] if len(said.words[at + 1]) > 2 else []


def _before_deed(said: Tokens, first: int, end: int) -> int:
    """Where a workplace ends before what is done there: "amazon | packing boxes"."""
    for at in range(first + 1, end):
        word = said.words[at]
        if word.endswith("ing") and len(word) > 5 and word != "building":
            return at
    return end


def industry(said: Tokens, at: int, stop: int) -> list[Value]:
    """A known field of work."""
    end = longest_in(said, at, stop, lexicon.INDUSTRIES, 3)
    alone = end >= stop or not is_word(said, end) or said.words[end] in STOP | {"industry", "field"}
    return [Value(at, end, said.said(at, end))] if end > at and alone else []


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


def place(said: Tokens, at: int, stop: int) -> list[Value]:
    """A city, region or country, with its region if that follows: "Seattle, Washington"."""
    fixed = _THE_PLACE.match(said.line, said.offset(at)) if at < stop else None
    if fixed:
        end = said.position(fixed.end())
        return [Value(at, end, f"the {capitalise(said.said(at + 1, end))}")]
    first = at + 1 if at + 1 < stop and said.words[at] in _PARTS else at
    first = at if said.words[at] in {"north", "south", "west"} else first
    named = name_run(said, first, stop, 4)
    listed = longest_in(said, first, stop, lexicon.PLACES)
    end = max(named, listed) if listed > first or named > first else noun_phrase(said, at, stop, 3)
    known = listed > first
    if not known and (_NO_PLACE | lexicon.WORKPLACES | lexicon.DWELLINGS) & set(said.words[at:end]):
        return []
    adverb = end - at == 1 and not known and said.words[at].endswith("ly")
    if (
        end == at
        or adverb
        or not said.words[at][0].isalpha()
        or " ".join(said.words[at:end]) in _OTHER_NAME
    ):
        return []
    if not known and named == first and any(said.is_capital(n) for n in range(at, end)):
        return []  # "I would miss | Oslo"
    if not known and named == first and (end - at > 2 or said.words[end - 1].endswith("ing")):
        return []
    return [_with_region(said, at, end, stop, 1.0 if known or named > first else 0.8)]


_OTHER_NAME = lexicon.KNOWN_ORGS - lexicon.PLACES


def known_place(said: Tokens, at: int, stop: int) -> list[Value]:
    """A place that is on the list."""
    return [
        found
        for found in place(said, at, stop)
        if found.text.lower().split(",")[0].removeprefix("the ") in lexicon.PLACES | _THE_REGIONS
    ]


_THE_REGIONS = lexicon.phrases(
    "midwest, bay area, south, deep south, pacific northwest, east coast, west coast, uk, us, "
    "states"
)


def region(said: Tokens, at: int, stop: int) -> list[Value]:
    """A state or country, or a place with its own: who is "in Texas" lives there."""
    return [
        found
        for found in place(said, at, stop)
        if {found.text.lower(), _without_part(found.text.lower())} & _REGIONS or ", " in found.text
    ]


def _without_part(name: str) -> str:
    first, _, rest = name.partition(" ")
    return rest if first in _PARTS else name


def _with_region(said: Tokens, at: int, end: int, stop: int, sure: float) -> Value:
    value = capitalise(said.said(at, end))
    if len(value) == 2 and value.lower() in lexicon.REGION_NAMES:
        return Value(at, end, value.upper(), sure)
    city = " ".join(said.words[at:end])
    begin = end + 1 if end < stop and said.words[end] in {",", "in"} else end
    if begin >= stop or (city in _REGIONS and begin == end):
        return Value(at, end, value, sure)
    last = longest_in(said, begin, stop, _REGIONS, 3)
    if last > begin:
        return Value(at, last, f"{value}, {capitalise(said.said(begin, last))}", sure)
    short = said.words[begin]
    capitals = said.said(begin, begin + 1).isupper()
    if short in lexicon.REGION_NAMES and (capitals or (begin > end and short not in STOP)):
        return Value(at, begin + 1, f"{value}, {short.upper()}", sure)
    return Value(at, end, value, sure)


_HOMES = lexicon.word_set("mobile nursing retirement group foster tiny motor care")
_NO_HOME = lexicon.word_set("go going work friends bed people boat mexico kansas new peace")


def dwelling(said: Tokens, at: int, stop: int) -> list[Value]:
    """A kind of home or surroundings: "beet farm", "big city"."""
    while at < stop and said.words[at] in {"the", "a", "an", "my", "our", "this", "own", "nice"}:
        at += 1
    end = noun_phrase(said, at, stop, 4)
    kinds = [
        n
        for n in range(at, end)
        if said.words[n] in lexicon.DWELLINGS
        or (said.words[n] == "home" and n > at and said.words[n - 1] in _HOMES)
    ]
    if not kinds or said.words[at] in _NO_HOME:
        return []
    end = kinds[-1] + 1
    if end < stop and said.words[end] in {"park", "complex", "building"}:
        end += 1
    return [Value(at, end, said.said(at, end))]
