"""Patterns about what somebody does again and again: clubs, lessons, years of it, what is worn."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.values import lists, readers

_OFTEN = (
    r"(?=[^.?!]{0,60}?\b(?:for\s+(?:about\s+|over\s+|almost\s+|nearly\s+|like\s+|many\s+|a\s+"
    r"few\s+|several\s+|so\s+|the\s+(?:past|last)\s+)*(?:\w+\s+)?(?:years?|decades?|months|ages|"
    r"long)|since|all\s+my\s+life|my\s+(?:whole|entire)\s+life|years)\b)"
)
# A body one belongs to for its own sake; not one of work, of age or of trouble.
_NO_PASTIME = (
    r"(?!(?:(?:\w+\s+)?(?:support|marketing|sales|design|management|development|legal|research|"
    r"night|strip|dance\s+music|comedy|country|punk|age|focus|work|business|same|own|best|whole|big|"
    r"small|great|good|new|old|other|local|this|that|great|product|project|engineering|medical|"
    r"nursing|swat|rescue|ethnic|blood|peer|online|winning|real|late|first|second|third|top|"
    r"minor|major|little|fan|health|book\s+of|special|a|young|travel|friend|college|high\s+school|"
    r"law|english|history|math|science|grad|online|art\s+school|business|class|study|tech|computer|"
    r"social|political|private|cover|my|his|her|their|your|our|the))\s+(?:club|team|league|group|"
    r"choir|guild|society|circle|class|classes|lessons?|squad)\b)"
)


# Who does a thing for pleasure, and what it is.
_DEED_OF = {
    "runner": "running",
    "jogger": "jogging",
    "hiker": "hiking",
    "swimmer": "swimming",
    "biker": "biking",
    "cyclist": "cycling",
    "surfer": "surfing",
    "skier": "skiing",
    "snowboarder": "snowboarding",
    "skateboarder": "skateboarding",
    "skater": "skating",
    "golfer": "golfing",
    "bowler": "bowling",
    "climber": "climbing",
    "rock climber": "rock climbing",
    "camper": "camping",
    "knitter": "knitting",
    "quilter": "quilting",
    "reader": "reading",
    "birder": "birding",
    "bird watcher": "bird watching",
    "birdwatcher": "birdwatching",
    "people watcher": "people watching",
    "kayaker": "kayaking",
    "crafter": "crafting",
    "gambler": "gambling",
    "weightlifter": "weightlifting",
    "bodybuilder": "bodybuilding",
    "scuba diver": "scuba diving",
    "traveler": "traveling",
    "traveller": "travelling",
    "world traveler": "traveling",
    "stargazer": "stargazing",
    "cosplayer": "cosplay",
}
_DOERS = "|".join(sorted(_DEED_OF, key=len, reverse=True))


def _of_habit(match: re.Match[str]) -> bool:
    """Whether the sentence says that something is worn or done as a habit."""
    near = match.string[max(0, match.start() - 30) : match.end() + 70]
    return bool(_HABIT.search(near))


_HABIT = re.compile(
    r"\b(?:always|usually|mostly|often|every ?day|all the time|all year|daily|never without|"
    r"everywhere|a lot|most of the time|year round|all day|each day|only)\b",
    re.IGNORECASE,
)


def _worn(match: re.Match[str], value: str) -> str:
    """What is worn, as something that one does: "wearing a hat"."""
    one = _ONE.search(match[0])
    return f"wearing {one[1]} {value}" if one else f"wearing {value}"


_ONE = re.compile(r"\s(an?)\s+$", re.IGNORECASE)


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "interests.lessons",
        "verb be",
        rf"(?:take|taking|have|having|attend|attending|do|go\s+to)\s+(?:some\s+|my\s+|weekly\s+|"
        rf"private\s+|a\s+|an\s+|the\s+)*{_NO_PASTIME}"
        r"(?=(?:[a-z]+\s){1,2}?(?:lessons?|classes|class)\b)(?!(?:college|online|night|evening|"
        r"summer|extra|university|business|nursing|three|two|four|five|six|easy|hard|any|college|"
        r"ap|honors|driving|good|first|advanced|morning)\b)",
        readers.before("lessons?|classes|class", 2),
        modes="now",
        trust=IMPLIED,
        confidence=0.7,
    ),
    pattern(
        "interests.have_done",
        "verb",
        r"(?:played|collected|practi[cs]ed|raced|surfed|skated|danced|painted|sewn|knitted|"
        r"crocheted|fished|hunted|hiked|gardened|boxed|wrestled|fenced|sung|skied|ridden|followed|"
        rf"watched|listened\s+to)\s+(?:the\s+)?{_OFTEN}(?!for\b|since\b|with\b|in\b|on\b|at\b|a\b|"
        r"it\b|them\b|professionally|him\b|her\b|together)",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "interests.doer",
        "be",
        r"(?:an?|also\s+an?|quite\s+(?:a|the)|kind\s+of\s+a|more\s+of\s+a|such\s+a)\s+"
        r"(?:(?:big|avid|keen|huge|long\s+distance|marathon|amateur|trail|serious|real|devoted|"
        r"passionate|regular|recreational|weekend|die\s?hard)\s+)*"
        rf"(?=(?:{_DOERS})\b(?!\s+(?:at\s+work|for\s+(?:a|the)|by\s+trade|in\s+high|up)))",
        readers.choice(rf"(?:{_DOERS})\b"),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, value: _DEED_OF[value.lower()],
    ),
    pattern(
        "interests.learning",
        "be verb",
        r"(?:learning|teaching\s+myself|trying\s+to\s+learn)\s+(?:how\s+)?(?:to\s+(?:play\s+|do\s+)?|"
        r"(?=the\s))(?:the\s+)?(?!be\b|live\b|cope\b|deal\b|speak\b|manage\b|accept\b|let\b|get\b|"
        r"take\b|not\b|make\b|use\b|say\b|trust\b|love\b|ropes|business|hard\b|language|basics|"
        r"work\b|become\b|ways?\b|drive\b|adjust\b|walk\b|handle\b|control\b|relax\b|save\b|read\b|"
        r"have\b|it\b|appreciate\b|piano\s+player)",
        lists.things,
        modes="now",
        trust=WEAK,
        confidence=0.7,
    ),
    pattern(
        "likes.worn",
        "verb be",
        r"(?:wear|wearing|dress\s+in)\s+(?:my\s+|a\s+|an\s+|the\s+|only\s+|mostly\s+|lots\s+of\s+|"
        r"a\s+lot\s+of\s+)*(?=[a-z])(?!it\b|them\b|that\b|clothes\b|what\b|uniform|mask|to\b|on\b|"
        r"glasses|contacts|braces|size\b|same\b|out\b|down\b|off\b|these\b|those\b|this\b|his\b|"
        r"scrubs|(?:lime green|red|blue|green|yellow|orange|purple|pink|black|teal|white|"
        r"gr[ae]y)\b|(?:\w+ )?clothes)",
        lists.short(2),
        modes="now",
        trust=0.60,
        confidence=0.65,
        check=_of_habit,
        shape=_worn,
    ),
)
