"""Families about where somebody lives and comes from."""

from __future__ import annotations

import re

from memory.grammar import lexicon, readers, whereabouts
from memory.grammar.family import IMPLIED, WEAK, Family, family, next_word

_IS = r"(?:\s+is|'s|\s+s|:)\s+(?:actually\s+|now\s+|currently\s+|still\s+|probably\s+|just\s+)?"


def _known_place(match: re.Match[str]) -> bool:
    """Whether a place on the list follows: "here in" may be followed by anything."""
    found = whereabouts.place(match.string, match.end(), min(len(match.string), match.end() + 60))
    return any(item.value.lower().split(",")[0] in lexicon.PLACES for item in found)


def _some_place(match: re.Match[str]) -> bool:
    """Whether what follows "here in" can be a place at all."""
    return next_word(match) not in _NOWHERE


_NOWHERE = lexicon.word_set(
    "the a an my our this your his her bed general case school class town spirit person front a "
    "few about"
)


def _known_region(match: re.Match[str]) -> bool:
    """Whether a state or country follows: "I'm in London" may be a trip, "in Texas" rarely is."""
    found = whereabouts.place(match.string, match.end(), min(len(match.string), match.end() + 60))
    return any(item.value.lower().split(",")[0] in _REGIONS for item in found)


_REGIONS = lexicon.COUNTRIES | frozenset(lexicon.REGION_NAMES.values())


_OTHERS_LIFE = re.compile(
    r"\b(?:he|she|they|you|who|cost of|mom|mother|dad|father|brother|sister|friends?|parents|"
    r"daughter|son|"
    r"wish|used to|want|dream|imagine|would|people|was|were|does|if|could)\b",
    re.IGNORECASE,
)


def _speaks_of_self(match: re.Match[str]) -> bool:
    """Whether a bare "living in" is the person's own life."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 50) : match.start()])[-1]
    return not _OTHERS_LIFE.search(before)


def _dwelling_named(match: re.Match[str]) -> bool:
    """Whether a kind of home is named, not a place with a name."""
    found = readers.before_relative(match.string, match.end(), match.end() + 60)
    return any(item.value.lower().split()[-1] in lexicon.DWELLINGS for item in found)


FAMILIES: tuple[Family, ...] = (
    family(
        "location.live",
        "verb be",
        r"(?:live|living|lived|reside|residing)\s+"
        r"(?:here\s+|alone\s+|now\s+)?(?:in|near|outside(?:\s+of)?|around|close to)\s+",
        whereabouts.place,
        confidence=0.95,
    ),
    family(
        "location.based",
        "be",
        r"(?:currently\s+|now\s+)?(?:based|located|settled|stationed)\s+"
        r"(?:in|near|out of|outside)\s+",
        whereabouts.place,
    ),
    family(
        "location.home",
        "my",
        r"(?:my|our)\s+(?:home|city|location|address|current city)"
        r"\s+is\s+(?:now\s+)?(?:in\s+)?",
        whereabouts.place,
    ),
    family(
        "location.moved",
        "verb",
        r"(?:moved|relocated)\s+(?:house\s+)?(?:here\s+)?"
        r"(?:back\s+|over\s+|out\s+)?"
        r"(?:from\s+[^,.;]{1,40}?\s+)?(?:to|into)\s+",
        whereabouts.place,
        kind="transition",
        modes="now",
    ),
    family(
        "location.moved_from",
        "verb",
        r"(?:moved|relocated)\s+(?:here\s+|away\s+)?from\s+",
        whereabouts.place,
        kind="past",
        modes="now",
    ),
    family(
        "location.left",
        "verb",
        r"(?:moved away from|moved out of|left)\s+(?-i:(?=[A-Z]))",
        whereabouts.place,
        kind="past",
        modes="now",
        confidence=0.8,
        check=lambda m: next_word(m) in lexicon.PLACES,
    ),
    family(
        "location.here_in",
        "any",
        r"\bhere\s+in\s+(?=[a-z])",
        whereabouts.place,
        trust=IMPLIED,
        confidence=0.65,
        check=_some_place,
    ),
    family(
        "location.like_living",
        "verb",
        r"(?:love|like|enjoy|hate|dislike)\s+living\s+in\s+",
        whereabouts.place,
        trust=IMPLIED,
        confidence=0.75,
        modes="now",
    ),
    family(
        "location.living",
        "given",
        r"\bliving\s+(?:\w+\s+)?(?:in|near|outside(?:\s+of)?|around)\s+",
        whereabouts.place,
        trust=IMPLIED,
        confidence=0.75,
        check=_speaks_of_self,
    ),
    family(
        "location.stay",
        "verb be",
        r"(?:stay|staying|living|reside)\s+(?:up\s+|over\s+|down\s+|out\s+|"
        r"right\s+)?(?:here\s+)?(?:up\s+)?in\s+",
        whereabouts.place,
        trust=IMPLIED,
        confidence=0.75,
        modes="now",
        check=_known_place,
    ),
    family(
        "location.up_here",
        "given",
        r"\b(?:(?:up|over|out|down)\s+here|here|back home|home|we do|day)"
        r"\s+in\s+(?:\w+ern\s+|upstate\s+)?(?=[a-z])",
        whereabouts.place,
        trust=IMPLIED,
        confidence=0.65,
        check=_known_place,
    ),
    family(
        "location.my_house_in",
        "given",
        r"\b(?:my|our|own an?|have an?|(?:live|living|stay)\s+(?:on|in|at)\s+(?:an?|the|my|our))"
        r"\s+(?:\w+\s+){0,2}?"
        r"(?:home|house|farm|apartment|place|condo|ranch|cabin|town|neighborhood|city|flat|"
        r"village|"
        r"suburb|island|part)\s+(?:is\s+)?(?:here\s+)?(?:in|of|near|outside)\s+(?:\w+ern\s+)?",
        whereabouts.place,
        trust=IMPLIED,
        confidence=0.75,
        check=_known_place,
    ),
    family(
        "location.place_here",
        "open",
        r"(?:in\s+)?(?=[a-z ]{3,20}\s+here\b)",
        whereabouts.place,
        trust=WEAK,
        confidence=0.65,
        check=_known_place,
    ),
    family(
        "location.i_am_in",
        "be",
        r"(?:up\s+|over\s+|down\s+|out\s+|all the way\s+)?(?:here\s+)?in\s+(?:upstate\s+|"
        r"northern\s+|southern\s+)?",
        whereabouts.place,
        trust=WEAK,
        confidence=0.7,
        modes="now",
        check=_known_region,
    ),
    family(
        "location.where_i_live",
        "given",
        r"\b(?:the|an?|my|in|at|to|on|from)\s+(?=[\w'& -]{2,30}?\s(?:(?:that|where|which)"
        r"\s+)?(?:i|we)\s+(?:\w+\s+)?live\b)"
        r"(?:the\s+|an?\s+|my\s+)?(?!the\b|place\b|people\b|one\b|where\b|i\b|area\b|that\b|"
        r"here\b)",
        readers.before_relative,
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: not _dwelling_named(m),
    ),
    family(
        "home.where_i_live",
        "given",
        r"\b(?:the|an?|my|in|at|to|on|from)\s+(?=[\w'& -]{2,30}?\s(?:(?:that|where|which)"
        r"\s+)?(?:i|we)\s+(?:\w+\s+)?live\b)"
        r"(?:the\s+|an?\s+|my\s+)?",
        readers.before_relative,
        trust=IMPLIED,
        confidence=0.75,
        check=_dwelling_named,
    ),
    family(
        "home.live",
        "verb be",
        r"(?:live|living|stay|staying|reside|residing|lived|share|moved(?: in)?)\s+(?:(?:here|"
        r"alone|together|out|by myself|all alone|close|currently|"
        r"with (?:my )?\w+|far away|by|also|right)\s+){0,3}(?:in|on|at|near|by|close to|into|"
        r"to)?\s*",
        whereabouts.dwelling,
        trust=IMPLIED,
        confidence=0.85,
        modes="now",
    ),
    family(
        "home.with",
        "verb be",
        r"(?:still\s+)?(?:live|living|stay|staying)\s+(?:here\s+|at home\s+|"
        r"back\s+)?(?=(?:alone|by myself|at home|on my own|with my parents)\b)",
        readers.choice(r"(?:alone|by myself|at home|on my own|with my parents)"),
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "home.living",
        "given",
        r"\bliving\s+(?:[\w-]+\s+){0,2}?(?:in|on|at|near|by|the)\s+",
        whereabouts.dwelling,
        trust=IMPLIED,
        confidence=0.75,
        check=_speaks_of_self,
    ),
    family(
        "home.i_am_in",
        "be",
        r"(?:out\s+)?(?:in|on)\s+(?:the|an?|this|my)\s+(?=(?:\w+\s+)?(?:city|country|area|"
        r"apartment|cabin|village|woods|mountains|farm|ranch|"
        r"island|suburbs|dorms?|countryside)\b)",
        whereabouts.dwelling,
        trust=WEAK,
        confidence=0.65,
        modes="now",
    ),
    family(
        "home.my",
        "given",
        r"\b(?:my|our|this|on the)\s+(?=(?:[\w-]+\s+){0,2}?(?:farm|ranch|apartment|cabin|"
        r"cottage|dorm|trailer|houseboat)\b)"
        r"(?!(?:\w+\s+)?(?:old|first|next|dream|childhood|parents?|family|new)\b)",
        whereabouts.dwelling,
        trust=0.60,
        confidence=0.7,
        check=lambda m: m[0].lower().startswith(("my", "our")),
    ),
    family(
        "hometown.from",
        "be",
        r"(?:originally\s+)?from\s+",
        whereabouts.place,
        confidence=0.85,
        kind="statement",
        modes="now",
    ),
    family(
        "hometown.come_from",
        "verb",
        r"(?:originally\s+)?(?:come|hail|came)\s+from\s+",
        whereabouts.place,
        kind="statement",
        modes="now past",
        confidence=0.85,
    ),
    family(
        "hometown.grew_up",
        "verb",
        r"(?:grew\s+up|was\s+raised|was\s+brought\s+up)\s+"
        r"(?:on\s+a\s+farm\s+)?(?:in|near|outside(?:\s+of)?)"
        r"\s+",
        whereabouts.place,
        kind="statement",
        modes="now past",
    ),
    family(
        "hometown.born",
        "be verb",
        r"(?:born|raised|born and raised|brought up)\s+"
        r"(?:and\s+(?:raised|bred)\s+"
        r")?in\s+",
        whereabouts.place,
        kind="statement",
        modes="now past",
    ),
    family("hometown.my", "my", rf"my\s+home\s?town{_IS}", whereabouts.place),
)
