"""What "it", "that" and "mine" stand for, when the text itself has just said so.

"Do you like tea? I love it" and "What is your favourite colour? Mine is blue" answer a question
that stands in the same text; "Google, that is where I work" takes up a word that stands before the
comma. Only the nearest thing named is taken, and only for the sentence that follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memory.language.engine.antecedents import FAV, Topic
from memory.language.engine.clauses import Clause, Subject
from memory.language.engine.pattern import EXPLICIT, IMPLIED, WEAK
from memory.language.engine.predicates import Mode, Predicate
from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import lexicon, vocabulary
from memory.language.values import favourite_values, places, readers
from memory.language.values.readers import Found, capitalise

REACH = 90
"""Characters between a thing and the word that takes it up; further away it is somebody's guess."""


@dataclass(frozen=True)
class Echo:
    """A value of a slot that stands elsewhere in the text."""

    slot: str
    found: Found
    cue: str
    trust: float
    confidence: float = 0.8


_IT = (
    r"(?:(?:eating|watching|reading|wearing|doing|playing|drinking|listening to|making|to)"
    r"\s+)?(?:it|them|those|that|this|these|him|her|both|all of (?:it|them)|to|doing (?:it|"
    r"that)|one)"
)
_LOVE_IT = lazy_pattern(
    rf"(?:(?:do|really|absolutely|actually|just|also|totally)\s+)*(?:love|like|enjoy|adore|"
    rf"prefer|loved|crave|eat|play|watch|collect|read|"
    rf"listen to|(?:am|'m|m) (?:(?:so|really|also|totally)\s+)*(?:into|a (?:big |huge )?fan of|"
    rf"obsessed "
    rf"with|addicted to|fascinated by|in love with|crazy about))\s+{_IT}(?=\s*(?:$|[.,!]|a lot|"
    rf"alot|so|very|too|more|because|and|but|when|especially|every|"
    r"all|since|with|sometimes|as|myself|also|here|there|in|at|much|especially|now|daily|often|"
    r"lol|haha|all the time|,|as well|fan|i))",
    re.IGNORECASE,
)
_HATE_IT = lazy_pattern(
    rf"(?:(?:do|really|absolutely|just|kind of|kinda)\s+)*(?:hate|dislike|"
    rf"despise|detest|can't stand)\s+{_IT}\b",
    re.IGNORECASE,
)
_LIKE_IT = lazy_pattern(
    rf"(?:(?:really|even|actually|particularly)\s+)*(?:like|love|enjoy|stand|"
    rf"care for|eat)\s+{_IT}\b",
    re.IGNORECASE,
)
_I_DO = lazy_pattern(
    r"(?:sure\s+|certainly\s+|definitely\s+)?(?:do|love to|like to|love it|am)"
    r"(?:\s+(?:too|indeed|as well|a lot|all the time|sometimes|it|often|every "
    r"\w+|love|like))*\s*$",
    re.IGNORECASE,
)
_I_DO_NOT = lazy_pattern(
    r"(?:(?:really|personally|definitely|certainly|sure|honestly|actually)\s+)*"
    r"(?:do not|don't|dont|do n't)(?:\s+(?:really|personally|like (?:it|them)|at all|much|"
    r"care for (?:it|them)|though|either|actually|sorry))*\s*$",
    re.IGNORECASE,
)
# What is met once and liked ever after: "Have you seen it? I loved it."
_MET_ONCE = frozenset({"seen", "heard", "heard of", "watched", "read", "tried", "been to", "see"})
_LOVED_IT = lazy_pattern(
    r"(?:(?:really|absolutely|totally|just|also)\s+)*(?:loved|liked|enjoyed|adored)\s+"
    r"(?:it|them|that|those|every (?:minute|page|second|bit) of it)\b",
    re.IGNORECASE,
)
_OF_TASTE = frozenset({"like", "love", "enjoy", "prefer"})
# "Do you play bingo? I play on Wednesdays."
_DO_SO = lazy_pattern(
    r"(?:(?:usually|always|often|sometimes)\s+)?(?:play|watch|read|practice|ride|go)\s+(?:on|"
    r"every|all the "
    r"time|a lot|often|sometimes|twice|once|daily|each)\b",
    re.IGNORECASE,
)
_MY_FAVOURITE = lazy_pattern(
    r"(?:yes\s+|yeah\s+|because\s+|and\s+|but\s+|well\s+|oh\s+)*(?:it|that|this|they|those|"
    r"these|he|she|its|thats|which|both|all)\s*(?:'s|s|is|are|'re|was|were|has been|would be|"
    r"have been)?\s+"
    r"(?:(?:definitely|probably|by far|also|all|totally|one of|still|actually|always|just|"
    r"really|been|even|both|like)\s+)*my\s+"
    rf"(?:(?:all[- ]time|absolute|very|most|own|second|new|number one|total|personal)"
    rf"\s+)*(?:{FAV}|passion|jam|thing|hobby|go to|specialty|life|guilty pleasure|love|addiction|"
    rf"weakness|obsession|kryptonite|downfall)"
    rf"\b\s*(?P<kind>[a-z]+)?",
    re.IGNORECASE,
)
_MINE = lazy_pattern(
    r"(?:and\s+|but\s+|well\s+|oh\s+|yes\s+|so\s+)*(?:mine|my (?:fav\w*|personal fav\w*))"
    r"\s*(?:is|are|'s|s|was|would be|has to be|would have to be|either)?\s+"
    r"(?:(?:the|a|an|probably|definitely|also|either|any|going to the|to|by far|when|currently|"
    r"still|always)\s+)*",
    re.IGNORECASE,
)
_WHERE = lazy_pattern(
    r"(?:(?:that|which|it|this)\s*(?:is|'s|s)?\s+)?(?:where|who|what company)"
    r"\s+(?:i|we)\s+(?:currently\s+|actually\s+|also\s+)?(?P<verb>work|live|am "
    r"from)\b",
    re.IGNORECASE,
)
_HAVE_COUNT = lazy_pattern(
    r"(?:do\s+|just\s+)?(?:have|own|got|bought|adopted)\s+(?:like\s+|about\s+|"
    r"only\s+)?(?P<count>one|two|three|four|five|six|seven|eight|nine|ten|"
    r"\d{1,2}|a few|several|a couple|some|a lot|lots|plenty|many|tons|a bunch|a ton)"
    r"(?:\s+(?:of (?:them|those|my own)"
    r"|too|myself|also|already|now|actually|at home))*"
    r"(?:\s+(?:named|called|name)\s+(?P<name>[^\W\d_]+))?\s*(?:$|and\b|but\b)",
    re.IGNORECASE,
)
_NOT_KIND = lexicon.word_set(
    "and i too so but or to in of because as you when what for is at "
    "thing things one ones have do by it right ever part time since "
    "ever although we"
)


def echoes(text: str, clause: Clause, predicate: Predicate, topic: Topic | None) -> list[Echo]:
    """The facts of a clause that takes up what was named before."""
    if _THAT_COLOUR.search(text, clause.start, clause.end) and predicate.mode is Mode.NOW:
        colour = _last_colour(text, clause.start)
        if colour:
            loved = _LOVED_COLOUR.search(text, clause.start, clause.end)
            return _favourites(Topic((colour,), "said", clause.start), "" if loved else "color")
    if topic is None or clause.start - topic.end > REACH:
        return []
    if clause.subject in {Subject.SELF, Subject.WE}:
        return _of_self(text, clause, predicate, topic)
    # "That" is an opener, and "where" is cut off from its "I live".
    if _THAT_IS_WHERE.match(text, clause.start, clause.end + 24):
        return _lived_in(topic)
    return _of_thing(text, clause, topic)


_WHICH = lazy_pattern(
    r"which\s+i\s+(?:also\s+|really\s+|absolutely\s+|do\s+)*(?:love|enjoy|like|adore)"
    r"\b(?!\s+the\b)",
    re.IGNORECASE,
)


def which(text: str, clause: Clause, topic: Topic | None) -> list[Echo]:
    """ "Hiking, which I love": a clause that only says so of what stands before it."""
    if topic is None or clause.start - topic.end > 4:
        return []
    lead = _WHICH.match(text, max(0, clause.start - len(clause.lead) - 1)) or _WHICH.match(
        text, clause.start
    )
    return _all("likes", topic, "likes.which") if lead and topic.found else []


def _of_self(text: str, clause: Clause, predicate: Predicate, topic: Topic) -> list[Echo]:
    at, end = predicate.start, clause.end
    denied = predicate.mode is Mode.DENIED and _LIKE_IT.match(text, at, end)
    if denied or (predicate.mode is Mode.NOW and _HATE_IT.match(text, at, end)):
        return _all("dislikes", topic, "dislikes.not_it" if denied else "dislikes.it")
    if predicate.mode is not Mode.NOW:
        return _of_then_or_not(text, clause, predicate, topic)
    if _LOVE_IT.match(text, clause.body, end) or _LOVE_IT.match(text, at, end):
        return _all("likes", topic, "likes.it")
    if topic.about == "like" and (
        _I_DO.match(text, clause.body, end) or _DO_SO.match(text, clause.body, end)
    ):
        return _all("likes", topic, "likes.i_do")
    if _WORK_THERE.match(text, at, end):
        return _workplaces(topic)
    count = _HAVE_COUNT.match(text, clause.body, end)
    return _counted(count, topic) if count else []


def _of_then_or_not(text: str, clause: Clause, predicate: Predicate, topic: Topic) -> list[Echo]:
    """ "I loved it", of what is met once, and "I do not"."""
    at, end = predicate.start, clause.end
    if predicate.mode is Mode.PAST and topic.kind in _MET_ONCE and _LOVED_IT.match(text, at, end):
        return _all("likes", topic, "likes.loved_it")
    no = topic.kind in _OF_TASTE and _I_DO_NOT.match(text, clause.body, end)
    return _all("dislikes", topic, "dislikes.i_do_not") if no else []


def _workplaces(topic: Topic) -> list[Echo]:
    """ "Not even Discovery Channel, I work there": only what can be a workplace."""
    return [
        Echo("employer", replace(found, value=capitalise(found.value)), "employer.there", IMPLIED)
        for found in topic.found[:1]
        if readers.is_workplace(found.value)
    ]


def _all(slot: str, topic: Topic, cue: str) -> list[Echo]:
    return [Echo(slot, found, cue, IMPLIED) for found in topic.found if _is_thing(found)]


_MOODS = lexicon.NOT_NAMES | lexicon.word_set(
    "super best long dreadful terrible horrible awful definitely absolutely totally exactly "
    "indeed certainly"
)


def _is_thing(found: Found) -> bool:
    """Whether a thing was named, not a mood: "super good", "better than that"."""
    named = set(found.value.lower().split()) - {"of", "the", "in", "and", "to", "a", "on"}
    return bool(named) and named.isdisjoint(_MOODS)


_WORK_THERE = lazy_pattern(
    r"(?:(?:love|like|enjoy|hate)\s+)?work(?:ing)?\s+(?:there|for them)\b", re.IGNORECASE
)


_COUNTABLE = (
    (lexicon.PET_WORDS, "pets"),
    (lexicon.VEHICLE_WORDS, "vehicle"),
    (lexicon.OWNED | lexicon.HAVEABLE, "possessions"),
)


def _counted(count: re.Match[str], topic: Topic) -> list[Echo]:
    """ "I have two" after horses were named: two horses."""
    for found in topic.found:
        last = re.sub(r"\s*\([^()]*\)$", "", found.value.lower()).split()[-1]
        for words, slot in _COUNTABLE:
            if last in words:
                named = Found(found.start, found.end, _how_many(count, last))
                return [Echo(slot, named, f"{slot}.count", IMPLIED)]
    return []


_UNCOUNTED = frozenset({"a lot", "lots", "plenty", "many", "tons", "a bunch", "a ton", "some"})


def _how_many(count: re.Match[str], kind: str) -> str:
    """ "two horses"; "one horse" and "a dog named Rex" where only one is meant."""
    if count["count"].lower() not in {"one", "1"}:
        many = f"{kind}s" if kind in {"cat", "dog", "horse", "bird", "rabbit", "car"} else kind
        if count["count"].lower() in _UNCOUNTED:
            return many
        return f"{count['count']} {many}"
    single = kind[:-1] if kind.endswith("s") and not kind.endswith("ss") else kind
    return f"a {single} named {capitalise(count['name'])}" if count["name"] else f"one {single}"


_DISH = lazy_pattern(rf"\b(?:{vocabulary.FOODS})\b", re.IGNORECASE)
# "I had fried eggs. They are so good."
_TASTY = lazy_pattern(
    r"(?:they|it|those|these)\s*(?:is|are|'s|s|'re|tastes?|were|was)\s+(?:(?:so|really|very|"
    r"always|just|pretty|super|"
    r"the)\s+)*(?:good|yummy|delicious|tasty|amazing|great|best|awesome)\b",
    re.IGNORECASE,
)
# Asked about by one who then praises it: "Do you like banjos? They are great."
_PRAISED = (_MET_ONCE | _OF_TASTE | {"listen to", "watch", "fan of", "into"}) - {"see", "been to"}
_THAT_IS_WHERE = lazy_pattern(
    r"\s*(?:that|which|it)\s*(?:is|'s|s)\s+(?:actually\s+)?where\s+(?:i|we)\s+live\b", re.IGNORECASE
)


def _lived_in(topic: Topic) -> list[Echo]:
    """ "Do you like Utah? That is where we live": a place on the list, or a kind of home."""
    named = topic.found[-1:]
    return [
        *(
            Echo("location", replace(one, value=capitalise(one.value)), "location.there", IMPLIED)
            for one in named
            if one.value.lower() in lexicon.PLACES
        ),
        *(
            Echo("home", one, "home.there", IMPLIED)
            for one in named
            if one.value.lower().split()[-1] in lexicon.DWELLINGS
        ),
    ]


# "Do you like opera? Not me."
_NOT_ME = lazy_pattern(
    r"(?:(?:no|nope|nah|well|but|because|cause)\s*,?\s+)*(?:not me|not (?:really )?(?:an?|"
    r"my) (?:big |huge )?"
    r"(?:fan|thing|cup of tea)|me neither)\s*(?:at all\s*)?$",
    re.IGNORECASE,
)
_SCARES = lazy_pattern(
    r"(?:they|it|those|these|that|that stuff)\s+(?:(?:really|just|all|always|kind of|kinda|"
    r"also)\s+)*"
    r"(?:(?:scares?|terrif(?:y|ies)|frightens?|disgusts?|annoys?|creeps?|freaks?|bores?|"
    r"grosses?)\s+(?:the \w+ out of\s+)?me\b|"
    r"makes?\s+me\s+(?:sick|gassy|nauseous|faint|puke|nervous|anxious|sneeze|itch|gag)\b|"
    r"(?:is|are|'s|s)\s+(?:(?:so|really|just|too|very|kind of|absolutely|pretty)\s+)*(?:gross|"
    r"disgusting|nasty|yucky|the worst|"
    r"boring|overrated|not (?:really )?(?:my thing|for me|my cup of tea)|creepy|scary to me)\b)",
    re.IGNORECASE,
)


def _of_its_worth(text: str, clause: Clause, start: int, topic: Topic) -> list[Echo] | None:
    """What a clause says for or against a thing: "not me", "they scare me", "they are great"."""
    if topic.kind in _OF_TASTE and _NOT_ME.match(text, start, clause.end):
        return _all("dislikes", topic, "dislikes.not_me")
    if _SCARES.match(text, clause.body, clause.end) and topic.about != "favourite":
        return [
            Echo("dislikes", found, "dislikes.scares", 0.60, 0.7)
            for found in topic.found[-1:]
            if _is_thing(found)
        ]
    if _TASTY.match(text, clause.body, clause.end) and topic.about != "favourite":
        return [
            Echo("likes", found, "likes.praised", 0.60, 0.7)
            for found in topic.found[-1:]
            if _DISH.search(found.value) or (topic.kind in _PRAISED and _is_thing(found))
        ]
    return None


def _of_thing(text: str, clause: Clause, topic: Topic) -> list[Echo]:
    start = clause.start
    while start < clause.end and text[start] == " ":
        start += 1  # "that" is an opener: the body begins after it
    judged = _of_its_worth(text, clause, start, topic)
    if judged is not None:
        return judged
    apposed = _APPOSED.match(text, clause.body, clause.end)
    if apposed and not clause.glued and topic.end <= clause.start and clause.start - topic.end < 4:
        return _favourites(topic, (apposed["kind"] or "").lower())
    favourite = _MY_FAVOURITE.match(text, start, clause.end) or _MY_FAVOURITE.match(
        text, clause.body, clause.end
    )
    if favourite:
        kind = (favourite["kind"] or "").lower()
        coloured = _last_colour(text, clause.start) if kind in {"color", "colour"} else None
        return _favourites(replace(topic, found=(coloured,)) if coloured else topic, kind)
    mine = _MINE.match(text, clause.body, clause.end) or _MINE.match(text, start, clause.end)
    if mine and topic.about == "favourite":
        found = favourite_values.favourite(text, mine.end(), clause.end)
        return [
            Echo(
                "likes",
                Found(f.start, f.end, f"{f.value} (favourite {topic.kind})"),
                "likes.mine_is",
                IMPLIED,
                0.9,
            )
            for f in found
        ]
    return []


def _favourites(topic: Topic, kind: str) -> list[Echo]:
    suffix = f" (favourite {kind})" if kind and kind not in _NOT_KIND else ""
    named = topic.found
    if kind == "place":  # "Going to the lake? That is my favourite place."
        named = tuple(replace(f, value=_GOING_TO.sub("", f.value)) for f in named)
    return [
        Echo("likes", Found(f.start, f.end, f.value + suffix), "likes.it_is_favourite", IMPLIED)
        for f in named
    ]


_GOING_TO = lazy_pattern(r"^going\s+(?:out\s+)?to\s+(?:the|an?)\s+", re.IGNORECASE)


_APPOSED = lazy_pattern(
    rf"my\s+(?:(?:all[- ]time|absolute|very|own|personal)"
    rf"\s+)*{FAV}\s*(?P<kind>[a-z]+)?(?:\s+(?:of all time|ever|too))?\s*$",
    re.IGNORECASE,
)
_LOVED_COLOUR = lazy_pattern(r"\b(?:lov(?:e|ing)|like) that colou?r", re.IGNORECASE)
_THAT_COLOUR = lazy_pattern(
    rf"(?:^|\b)(?:my\s+{FAV}\s+colou?r\s*$|best colou?r\b|(?:love|like|loving) that colou?r|a "
    rf"colou?r i (?:like|love))",
    re.IGNORECASE,
)
_COLOUR = lazy_pattern(
    r"\b(?:red|blue|green|yellow|orange|purple|pink|black|white|brown|gr[ae]y|"
    r"teal|turquoise|violet|gold|silver|lavender|lime green)\b",
    re.IGNORECASE,
)


def _last_colour(text: str, end: int) -> Found | None:
    """The colour that was named last before ``end``."""
    last = max(
        _COLOUR.finditer(text, max(0, end - REACH), end), key=lambda m: m.start(), default=None
    )
    return Found(last.start(), last.end(), last[0]) if last else None


_THAT_IS = lazy_pattern(r"[\s,]+(?:that|which|it|this)\s*(?:is|'s|s)\s*$", re.IGNORECASE)


def fuller_name(text: str, start: int, end: int, name: str) -> Found | None:
    """The "Priya Raman" of "Name's Priya. Priya Raman.": a sentence that only says it in full."""
    run = readers.name_run(text, start + (text[start : start + 1] == " "), end, 4)
    if run is None or text[run[1] : end].strip(" .!") or run[1] - run[0] > readers.MAX_VALUE:
        return None
    value = text[run[0] : run[1]]
    return Found(*run, value) if value.lower().startswith(f"{name.lower()} ") else None


def where(text: str, clause: Clause, before: Clause) -> list[Echo]:
    """ "Google, that is where I work": the place stands right before."""
    ahead = clause.end + 24  # "where" is cut off from its "I work"
    found = _WHERE.match(text, clause.start + len(clause.openers), ahead) or _WHERE.match(
        text, clause.start, ahead
    )
    if not found:
        return []
    tail = _THAT_IS.sub("", text[before.start : before.end]).rstrip(" ,")
    place = re.search(
        r"(?:^|\b(?P<lead>in|at|to|from|for|with|visit|love|like|near|by|the)\s+)"
        r"(?:the\s+)?(?P<place>[^\W\d_][\w'&]*(?:\s[^\W\d_][\w'&]*){0,2})$",
        tail,
        re.IGNORECASE,
    )
    if not place:
        return []
    start = before.start + place.start("place")
    end = before.start + place.end("place")
    if found["verb"].lower() == "work":
        if (place["lead"] or "").lower() in {"in", "from"} and not readers.is_workplace(
            place["place"]
        ):
            return []  # "I am from New York where I work as a lawyer"
        values = readers.organisation(text, start, end) or readers.any_org(text, start, end)
        return [Echo("employer", value, "employer.that_is_where", EXPLICIT) for value in values[:1]]
    values = places.place(text, start, end)
    if text[:start].endswith("the ") and text[start:end].islower():
        values = []  # "pictures of the mountains where I live"
    return [
        Echo("location", value, "location.that_is_where", WEAK if found["verb"] != "live" else 0.85)
        for value in values[:1]
    ]
