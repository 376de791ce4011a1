"""What was last named or asked about, and so may be taken up with "it" or "mine"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.language.engine.clauses import Clause, Subject
from memory.language.lazy_pattern import lazy_pattern
from memory.language.values import lists
from memory.language.values.readers import Found


@dataclass(frozen=True)
class Topic:
    """What was last named; ``about`` says how: "like", "have", "favourite" (``kind``), "said"."""

    found: tuple[Found, ...]
    about: str
    end: int
    kind: str = ""


FAV = r"fav(?:ou?rite|ou?rit|e|o)?s?"
_ASKED = lazy_pattern(
    r"\b(?:do|did|have|are|can|could|would|will)?\s*(?:you|u|ya|(?<=do )they|(?<=does )he|"
    r"(?<=does )she)\s+(?:guys\s+|all\s+|ever\s+|"
    r"also\s+|even\s+|really\s+|still\s+)*"
    r"(?P<verb>know (?:anything|much|a lot|something) about|like|love|enjoy|prefer|into|eat|"
    r"drink|watch|read|play|listen to|know|seen|heard "
    r"of|heard|tried|been to|"
    r"watched|read|have|own|hate|go|do|fan of|interested in|good at|played|wear|collect|use|smoke|"
    r"speak|practice|ride|celebrate|support|done|ridden|gone|ever)\s+"
    r"(?:to\s+(?:go\s+)?|of\s+|for\s+|on\s+|any\s+|some\s+|the\s+|a\s+|an\s+|your\s+)*",
    re.IGNORECASE,
)
_ASKED_BARE = lazy_pattern(
    r"\b(?:do|can)\s+(?:you|u)\s+(?:ever\s+|like to\s+|also\s+)?(?P<hobby>cook|read|swim|fish|"
    r"hunt|paint|draw|dance|sing|hike|"
    r"garden|knit|surf|ski|travel|bake|camp|run|skate|exercise|party|golf|write|work out)"
    r"\s*(?:\?|$|(?:much|a lot|often|too|at|in|on|with|for|for fun|alone|outside)\b)",
    re.IGNORECASE,
)
_ASKED_FAVOURITE = lazy_pattern(
    rf"\b(?:what(?:'s|s| is| are| s)?|whats|you have an?|have an?|who(?:'s|s| is)?|do you have "
    rf"an?|is there an?|got an?|any)\s+(?:is\s+)?(?:your\s+)?{FAV}\s+"
    r"(?P<kind>[a-z]+(?:\s(?:show|game|group|food|team|movie|book|type|artist|genre|cream))?)",
    re.IGNORECASE,
)
_COLOURS = lazy_pattern(r"^colou?rs$")
_ABOUT = lazy_pattern(
    r"\b(?:(?:what|how) about|ever (?:heard of|heard|seen|tried|read|played|been to))\s+"
    r"(?:the\s+(?:band\s+)?|some\s+|a\s+)?",
    re.IGNORECASE,
)
_OBJECT = lazy_pattern(
    r"\b(?:eat|eating|ate|had|have|having|watch|watching|watched|listening to|listen to|read|"
    r"reading|try|play|playing|see|seeing|saw|"
    r"seen|wear|wearing|drink|drinking|make|making|made|suggest|recommend|baking|cooking|like|"
    r"likes|"
    r"bought|get|getting|called|"
    r"own|hear|picture of|about|involves?|tried|than|sings?|wears?)\s+(?:to\s+|just\s+|some\s+|"
    r"the\s+|a\s+|an\s+|"
    r"my\s+|lots of\s+|"
    r"a lot of\s+|in\s+|about\s+)*",
    re.IGNORECASE,
)
_FILLER = lazy_pattern(
    r"\s*(?:any|awesome|cool|nice|great|good|haha|lol|wow|how|sounds?|same|pretty|very|so|sure|"
    r"congrats|amazing|interesting|"
    r"what|who|neat|sweet|right|true|fine|hello|hi|hey|me|not|no|yes|really|oh|same|thank|"
    r"thanks|sorry|like|just|bummer|nothing)\b",
    re.IGNORECASE,
)
_FRAGMENT = lazy_pattern(r"\s*[\"']?[\w'&-]+(?:\s+[\w'&-]+){0,4}\s*$")


def remember(
    text: str, clause: Clause, taken: Sequence[tuple[str, Found]], old: Topic | None
) -> Topic | None:
    """What the next "it" may stand for after this clause."""
    favourite = _ASKED_FAVOURITE.search(text, clause.start, clause.end)
    if favourite:
        kind = _COLOURS.sub("color", favourite["kind"].lower())
        return Topic((), "favourite", clause.end, kind)
    hobby = _ASKED_BARE.search(text, clause.start, min(len(text), clause.end + 3))
    if hobby:
        return Topic((Found(*hobby.span("hobby"), hobby["hobby"]),), "like", clause.end)
    for pattern, about in ((_ASKED, ""), (_ABOUT, "said")):
        asked = pattern.search(text, clause.start, clause.end)
        if asked:
            found = tuple(lists.things(text, asked.end(), clause.end)[:3])
            verb = "" if about else asked["verb"].lower()
            return Topic(found, about or _asked_about(verb), clause.end, verb) if found else old
    if taken:
        return Topic((taken[-1][1],), "said", clause.end)
    return _named(text, clause) or old


def _asked_about(verb: str) -> str:
    verb = verb.lower()
    if verb in {"have", "own"}:
        return "have"
    return (
        "like"
        if verb
        in {
            "like",
            "love",
            "enjoy",
            "prefer",
            "into",
            "fan of",
            "play",
            "eat",
            "drink",
            "wear",
            "read",
            "collect",
            "watch",
            "listen to",
            "interested in",
            "go",
            "do",
            "practice",
            "ride",
        }
        else "said"
    )


def _named(text: str, clause: Clause) -> Topic | None:
    """A thing that stands alone ("pizza!"), or the object of a verb one has things with."""
    start = clause.start + len(clause.openers)
    if (
        clause.subject is Subject.NONE
        and not _FILLER.match(text, start, clause.end)
        and _FRAGMENT.match(text, start, clause.end)
    ):
        found = lists.things(text, start, clause.end)[:1]
        if found:
            return Topic(tuple(found), "said", clause.end)
    for verb in reversed([*_OBJECT.finditer(text, clause.start, clause.end)]):
        found = lists.things(text, verb.end(), clause.end)[:1]
        if found:
            return Topic(tuple(found), "said", clause.end)
    return None
