"""Patterns about what somebody plays, hears, watches, reads and eats."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import vocabulary
from memory.language.patterns.likes.liked_mentions import tells_of_appetite, tells_of_liking
from memory.language.patterns.likes.pastimes import around, own_pastime
from memory.language.values import compound_names, lists, pursuits, readers
from memory.language.values.readers import Found

_PLAY = (
    r"(?:play|played since|have been playing|have played|'ve been playing|been playing|do play)"
    r"\s+"
    r"(?:the\s+|some\s+|a lot of\s+|lots of\s+|a little\s+|my\s+|on\s+(?:the|my)\s+)*"
    r"(?!with\b|it\b|them\b|in\b|a (?:role|part)\b|around\b|for\b|along\b|that\b|outside\b|"
    r"every\b|"
    r"against\b|at\b|to\b|when\b|and\b|as\b|out\b|hard\b|too\b|dead\b|fetch\b|one\b|together\b)"
)


_LISTEN = (
    r"(?:listen(?:ing)?|jam(?:ming)?(?: out)?|rock(?:ing)?(?: out)?|blast(?:ing)?)"
    r"\s+(?:mostly\s+|only\s+|"
    r"a lot\s+|alot\s+)?to\s+(?:some\s+|a lot of\s+|lots of\s+|the\s+(?=music)|my\s+|mostly\s+|"
    r"only\s+|"
    r"old\s+)*(?!you\b|it\b|them\b|him\b|her\b|that\b|people\b|this\b|music\s+(?:while|when|and)"
    r"\b)"
)


_WATCH = (
    r"(?:watch(?:ing)?|binge(?:[- ]watch)?(?:ing)?)\s+(?:some\s+|a lot of\s+|lots of\s+|the\s+|"
    r"my\s+|old\s+|"
    r"too much\s+|all\s+)*(?!it\b|them\b|him\b|her\b|that\b|out\b|over\b|your\b|you\b|kids?\b|"
    r"children\b|"
    r"what\b|how\b|people\b|for\b|my\b|this\b|grand\w+\b|and\b|more\b|with\b|on\b|in\b|people\b|"
    r"is\b)"
)


def _still_eaten(match: re.Match[str]) -> bool:
    """Whether a meal is neither over for good nor only refused."""
    before, after = around(match, 60, 30)
    refused = _NOT_EATEN.search(before + match[0] + after)
    return not refused and tells_of_liking(match) and tells_of_appetite(match)


def _noticed_dish(match: re.Match[str]) -> bool:
    """Whether a dish that is only named is one of the person's own liking."""
    if _IN_A_NAME.match(match.string, match.start()):
        return False
    return own_pastime(match) and tells_of_liking(match) and tells_of_appetite(match)


# The "Mayo" of "Mayo Clinic".
_IN_A_NAME = lazy_pattern(r"(?-i:[A-Z])[\w']+\s+(?-i:[A-Z])[a-z]+")


_NOT_EATEN = lazy_pattern(
    r"\b(?:used? to|not|never|don t|don't|cannot|can't|hate|allerg\w+|quit|stop\w*|avoid|sick|"
    r"gross|"
    r"if|should|(?:as|was|like) a kid|(?:make|cook|bake|bring|give|buy|send|grab|get|for) (?:you|"
    r"u))\b",
    re.IGNORECASE,
)


_DISH = rf"(?:{vocabulary.FOODS})"
_KINDS_OF_DISH = (
    rf"(?:(?:{vocabulary.KINDS_OF_FOOD}|(?:chocolate|mint) chip|oreo|deer|elk|duck|goat|bison|crab|"
    rf"{vocabulary.FOODS})\s+){{0,2}}"
)


_MEAL = (
    r"(?:just\s+)?(?:eat(?:ing|en)?|ate|had|have|having|drink(?:ing)?|drank|sipping(?:\s+on)?|"
    r"munching(?:\s+on)?|snacking(?:\s+on)?|cook(?:ing|ed)?|"
    r"mak(?:e|ing)|made|bak(?:e|ing)|craving|crave|ordering|ordered|order|grabb(?:ed|ing)|"
    r"finished|enjoying|sipped|pop(?:ping)?|use|grill(?:ing)?|get|getting)\s+"
    r"(?:up\s+|about\s+)?(?:(?:a|an|the|my|some|a lot of|lots of|too much|too many|more|a bunch "
    r"of|a cup of|a glass of|a bowl of|a huge glass of|a slice of|nothing but|"
    r"of|all|our|their|his|your|this|a nice|nice|big|huge|little|enough|way|mostly|only|out)"
    r"\s+)*"
)


_KNOWN_NAMES = rf"(?:{vocabulary.NAMES})"

_LAST_DISH = lazy_pattern(rf".*\b{_DISH}\b", re.IGNORECASE)


def _dishes(text: str, start: int, end: int) -> list[Found]:
    """Dishes of a list, each up to its last word of food: "soup" of "soup simmering"."""
    found = [(one, _LAST_DISH.match(one.value)) for one in lists.nouns(text, start, end)]
    return [Found(one.start, one.start + len(m[0]), m[0]) for one, m in found if m]


_ONE_DISH = pursuits.named(_KINDS_OF_DISH + _DISH)


def _dish_or_two(text: str, start: int, end: int) -> list[Found]:
    """A dish that is named, or two that go together: "meat and potatoes"."""
    both = compound_names.pair(text, start, end)
    return [Found(both.start(), both.end(), both[0])] if both else _ONE_DISH(text, start, end)


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "interests.play",
        "verb be",
        _PLAY,
        lists.nouns,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=tells_of_liking,
    ),
    pattern(
        "likes.listen",
        "verb be",
        _LISTEN,
        lists.nouns,
        modes="now",
        trust=WEAK,
        confidence=0.75,
        check=tells_of_liking,
    ),
    pattern(
        "likes.meal",
        "verb be",
        rf"{_MEAL}(?=(?:(?!for\b|to\b|with\b|of\b|in\b)[\w-]+\s+){{0,2}}?{_DISH}\b)(?!to\b|"
        rf"heard\b|own\b|"
        rf"never\b|no\b|for\b|in\b|with\b|no\b|shop\b|"
        rf"store\b|when\b|it\b|that\b|them\b|me\b|any\b|on\b|at\b|him\b|her\b|rid\b)",
        _dishes,
        modes="now past unreal",
        kind="statement",
        trust=0.55,
        confidence=0.65,
        check=_still_eaten,
    ),
    pattern(
        "likes.dish",
        "given",
        rf"\b(?={_KINDS_OF_DISH}{_DISH}\b(?!\s+(?:distributor|company|shop|store|factory|bread|"
        rf"industry|games?|joint|restaurant|place|parlor|kitchens?|box(?:es)?|guy|chain|trucks?|maker|lab|"
        rf"eye)\b))(?!fish\b|get\b)(?<!baking )",
        _dish_or_two,
        trust=0.55,
        confidence=0.6,
        check=_noticed_dish,
    ),
    pattern(
        "likes.known_name",
        "given",
        rf"\b(?={_KNOWN_NAMES}\b)",
        pursuits.named(_KNOWN_NAMES),
        trust=0.60,
        confidence=0.65,
        check=own_pastime,
    ),
    pattern(
        "likes.colour_worn",
        "given",
        r"\b(?:paint(?:ed|ing)?|wear(?:ing)?|coloring)\s+(?:(?!not\b|never\b)"
        r"[\w']+\s+){0,5}?(?=(?:lime green|red|blue|green|yellow|orange|purple|pink|black|teal|"
        r"turquoise)\b)",
        readers.choice(
            r"(?:lime green|red|blue|green|yellow|orange|purple|pink|black|teal|"
            r"turquoise)\b"
        ),
        trust=0.55,
        confidence=0.6,
        check=own_pastime,
    ),
    pattern(
        "likes.binge",
        "given",
        r"\bbinge[- ]?watch(?:ing|ed)?\s+(?:some\s+|a lot of\s+|old\s+|the\s+(?=\w+\s+series))*"
        r"(?!it\b|them\b|that\b|on\b|in\b|with\b|all\b|and\b|this\b)",
        lists.nouns,
        trust=WEAK,
        confidence=0.7,
        check=own_pastime,
    ),
    pattern(
        "likes.watch",
        "verb be",
        _WATCH,
        lists.nouns,
        modes="now",
        trust=WEAK,
        confidence=0.7,
        check=tells_of_liking,
    ),
    pattern(
        "likes.consume",
        "verb",
        r"(?:eat|drink|consume|order|survive on|have|sip on|crave)\s+(?:a "
        r"lot of\s+|lots of\s+|"
        r"mostly\s+|only\s+|too much\s+|too many\s+|tons of\s+|plenty of\s+|my\s+|some\s+)*"
        r"(?!it\b|them\b|out\b|that\b|a\b|an\b|the\b|what\b|at\b|in\b|on\b|too\b|healthy\b|"
        r"meat\b|so\b|"
        r"to\b|lunch\b|dinner\b|breakfast\b|less\b|more\b|anything\b|everything\b|food\b|all\b|"
        r"alone\b|"
        r"with\b|there\b|when\b|like\b|well\b|right\b|clean\b|here\b|no\b|any\b|organic\w*\b|"
        r"and\b|of\b)",
        lists.nouns,
        modes="now",
        trust=WEAK,
        confidence=0.7,
        check=lambda m: not m[0].lower().startswith("have"),
    ),
)
