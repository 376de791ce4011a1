"""Patterns about where somebody lives and comes from."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, next_word, pattern
from memory.language.lexicons import lexicon
from memory.language.values import lists, places, readers


def _known_place(match: re.Match[str]) -> bool:
    """Whether a place on the list follows: "here in" may be followed by anything."""
    found = places.place(match.string, match.end(), min(len(match.string), match.end() + 60))
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
    found = places.place(match.string, match.end(), min(len(match.string), match.end() + 60))
    return any(
        (item.value.lower().split(",")[0] in _REGIONS or ", " in item.value)
        and not _ON_A_TRIP.match(match.string, item.end)
        for item in found
    )


_ON_A_TRIP = re.compile(
    r"\s+(?:on (?:business|vacation|holiday|a (?:trip|visit))|for (?:work|a (?:week|few)|"
    r"the (?:week|day))|"
    r"visiting|until|till)\b",
    re.IGNORECASE,
)


_REGIONS = (
    lexicon.COUNTRIES
    | frozenset(lexicon.REGION_NAMES.values())
    | lexicon.word_set("ny nj nc sc tx fl ga az nv wa va tn ky mn wi mo mi il ct md ma nyc")
)


_OTHERS_LIFE = re.compile(
    r"\b(?:he|she|they|you|who|cost of|mom|mother|dad|father|brother|sister|friends?|parents|"
    r"daughter|son|grand\w+|aunt|uncle|cousins?|roommates?|"
    r"wish|used to|want|dream|imagine|would|people|was|were|does|if|could)\b",
    re.IGNORECASE,
)


def _speaks_of_self(match: re.Match[str]) -> bool:
    """Whether a bare "living in" is the person's own life."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 50) : match.start()])[-1]
    over = _NOT_YET.search(before) or _MISSED.search(before)
    return not _OTHERS_LIFE.search(before) and not over


_NOT_YET = re.compile(
    r"\b(?:not|never|n't|no longer)\s+(?:(?:even|really|currently|still)\s+)?(?:living\s+)?$",
    re.IGNORECASE,
)


# "Moved from teaching to consulting".
_A_DEED = re.compile(r"[a-z]+ing\b")
_MISSED = re.compile(r"\b(?:miss|missed|missing|remember|stopped|quit)\s+$", re.IGNORECASE)
_VISITING = re.compile(
    r"\b(?:you|your|visit\w*|trip|vacation|holiday|was|were|went|she|he|they|his|her|their|if|when|"
    r"how|what|travel\w*|going|heard|concert|mom|dad|parents|brother|sister)\b",
    re.IGNORECASE,
)


def _weather_here(match: re.Match[str]) -> bool:
    """Whether the weather of a place on the list is told, and told as one's own."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 60) : match.start()])[-1]
    mark = re.search(r"[.?!]", match.string[match.end() :])
    asked = mark is not None and mark[0] == "?"
    return _known_place(match) and not _VISITING.search(before) and not asked


def _dwelling_named(match: re.Match[str]) -> bool:
    """Whether a kind of home is named, not a place with a name."""
    found = readers.before_relative(match.string, match.end(), match.end() + 60)
    return any(
        item.value.lower().split()[-1] in lexicon.DWELLINGS
        and item.value.lower() not in lexicon.PLACES
        for item in found
    )


def _after_word(match: re.Match[str]) -> str:
    """What follows the first word of the value."""
    return match.string[match.end() : match.end() + 80].partition(" ")[2]


_FOR_A_TRIP = re.compile(
    r"for\s+(?:the|an?|one|two|three|\d+)\s+(?:\w+\s+)?(?:weekend|day|week|night|month|hour|trip|"
    r"holiday|vacation|conference|meeting|wedding)s?\b",
    re.IGNORECASE,
)

# "I grew up on a cattle ranch in": what counts is where it stands.
_HOMESTEAD = (
    r"(?:(?:on|in)\s+an?\s+(?:[\w'-]+\s+){0,2}?(?:farm|ranch|orchard|reservation|base|commune|"
    r"plantation|vineyard|house|neighborhood)\s+)?"
)

PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "location.live",
        "verb be",
        r"(?:live|living|lived|reside|residing)\s+"
        r"(?:(?:here|alone|now|currently|right|just|out|up|down|over|back|happily|\w+ly|incognito|"
        r"together|(?:all )?by myself|(?:all )?on my own|(?:out )?in the middle of nowhere|"
        r"with my \w+(?: and \w+)?)\s+){0,2}"
        r"(?:in|near|outside(?:\s+of)?|around|close to)\s+",
        places.place,
        confidence=0.95,
        shape=places.around,
    ),
    pattern(
        "location.based",
        "be",
        r"(?:currently\s+|now\s+)?(?:based|located|settled|stationed)\s+"
        r"(?:in|near|out of|outside)\s+",
        places.place,
        shape=places.around,
    ),
    pattern(
        "location.home",
        "my",
        r"(?:my|our)\s+(?:home|city|location|address|current city)"
        r"\s+is\s+(?:now\s+)?(?:in\s+)?(?!the\s+(?:mountains|countryside|suburbs)\b)",
        places.place,
    ),
    pattern(
        "location.moved",
        "verb",
        r"(?:moved|relocated)\s+(?:(?:house|here|back|over|out|down|up|away|all the way)\s+){0,3}"
        r"(?:from\s+[^,.;]{1,40}?\s+)?(?:to|into)\s+",
        places.place,
        kind="transition",
        modes="now",
        check=lambda m: next_word(m) in lexicon.PLACES or not _A_DEED.match(m.string, m.end()),
    ),
    pattern(
        "location.moved_from",
        "verb",
        r"(?:moved|relocated)\s+(?:here\s+|away\s+)?from\s+",
        places.place,
        kind="past",
        modes="now",
    ),
    pattern(
        "location.left",
        "verb",
        r"(?:moved away from|moved out of|left)\s+(?-i:(?=[A-Z]))",
        places.place,
        kind="past",
        modes="now",
        confidence=0.8,
        check=lambda m: next_word(m) in lexicon.PLACES and not _FOR_A_TRIP.match(_after_word(m)),
    ),
    pattern(
        "hometown.moved_here",
        "verb",
        r"(?:(?:just|recently|have)\s+)*(?:moved|relocated|got|came|emigrated|"
        r"immigrated)\s+(?:over\s+|back\s+|all the "
        r"way\s+)?(?:to\s+)?here\s+from\s+",
        places.place,
        kind="statement",
        modes="now past",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "location.weather",
        "given",
        r"\b(?:night|day|morning|weather|evening|afternoon|summers?|winters?|sunny|cold|hot|"
        r"snow(?:ing|s)?|rain(?:ing|s)?|"
        r"nice|beautiful|warm|chilly|cloudy|lovely|gorgeous|late|early|humid|"
        r"freezing)\s+(?:out\s+|right\s+now\s+)?"
        r"(?:here\s+|down\s+|up\s+|over\s+)*(?:here\s+)?in\s+(?:\w+ern\s+|upstate\s+)?(?=[a-z])",
        places.place,
        trust=WEAK,
        confidence=0.65,
        check=_weather_here,
        shape=places.with_its_part,
    ),
    pattern(
        "location.here_in",
        "any",
        r"\bhere\s+in\s+(?=[a-z])",
        places.place,
        trust=IMPLIED,
        confidence=0.65,
        check=_some_place,
    ),
    pattern(
        "location.missed",
        "verb be",
        r"(?:miss|missing|remember|stopped|quit)\s+(?:living|my\s+(?:life|time|days|years))\s+"
        r"(?:back\s+|over\s+|down\s+|up\s+)?in\s+",
        places.place,
        kind="past",
        trust=IMPLIED,
        confidence=0.75,
        modes="now past",
    ),
    pattern(
        "location.up_here",
        "given",
        r"\b(?:(?:up|over|out|down)\s+here|here|back home|home|we do|day)"
        r"\s+in\s+(?:\w+ern\s+|upstate\s+)?(?=[a-z])",
        places.place,
        trust=IMPLIED,
        confidence=0.65,
        check=_known_place,
        shape=places.with_its_part,
    ),
    pattern(
        "location.my_house_in",
        "given",
        r"\b(?:my|our|(?:own|have|bought|rent)\s+an?(?=\s+(?:\w+\s+){0,2}?(?:home|house|apartment|condo|place)\b)|"
        r"(?:live|living|stay)\s+(?:on|in|at)\s+(?:an?|the|my|our))"
        r"\s+(?:\w+\s+){0,2}?"
        r"(?:home|house|farm|apartment|place|condo|ranch|cabin|town|neighborhood|city|flat|"
        r"village|suburbs?|island|part|coast|side|edge|outskirts|border|shore|mountains|hills|woods|"
        r"countryside|middle|heart|wilderness|desert|tip|corner)\s+(?:is\s+)?(?:here\s+)?(?:in|of|near|outside)\s+(?:\w+ern\s+)?",
        places.place,
        trust=IMPLIED,
        confidence=0.75,
        check=_known_place,
        shape=places.around,
    ),
    pattern(
        "location.its_weather",
        "given",
        r"\b(?:this|these|the|our)\s+(?=(?:\w+\s){1,2}?(?:heat|sun|sunshine|weather|cold|humidity|"
        r"winters?|summers?|snow|rain|traffic|nights|evenings|air|countryside)\b)",
        readers.before_weather,
        trust=WEAK,
        confidence=0.65,
        check=_weather_here,
        shape=lambda _m, value: readers.capitalise(value),
    ),
    pattern(
        "location.place_here",
        "open",
        r"(?:in\s+)?(?=[a-z ]{3,20}\s+(?:here|right now)\b)",
        places.place,
        trust=WEAK,
        confidence=0.65,
        check=_known_place,
    ),
    pattern(
        "location.i_am_in",
        "be",
        r"(?:up\s+|over\s+|down\s+|out\s+|all the way\s+|the "
        r"way\s+)?(?:here\s+)?in\s+(?:upstate\s+|"
        r"northern\s+|southern\s+)?",
        places.place,
        trust=WEAK,
        confidence=0.7,
        modes="now",
        check=_known_region,
        shape=places.with_its_part,
    ),
    pattern(
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
    pattern(
        "home.live",
        "verb be",
        r"(?:live|living|stay|staying|reside|residing|lived|share|moved(?: in)?)\s+(?:(?:here|"
        r"alone|together|out(?! of)|up|down|over|way|back|deep|by myself|all alone|close|currently|"
        r"with (?:my )?\w+|far away|by|also|right|just)\s+){0,3}(?:in|on|at|near|by|close to|into|"
        r"out of|next to|across from|beside|along|inside|under|to)?\s*",
        places.dwelling,
        trust=IMPLIED,
        confidence=0.85,
        modes="now",
    ),
    pattern(
        "home.with",
        "verb be",
        r"(?:still\s+)?(?:live|living|stay|staying|moved(?:\s+back)?(?:\s+in)?)\s+(?:here\s+|"
        r"at home\s+|"
        r"back\s+|still\s+|alone\s+)?(?=(?:alone|by myself|at home|on my own|with)\b)",
        readers.choice(
            r"(?:alone|by myself|at home|on my own|with (?:my|two|three|four|five|some|a|2|3|"
            r"4) (?:\w+ )?"
            r"(?:parents|folks|mom|mum|mother|dad|father|grandparents|grandma|grandmother|family|"
            r"roommates?|"
            r"room mates?|flatmates?|housemates?|friends?|brothers?|sisters?|aunt|uncle|boyfriend|"
            r"girlfriend|cousins?))\b"
        ),
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "home.living",
        "given",
        r"\bliving\s+(?:[\w-]+\s+){0,2}?(?:in|on|at|near|by|the)\s+",
        places.dwelling,
        trust=IMPLIED,
        confidence=0.75,
        check=_speaks_of_self,
    ),
    pattern(
        "home.i_am_in",
        "be",
        r"(?:out\s+)?(?:in|on)\s+(?:the|an?|this|my)\s+(?=(?:\w+\s+)?(?:city|country|area|"
        r"apartment|cabin|village|woods|mountains|farm|ranch|"
        r"island|suburbs|dorms?|countryside)\b)",
        places.dwelling,
        trust=WEAK,
        confidence=0.65,
        modes="now",
    ),
    pattern(
        "home.has",
        "verb be",
        r"(?:have|got|rent|renting|bought|found|leas(?:e|ing)|shar(?:e|ing)|moved\s+into|"
        r"moving\s+into|share|own)\s+"
        r"(?:an?|my|our|the)\s+(?:own\s+|new\s+|first\s+)*(?=(?:\w+\s+)?(?:apartment|condo|"
        r"flat|studio apartment|"
        r"townhouse|duplex|loft|trailer|cabin|cottage|dorm(?: room)?)\b)(?!flat (?:tire|screen))",
        places.dwelling,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "home.rents",
        "verb be",
        r"(?:rent|renting|leas(?:e|ing)|shar(?:e|ing))\s+(?:an?|my|"
        r"the)\s+(?=(?:\w+\s+){0,2}(?:house|room|place|basement)\b)",
        lists.short(4),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "home.in",
        "given",
        r"\b(?:in|to|into|out\s+of|at|around|leave|tired\s+of)\s+(?:an?|the|my|our|"
        r"this)\s+(?:new\s+)?(?=(?:\w+\s+)?(?:apartment|"
        r"condo|trailer|dorms?|loft|cabin|farmhouse|cottage|penthouse|duplex|townhouse)\b)",
        places.dwelling,
        trust=0.60,
        confidence=0.7,
        check=lambda m: (
            _speaks_of_self(m)
            and bool(
                re.search(
                    r"\b(?:i|me|my|we|us|our)\b",
                    re.split(r"[.?!]", m.string[max(0, m.start() - 60) : m.end()])[-1],
                    re.IGNORECASE,
                )
            )
        ),
    ),
    pattern(
        "home.at_my_house",
        "given",
        r"\b(?:in|at|around|inside|outside|near|behind|leave)\s+(?:my|our)\s+(?=(?:(?:own|new|old|"
        r"little|big|small)\s+)?(?:house|home)\b)",
        places.dwelling,
        trust=0.60,
        confidence=0.7,
        check=_speaks_of_self,
    ),
    pattern(
        "home.my",
        "given",
        r"\b(?:my|our|this|on the)\s+(?=(?:[\w-]+\s+){0,2}?(?:farm|ranch|apartment|cabin|condo|"
        r"cottage|dorm|trailer|houseboat)\b)"
        r"(?!(?:\w+\s+)?(?:old|first|next|dream|childhood|parents?|family|new)\b)",
        places.dwelling,
        trust=0.60,
        confidence=0.7,
        check=lambda m: m[0].lower().startswith(("my", "our")),
    ),
    pattern(
        "hometown.from",
        "verb be",
        r"(?:originally\s+)?from\s+(?:(?:an?\s+|the\s+)?(?:\w+\s+){0,2}(?:part|suburbs?|"
        r"outskirts|area|side|city|town|"
        r"state|village)\s+(?:of|in|near|outside)\s+)?",
        places.place,
        confidence=0.85,
        kind="statement",
        modes="now",
        shape=places.around,
    ),
    pattern(
        "hometown.grew_up",
        "verb",
        r"(?:grew\s+up|was\s+raised|was\s+brought\s+up)\s+"
        rf"{_HOMESTEAD}(?:in|near|outside(?:\s+of)?)"
        r"\s+",
        places.place,
        kind="statement",
        modes="now past",
        shape=places.around,
    ),
    pattern(
        "hometown.born",
        "be verb",
        r"(?:born|raised|born and raised|brought up)\s+"
        r"(?:and\s+(?:raised|bred)\s+)?"
        rf"{_HOMESTEAD}(?:in|near|outside(?:\s+of)?)\s+",
        places.place,
        kind="statement",
        modes="now past",
        shape=places.around,
    ),
    pattern(
        "hometown.surroundings",
        "be verb",
        r"(?:from|grew\s+up\s+(?:in|on)|(?:was\s+)?(?:raised|born)(?:\s+and\s+raised)?\s+(?:in|"
        r"on))\s+(?=(?:an?|the)\s)",
        places.dwelling,
        trust=IMPLIED,
        confidence=0.7,
        kind="statement",
        modes="now past",
    ),
)
