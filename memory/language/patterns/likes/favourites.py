"""Patterns about favourites and hobbies: "my favourite colour is blue", "my hobby is chess"."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.values import favourite_values, lists, readers
from memory.language.values.readers import Found

_FAV = r"fav(?:ou?rite|ou?rit|e|o)?s?"
_EVER = (
    r"(?:(?:all[- ]time|absolute|very|most|own|personal|current|second|new|next|other|two|three|"
    r"number one|\d)\s+)*"
)
MY_FAVOURITE = (
    rf"(?:(?:probably|definitely|also|by far|still)\s+)*(?:one "
    rf"of\s+)?my\s+{_EVER}(?:{_FAV}|preferred|best(?=\s+(?:colou?r|subject|food|sport|season|"
    rf"concert|movie|book|memory|"
    rf"animal|drink|game|hobby|class|song|band)\b))"
)
_KIND = (
    r"(?:\s+(?:kinds?|types?|sorts?|thing)\s+of)?(?P<kind>(?:\s+(?!is\b|are\b|was\b|used\b)"
    r"[\w-]+){0,3}?)"
)
_IS = (
    r"\s+(?:(?:right now|at the moment|now|though|to (?:eat|watch|read|play|listen to|drink|do)|"
    r"i (?:like|love)[\w ]{0,12}?|(?:shade )?of colou?r|"
    r"of mine|of all time|ever|happens)\s+)?"
    r"(?:is|are|was|were|to be|has (?:to be|always been)|have to be|would be|would have to be|s|"
    r"=|:|"
    r"would have to say|include)\s+"
    r"(?:(?:of course|definitely|probably|by far|always|either|a|an|when|called|still|also|to|"
    r"the color|the book|the movie|though|just|actually|currently|all|any|anything|going)\s+)*"
)
_USED_TO_BE = (
    r"\s+(?:(?:always\s+)?used\s+to\s+be|was|were)\s+(?:(?:always|once|a|an|the|called)\s+)*"
)
# What makes a favourite that "was" one of another time: "was plum jam, but now it's honey".
_ANOTHER_TIME = re.compile(
    r"[^.?!]{1,60}?\b(?:but\s+(?:now|these\s+days|nowadays|lately)|(?:,|and)\s*now|back\s+then|"
    r"until|when\s+i\s+was|as\s+a\s+(?:kid|child|teen\w*)|growing\s+up|years\s+ago)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(r"\bleast\b", re.IGNORECASE)
_HOBBY = (
    r"(?:hobb(?:y|ies)|interests?|passions?|pass ?times?|pastimes?|specialty|guilty pleasure|"
    r"joy|"
    r"thing|jam|obsession|infatuation|addiction|downfall|forte|specialty|escape|life|love|game|"
    r"style|weakness|true love|first love|go to)"
)
_TO_DO = re.compile(r"\b(?:part|person|friend|child|kid|student|memory)s?\b")


_PLURAL = re.compile(r"(?<=[^s'iu])s$")
_ONE_ALREADY = frozenset({"series", "tv series", "cookies", "veggies", "sports", "news"})
# "My favourite thing": a kind that tells nothing.
_ANY_KIND = frozenset(
    "thing things time times one ones part stuff kind kinds ever item items".split()
)


def _favourite(match: re.Match[str], value: str) -> str:
    """The value with its kind: "blue (favourite color)"; without one, the value alone."""
    kind = " ".join((match["kind"] or "").split()).lower()
    kind = re.sub(
        r"\s+(?:right now|ever|of all time|now|too|though|to \w+)$|^(?:of all)$", "", kind
    )
    kind = (
        _PLURAL.sub(
            "",
            re.sub(
                r"(?<=\w{3})(?<!\bmov)(?<!\bcook)(?<!zomb)(?<!smooth)(?<!self)(?<!brown)(?<!hood)ies$",
                "y",
                kind,
            ),
        )
        if kind not in _ONE_ALREADY
        else kind
    )
    telling = kind and kind not in value.lower() and kind.split()[-1] not in _ANY_KIND
    return f"{value} (favourite {kind})" if telling else value


def _kind_is_fit(match: re.Match[str]) -> bool:
    return not _TO_DO.search(match["kind"] or "")


def _was_once(match: re.Match[str]) -> bool:
    """Whether it is said that a favourite was one and is none any more."""
    over = re.search(r"\bused\s+to\s+be\s", match[0], re.IGNORECASE)
    return bool(over or _ANOTHER_TIME.match(match.string, match.end()))


def _is_still(match: re.Match[str]) -> bool:
    was = re.search(r"\s(?:was|were)\s", match[0], re.IGNORECASE)
    return _kind_is_fit(match) and not (was and _ANOTHER_TIME.match(match.string, match.end()))


def _was_another(match: re.Match[str]) -> bool:
    """Whether "now it's X" goes on about a favourite that was another."""
    before = _WAS.search(match.string, max(0, match.start() - 100), match.start())
    now = _THESE_DAYS.search(f"{before[0] if before else ''} {match[0]}") or _TO_THIS_DAY.match(
        match.string, match.end()
    )
    return bool(before and now)


def _favourite_now(match: re.Match[str], value: str) -> str:
    before = _WAS.search(match.string, max(0, match.start() - 100), match.start())
    return _favourite(before, value) if before else value


_STOP_KIND = re.compile(
    r"^\s*(?:and|i|too|so|on|during|while|these|this|those|my|your|under|without|before|"
    r"but|or|to|in|of|because|as|you|when|what|for|is|at|thing|things|one|"
    r"ones|have|do|by|it|how|since|although|though|with|also|we|part|right|ever|after|"
    r"especially|"
    r"than|out|over|from|lol|either|place|person|has|had|was|are|were|will|always)\b"
)


def _whole(text: str, start: int, end: int) -> list[Found]:
    """What stands before "is my favourite", with the place or company it is done in."""
    found = lists.things(text, start, end)
    more = _WITH_WHAT.match(text, found[0].end, end) if len(found) == 1 else None
    if not more or not re.match(r"(?:to\s+)?\w+ing\b", found[0].value):
        return found
    return [Found(found[0].start, more.end(), f"{found[0].value}{more[0]}", found[0].sure)]


_WITH_WHAT = re.compile(
    r"\s+(?:with|at|in|on|by|to|around|along)\s(?:[\w'-]+\s){0,3}?[\w'-]+(?=\s(?:is|are|was|"
    r"has)\s)",
    re.IGNORECASE,
)


def _favourite_after(match: re.Match[str], value: str) -> str:
    """The same where the kind stands last: "blue is my favourite color"."""
    return value if _STOP_KIND.search(match["kind"] or "") else _favourite(match, value)


def _not_least(match: re.Match[str]) -> bool:
    said = match.string[match.start() : match.end() + 80]
    return not _LEAST.search(said) and not _COLOUR_FOLLOWS.search(said)


def _stands_alone(match: re.Match[str]) -> bool:
    """Whether the favourite does not hang on a word before it: "dancing with friends is"."""
    before = match.string[max(0, match.end() - 40) : match.end()].lower().split()
    return _not_least(match) and not _HANGS.search(" ".join(before[-2:]))


_HANGS = re.compile(r"\b(?:with|of|in|at|for|to|on|from|by)(?: (?:my|the|a|an|our))?$")
# "The sunsets are my favorite color pink": pink is.
_COLOUR_FOLLOWS = re.compile(
    rf"{_FAV}\s+colou?r,?\s+(?:red|blue|green|yellow|orange|purple|pink|black|white|brown|"
    rf"gr[ae]y|teal)\b",
    re.IGNORECASE,
)


_IS_MINE = (
    r"\s(?:is|are|was|has to be|would be|ha(?:s|ve) (?:always )?been|"
    r"will always be|as|being)\s*(?:(?:also|definitely|probably|by far|"
    r"still|actually|always|just|"
    rf"really|def|all|one of|some of)\s+)*(?:my\s+{_EVER}{_FAV}|"
    rf"an?\s+(?:\w+\s+)?{_FAV}\s+of\s+mine)\b"
    r"(?P<kind>(?:\s+(?:past time|ice cream|[a-z]+\s(?:artist|singer|character|team|player|"
    r"show|band|dish)|[a-z]+))?)"
)

_THESE_DAYS = re.compile(
    r"\b(?:now|these\s+days|nowadays|lately)\W*(?:$|\s(?:it|that|i)\b)", re.IGNORECASE
)
_TO_THIS_DAY = re.compile(r"[^.?!,]{1,40}?\s(?:now|these\s+days|nowadays|lately)\b", re.IGNORECASE)
_WAS = re.compile(rf"\b{MY_FAVOURITE}{_KIND}{_USED_TO_BE}[^.?!]{{1,60}}$", re.IGNORECASE)

PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "likes.favourite",
        "my",
        rf"{MY_FAVOURITE}{_KIND}{_IS}",
        favourite_values.favourite,
        shape=_favourite,
        check=_is_still,
    ),
    pattern(
        "likes.favourite_once",
        "my",
        rf"{MY_FAVOURITE}{_KIND}{_USED_TO_BE}",
        favourite_values.favourite,
        shape=_favourite,
        kind="past",
        check=_was_once,
    ),
    pattern(
        "likes.favourite_now",
        "open",
        r"(?:(?:now|these\s+days|nowadays|lately)\s*,?\s*)?(?:it's|it\s+is|its|it\s+has\s+to\s+be|"
        r"that's|i\s+prefer)\s+(?:(?:the|a|an|now|probably|definitely|more)\s+)*",
        favourite_values.favourite,
        shape=_favourite_now,
        check=_was_another,
    ),
    pattern(
        "likes.favourite_comma",
        "given",
        rf"\b{MY_FAVOURITE}\s+(?P<kind>game|band|book|movie|show|color|colour|food|drink|author|"
        r"singer|animal|season|team|sport|hobby|artist|song|snack|place|group|rapper|cartoon|"
        r"audiobook|novel|author|"
        r"documentary|tv show|music)s?\s*,?\s+(?:called\s+|named\s+)?"
        r"(?!(?:group|genre|artist|character|"
        r"is|was|used|"
        r"are|in|of|to|on|at|and|"
        r"i|we|you|for|"
        r"as|"
        r"because|with|when|that|but|has|ever|by|too|so|which|or|it|my|from|while|growing|also|"
        r"what|have|would)\b)",
        favourite_values.favourite,
        trust=IMPLIED,
        confidence=0.7,
        shape=_favourite,
    ),
    pattern(
        "likes.is_favourite",
        "open",
        rf"(?=[^.?!,]{{2,45}}?{_IS_MINE})(?:(?:i think|i guess|yes|no|yeah|well|eating|watching|"
        r"going to(?!\s+(?:the|an?)\b)|drinking|oh|to|the|i would say|i say)\s+)*"
        r"(?!it\b|that\b|they\b|my\b|i\b|"
        r"this\b|its\b|what\b|which\b)",
        _whole,
        shape=_favourite_after,
        check=_not_least,
    ),
    pattern(
        "likes.is_favourite_too",
        "given",
        rf"(?:,|\b(?:and|but|so|because|though|think|say|since|as)\b|"
        rf"[a-z]\s+(?=\w+\s(?:is|are)\s))\s*"
        rf"(?=(?:[\w'&-]+\s){{1,4}}?(?<!\bit\s)(?<!\bthat\s)(?<!\bthis\s)"
        rf"{_IS_MINE.lstrip(chr(92) + 's')})(?:the\s+|a\s+)?"
        r"(?!it\b|that\b|they\b|my\b|i\b|this\b|its\b|what\b|which\b|these\b|those\b|and\b)",
        lists.things,
        shape=_favourite_after,
        check=_stands_alone,
        trust=IMPLIED,
    ),
    pattern(
        "likes.is_hobby",
        "open",
        r"(?:(?:\w+\s){1,3},\s*)?(?=[^.?!,]{2,40}?\s(?:is|are|has been|has always been|"
        r"s)\s+(?!not\b)(?:(?!not\b)"
        r"[\w ]{0,10}\s)?(?:one of\s+)?"
        rf"(?:my\s+(?:\w+\s+){{0,2}}?{_HOBBY}\b|an?\s+(?:\w+\s+)?{_HOBBY}\s+of\s+mine\b))(?:(?:yes|yeah|"
        rf"i think|well|to)\s+)*"
        r"(?!it\b|that\b|they\b|my\b|i\b|this\b)",
        lists.things,
        trust=IMPLIED,
        check=lambda m: not _LEAST.search(m.string[m.start() : m.end() + 60]),
    ),
    pattern(
        "likes.is_hobby_too",
        "given",
        r"\b(?=[a-z]{2,}ing\s(?:is|has been|has always been)\s(?:\w+\s)?my\s(?:\w+\s)?(?:hobby|"
        r"passion|"
        r"pastime|escape|obsession|addiction|(?:first|true|real) love)\b)",
        readers.choice(r"[a-z]{2,}ing\b"),
        trust=IMPLIED,
    ),
    pattern(
        "likes.what_i_like_is",
        "given",
        r"\b(?:what(?=\s+i\s)|bands?|gr(?:o?u)ps?|shows?|movies?|books?|foods?|games?|sports?|hobb(?:y|ies)|"
        r"artists?|"
        r"singers?|songs?|activit(?:y|ies)|animals?|colou?rs?|authors?|snacks?|"
        r"drinks?)\s+(?:that\s+)?i\s+"
        r"(?:really\s+|also\s+|do\s+)?(?:like|love|enjoy|prefer)(?:\s+(?:the\s+)?(?:most|best)|"
        r"\s+so much)?"
        r"\s+(?:is|are)\s+(?!not\b|that\b|when\b|how\b|it\b)",
        favourite_values.favourite,
        trust=IMPLIED,
    ),
    pattern(
        "likes.colour_before",
        "given",
        r"\b(?=(?:lime green|red|blue|green|yellow|orange|purple|pink|black|teal|turquoise)\s*,?\s*"
        rf"(?:(?:is|its|like|after|just like|which is)\s+)?my\s+(?:(?:\w+\s+)?{_FAV}\s+colou?r|"
        r"(?<=is my )colou?r)\b"
        r"(?!\s*,?\s*(?:is|are|was)?\s*(?:red|blue|green|yellow|orange|purple|pink|black|teal)\b))",
        readers.choice(
            r"(?:lime green|red|blue|green|yellow|orange|purple|pink|black|teal|turquoise)\b"
        ),
        trust=IMPLIED,
        shape=lambda _, value: f"{value} (favourite color)",
    ),
    pattern(
        "likes.favourite_run_on",
        "given",
        rf"(?<=[a-z]\s)(?<!not\s)(?<!of\s)(?<!and\s){MY_FAVOURITE}{_KIND}{_IS}",
        favourite_values.favourite,
        trust=IMPLIED,
        confidence=0.7,
        shape=_favourite,
        check=_kind_is_fit,
    ),
    pattern(
        "likes.is_what",
        "open",
        r"(?=[^.?!,]{2,30}?\s(?:is|are)\s+(?:what|something|the (?:kind|only thing|main group|"
        r"thing|best thing))\s+(?:that\s+)?i\s+(?:really\s+)?"
        r"(?:(?:have |'ve )?always (?:loved|liked|enjoyed)|like|love|enjoy|adore|do|listen|prefer|"
        r"watch|live for)\b)(?!it\b|that\b|this\b|"
        r"they\b|what\b)(?:but\s+|yes\s+|the\s+)*",
        lists.things,
        trust=IMPLIED,
    ),
    pattern(
        "likes.hobby_is",
        "open",
        r"(?:(?:one|some|most|two|three|a few|another) of\s+)?(?:my|"
        r"our)\s+(?:[\w-]+\s+){0,2}?(?:hobb(?:y|ies)|passions?|pass ?times?|"
        r"pastimes?|"
        r"interests?|obsession|guilty pleasure|escape|outlet|vice|jam|weakness|addiction|"
        r"specialty|true love|first love|drink of choice|go to(?: \w+)?)"
        r"(?:\s+(?:in life|right now|outside of work|too))?\s+(?:is|are|include|includes|was|"
        r"lies with)"
        r"\s+(?:also\s+|just\s+|to\s+)*",
        lists.things,
        confidence=0.95,
        slot="interests",
    ),
    pattern(
        "likes.hobby_of",
        "given",
        r"\b(?:love|passion|obsession|fondness|(?<=\ba )thing|affinity|appreciation|obsessing|"
        r"enthusiasm|"
        r"soft spot|weakness|sweet spot)\s+(?:for|of|with|over)\s+(?!you\b|it\b|him\b|her\b)",
        lists.things,
        trust=WEAK,
        confidence=0.75,
        check=lambda m: bool(
            re.search(
                r"\b(?:my|i|have|had|got)\b[^.?!]{0,25}$", m.string[: m.start()], re.IGNORECASE
            )
        ),
    ),
)
