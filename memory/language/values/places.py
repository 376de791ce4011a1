"""Readers for where somebody lives: a place with a name, or a kind of home."""

from __future__ import annotations

import re

from memory.language.lexicons import lexicon
from memory.language.values.readers import STOP, Found, capitalise, name_run, phrase, words

_NOT_PLACE = lexicon.word_set("""
farmland farmlands woodland woodlands grassland wetlands marshland nowhere
fear hope peace denial pain poverty style luxury harmony sin exile hell heaven color colour silence
misery comfort darkness isolation solitude constant total abject love trouble interesting own real
present past future moment dorm dorms apartment house flat room basement studio van car tent hotel
hostel castle cabin trailer bed town city village country countryside suburbs suburb area place
student reality fantasy sight mind general particular time times awe close person fact case secret
bed around here there everywhere anywhere condo condominium
summer winter autumn fall spring season business vacation holiday
work tech finance retirement limbo hiding chaos shared temporary rented the
""")


_ARTICLE_PLACE = re.compile(
    r"the (?:us|usa|uk|uae|states|united (?:states|kingdom)|netherlands|philippines|bronx|bay "
    r"area|"
    r"midwest|czech republic|bahamas|maldives|east coast|west coast|pacific northwest|deep "
    r"south|"
    r"south of \w+|north of \w+|deep south|south(?!\s+(?:side|of))|midwest|north(?:east|"
    r"west)?(?!\s+(?:side|of))|"
    r"tropics|caribbean|rockies|ozarks|appalachians|east|west(?!\s+(?:side|of)))\b",
    re.IGNORECASE,
)


_DWELLING_LEAD = re.compile(
    r"(?:(?:the|an?|my|our|this|that|his|own|nice|same|really|very|an old)\s+)*", re.IGNORECASE
)


def dwelling(text: str, start: int, end: int) -> list[Found]:
    """A kind of home or surroundings: "beet farm", "big city"."""
    lead = _DWELLING_LEAD.match(text, start, end)
    span = phrase(text, lead.end() if lead else start, end, 4)
    if span is None:
        return []
    taken = words(text, span[0], span[1])
    kinds = [n for n, word in enumerate(taken) if word[0].lower() in lexicon.DWELLINGS]
    kinds += [n for n, word in enumerate(taken[1:], 1) if _is_home(taken[n - 1][0], word[0])]
    if not kinds or taken[0][0].lower() in _NOT_HOME:
        return []
    last = max(kinds)
    if last + 1 < len(taken) and taken[last + 1][0].lower() in {"park", "complex", "building"}:
        last += 1
    stop = taken[last].end()
    return [Found(span[0], stop, text[span[0] : stop])]


def _is_home(before: str, word: str) -> bool:
    """Whether "home" ends the name of a kind of home: "nursing home", "mobile home"."""
    return word.lower() == "home" and before.lower() in _HOMES


_HOMES = lexicon.word_set("mobile nursing retirement group foster tiny motor care old-folks")
_NOT_HOME = lexicon.word_set("go going go to work friends bed people boat mexico kansas new")


_VIA = re.compile(
    r"(?:a|an|the|my|our)\s+(?:[\w'-]+\s+){1,4}?(?:in|near|outside(?: of)?|of|called)\s+"
    r"(?=\w)",
    re.IGNORECASE,
)


_CLOSE = (
    r"\b(?:near|outside(?:\s+of)?|close\s+to|outskirts\s+of|"
    r"suburbs?(?:\s+part)?\s+(?:of|in|near|outside))\s+"
)


def around(match: re.Match[str], value: str) -> str:
    """A place that one lives close to and not in: "the Boston area" of "a suburb of boston"."""
    city, comma, region = value.partition(",")
    said = match[0] + match.string[match.end() : match.end() + 80]
    if not re.search(_CLOSE + re.escape(city) + r"\b", said, re.IGNORECASE):
        return value
    return f"the {city} area{comma}{region}"


_PART_OF_REGION = re.compile(r"\b(?P<part>upstate|(?:north|south|east|west)ern)\s+$", re.IGNORECASE)


def with_its_part(match: re.Match[str], value: str) -> str:
    """The part of a state that was named before it: "Upstate New York"."""
    part = _PART_OF_REGION.search(match[0])
    return f"{capitalise(part['part'].lower())} {value}" if part else value


_REGION = re.compile(r"\s*,\s*(?P<region>[^\W\d_][\w.]*(?: [^\W\d_]\w+)?)", re.IGNORECASE)


def place(text: str, start: int, end: int) -> list[Found]:
    """A city, region or country, with its region if that follows: "Seattle, Washington"."""
    fixed = _ARTICLE_PLACE.match(text, start, end)
    if fixed:
        value = fixed[0][4:]
        return [Found(start, fixed.end(), fixed[0][:4].lower() + capitalise(value))]
    via = _VIA.match(text, start, end)
    at = via.end() if via else start
    run = name_run(text, at, end, 4)
    span = run or _known_prefix(text, at, end) or phrase(text, at, end, 3)
    if span is None or not re.match(r"[^\W\d_]", text[span[0] :][:1]):
        return []
    value = text[span[0] : span[1]]
    tokens = value.lower().split()
    if tokens == ["states"]:
        return [Found(*span, "the States")]
    if value.lower() not in lexicon.PLACES:
        if set(tokens) & (_NOT_PLACE | {"a", "an", "my"}) or value.lower() in lexicon.KNOWN_ORGS:
            return []
        if run is None and (via or len(tokens) > 2):
            return []
    listed = value in lexicon.PLACES or _PART_OF_PLACE.sub("", value) in lexicon.PLACES
    return [_with_region(text, span, end, 1.0 if run or listed else 0.8)]


_PART_OF_PLACE = re.compile(r"^(?:upstate|central|rural|(?:north|south|east|west)(?:ern)?)\s+")


def _known_prefix(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span of the longest place on the list that starts here: "georgia" of "georgia play"."""
    tokens = words(text, start, end)[:3]
    for most in range(len(tokens), 0, -1):
        span = tokens[0].start(), tokens[most - 1].end()
        if text[span[0] : span[1]].lower() in lexicon.PLACES:
            return span
    return None


_NEXT = re.compile(r"\s+(?:in\s+)?(?P<region>[^\W\d_]+(?: [^\W\d_]+)?)", re.IGNORECASE)


def _region_without_comma(text: str, span: tuple[int, int], end: int) -> re.Match[str] | None:
    """The "austria" of "vienna austria", the "tx" of "austin tx"; never a region after itself."""
    found = _NEXT.match(text, span[1], end)
    city = text[span[0] : span[1]].lower()
    if not found or city in lexicon.COUNTRIES | frozenset(lexicon.REGION_NAMES.values()):
        return None
    for region in (found["region"].lower(), found["region"].lower().split(" ")[0]):
        if region in lexicon.COUNTRIES | frozenset(lexicon.REGION_NAMES.values()):
            return found
        if region in lexicon.REGION_NAMES and region not in STOP and city in lexicon.PLACES:
            return found
    return None


def _with_region(text: str, span: tuple[int, int], end: int, sure: float) -> Found:
    value = capitalise(text[span[0] : span[1]])
    if len(value) == 2 and value.lower() in lexicon.REGION_NAMES:
        return Found(*span, value.upper(), sure)
    found = _REGION.match(text, span[1], end) or _region_without_comma(text, span, end)
    if found:
        for region in (found["region"], found["region"].split(" ")[0]):
            lower = region.lower().replace(".", "")
            if lower in lexicon.COUNTRIES | frozenset(lexicon.REGION_NAMES.values()):
                stop = found.start("region") + len(region)
                return Found(span[0], stop, f"{value}, {capitalise(region)}", sure)
            if lower in lexicon.REGION_NAMES and (region.isupper() or lower not in STOP):
                stop = found.start("region") + len(region)
                return Found(span[0], stop, f"{value}, {region.upper()}", sure)
    return Found(span[0], span[1], value, sure)
