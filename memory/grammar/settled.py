"""Families about where somebody lives, told otherwise than by "I live in": "Boston is home".

What "live", "move" and "come from" say is read in :mod:`memory.grammar.living`.
"""

from __future__ import annotations

import re

from memory.grammar import lexicon, readers, whereabouts
from memory.grammar.family import IMPLIED, WEAK, Family, family
from memory.grammar.readers import Found

REACH = 60
"""Characters in which a place may stand."""


def _known(found: list[Found]) -> list[Found]:
    return [one for one in found if one.value.lower().split(",")[0] in lexicon.PLACES]


def known_place(text: str, start: int, end: int) -> list[Found]:
    """A place on the list, however spelled; other words may be anything."""
    return _known(whereabouts.place(text, start, min(end, start + REACH)))


def _place_before(words_after: str) -> readers.Reader:
    """A reader for a place on the list that stands right before some words."""
    after = re.compile(rf"\s*,?\s*(?:{words_after})", re.IGNORECASE)

    def read(text: str, start: int, end: int) -> list[Found]:
        found = known_place(text, start, end)
        return [one for one in found if after.match(text, one.end, end)]

    return read


def _place_then(match: re.Match[str], words_after: str) -> bool:
    """Whether a place and then some words follow, though they begin another clause."""
    return bool(_place_before(words_after)(match.string, match.end(), len(match.string)))


_IS_HOME = (
    r"(?:is|has\s+(?:always\s+)?been|will\s+always\s+be)\s+(?:(?:my|our|always|still|now)\s+)?home\b"
    r"(?!\s+(?:to|of|town|base|state|team)\b)|is\s+where\s+(?:i|we)\s+(?:\w+\s+)?(?:live|reside|"
    r"stay)\b"
)
_IS_ORIGIN = (
    r"is\s+where\s+(?:i|we)\s+(?:(?:am|are|come|came)\s+(?:\w+\s+)?from|was\s+(?:born|raised)|"
    r"grew\s+up)\b|is\s+my\s+home\s?town\b|born\s+and\s+(?:raised|bred)\b"
)
_PERSON = r"(?:girl|boy|guy|gal|kid|native|born|man|woman|dude)\b"
_ASKS_BACK = r"(?:and\s+)?(?:where\s+(?:are|do)\s+(?:you|u)|how\s+about\s+you|what\s+about\s+you)\b"
_DWELLING = (
    r"(?:home|house|farm|ranch|apartment|condo|place|cabin|flat|townhouse|room|studio|trailer|"
    r"cottage|duplex|loft)"
)


def _first_in_sentence(match: re.Match[str]) -> bool:
    """Whether nothing but an opener stands before in the same sentence."""
    before = re.split(r"[.?!]", match.string[: match.start()])[-1]
    return len(before.split()) <= 1


def _bare_origin(match: re.Match[str]) -> bool:
    """Whether a sentence opens with where somebody is from: "from Iowa, corn everywhere"."""
    found = known_place(match.string, match.end(), len(match.string))
    ends = found and _STOPS.match(match.string, found[0].end)
    return bool(ends) and _first_in_sentence(match)


_STOPS = re.compile(r"\s*(?:$|[.,!]|originally\b|and\s+i\b|but\s+i\b)", re.IGNORECASE)


def _before(match: re.Match[str]) -> str:
    """What stands before a match in its own sentence."""
    return re.split(r"[.?!]", match.string[max(0, match.start() - 60) : match.start()])[-1]


_ELSEWHERE = re.compile(
    r"\b(?:he|she|they|you|your|his|her|was|were|went|go|going|visit\w*|trip|used to|grew|wish|"
    r"want|would|if|hike|hiking|walk\w*|camp\w*|hunt\w*|vacation\w*|love|like|parents|mom|dad|"
    r"brother|sister|friend|to)\b",
    re.IGNORECASE,
)
_DWELLS = re.compile(
    r"\b(?:we|i|my|our)\b.*\b(?:am|are|have|own|live|living|house|home|farm|place|cabin|stay|"
    r"work|quiet|dark|peaceful)\b|\bhere\b",
    re.IGNORECASE,
)


def _lives_there(match: re.Match[str]) -> bool:
    """Whether "out in the country" is where somebody is at home, not where they take a walk."""
    before = _before(match)
    here = " here " in f"{match[0].lower()} "
    return not _ELSEWHERE.search(before) and (here or bool(_DWELLS.search(before)))


_NATIVES = {
    "texan": "Texas", "californian": "California", "floridian": "Florida", "new yorker": "New York",
    "ohioan": "Ohio", "minnesotan": "Minnesota", "michigander": "Michigan", "londoner": "London",
    "bostonian": "Boston", "chicagoan": "Chicago", "philadelphian": "Philadelphia",
    "parisian": "Paris", "oregonian": "Oregon", "georgian": "Georgia", "alaskan": "Alaska",
    "hoosier": "Indiana", "kentuckian": "Kentucky", "coloradan": "Colorado", "iowan": "Iowa",
    "nebraskan": "Nebraska", "kansan": "Kansas", "berliner": "Berlin", "montanan": "Montana",
    "angeleno": "Los Angeles", "virginian": "Virginia", "carolinian": "Carolina",
}  # fmt: skip
"""What people of a place are called, and the place."""


FAMILIES: tuple[Family, ...] = (
    family(
        "hometown.native",
        "be",
        r"an?\s+(?:\w+\s+)?(?=(?:" + "|".join(_NATIVES) + r")\b(?=\s*(?:$|[.,!?]|and\b|"
        r"but\b|so\b|who\b|at\b|by\b|born\b|now\b|through\b|in\b|living\b|too\b)))",
        readers.choice("|".join(_NATIVES)),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, value: _NATIVES[" ".join(value.lower().split())],
    ),
    family(
        "location.is_home",
        "open",
        rf"(?=[\w ,.'-]{{2,35}}?\s+(?:{_IS_HOME}))",
        known_place,
        trust=IMPLIED,
        confidence=0.8,
        check=lambda m: _place_then(m, _IS_HOME),
    ),
    family(
        "hometown.is_where",
        "open",
        rf"(?=[\w ,.'-]{{2,35}}?\s+(?:{_IS_ORIGIN}))",
        known_place,
        trust=IMPLIED,
        confidence=0.8,
        check=lambda m: _place_then(m, _IS_ORIGIN),
    ),
    family(
        "location.called_home",
        "verb",
        r"call\s+(?=[\w ,.'-]{2,35}?\s+(?:my\s+)?home\b)",
        _place_before(r"(?:my\s+)?home\b"),
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "location.settled_in",
        "verb be",
        r"(?:settled|settling|stuck|camped\s+out|holed\s+up)\s+(?:(?:down|here|out|up|now|back|"
        r"way)\s+){0,2}in\s+",
        known_place,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "hometown.person_of",
        "be",
        rf"an?\s+(?:proud\s+|born\s+|true\s+|small\s+town\s+|simple\s+)?(?=[\w ]{{2,20}}?\s+"
        rf"{_PERSON})",
        _place_before(_PERSON),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "hometown.my_of",
        "given",
        r"\bmy\s+home\s?town\s*(?:of|,|in)\s+",
        known_place,
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "hometown.family_came",
        "my",
        r"my\s+family\s+(?:originally\s+)?(?:came|moved|emigrated|immigrated|comes)\s+(?:over\s+)?"
        r"(?:(?:to\s+)?here\s+|to\s+(?:the\s+)?\w+\s+)?from\s+",
        known_place,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "hometown.opens",
        "open",
        r"(?:originally\s+|i'?m\s+)?from\s+",
        known_place,
        trust=WEAK,
        confidence=0.7,
        check=_bare_origin,
    ),
    family(
        "location.and_you",
        "open",
        rf"(?=[\w ]{{2,25}}?\s*,\s*{_ASKS_BACK})",
        known_place,
        trust=WEAK,
        confidence=0.65,
        check=lambda m: _first_in_sentence(m) and _place_then(m, _ASKS_BACK),
    ),
    family(
        "location.dwelling_in",
        "verb be",
        r"(?:rent|renting|share|sharing|lease|leasing)\s+(?:an?|my|our|"
        rf"the)\s+(?=(?:[\w-]+\s+){{0,3}}?{_DWELLING}\s)(?:[\w-]+\s+){{1,4}}?"
        r"(?:here\s+|out\s+|down\s+|up\s+)?(?:in|near|outside(?:\s+of)?)\s+",
        known_place,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "location.we_in",
        "open",
        r"(?:(?:up|down|over|out)\s+)?(?:here\s+)?in\s+(?=[\w ]{2,25}?\s*,?\s*(?:we |most of us )"
        r"(?:do|have|get|hear|say|call|eat|are|all|love|like|only|mostly|always|just)\b)",
        known_place,
        trust=WEAK,
        confidence=0.65,
        check=lambda m: _place_then(m, r"(?:we|most\s+of\s+us)\b"),
    ),
    family(
        "home.out_in",
        "given",
        r"\b(?:(?:way|far)\s+)?(?:out|up|down)\s+(?:here\s+)?in\s+the\s+(?=(?:country|woods|"
        r"mountains|suburbs|sticks|boonies|wilderness|desert|countryside|city)\b(?!\s+(?:music|"
        r"today|tonight|last|all day|yesterday|with my)))",
        readers.choice(r"\w+"),
        trust=WEAK,
        confidence=0.65,
        check=_lives_there,
    ),
    family(
        "home.our_town",
        "given",
        r"\b(?:my|our|this)\s+(?=(?:(?:very|really)\s+)?(?:small|little|tiny|quiet|sleepy|rural|"
        r"mountain|beach|farm\w*|fishing|coastal)\s+(?:town|village|island|city|community)\b)",
        whereabouts.dwelling,
        trust=WEAK,
        confidence=0.65,
        check=lambda m: not _ELSEWHERE.search(_before(m)),
    ),
)
