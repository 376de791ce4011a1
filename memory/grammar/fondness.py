"""Families about likings that are said without the verb: "nothing beats a cold plum"."""

from __future__ import annotations

import re

from memory.grammar import favoured, lexicon, lists, readers
from memory.grammar.family import IMPLIED, WEAK, Family, family
from memory.grammar.readers import Found

# A pronoun, or a word that leads into a clause: then no thing is named.
NO_THING = (
    r"(?!(?:it|that|this|them|these|those|you|your|u|me|him|her|his|my|our|a (?:good|long|hard|"
    r"bad)\s+(?:day|night|week)|how|when|what|being|having|getting|the (?:fact|way|feeling|"
    r"look|idea))\b)"
)
SENSED = r"(?:(?:eating|watching|listening to|playing|drinking|reading|wearing)\s+)?"
_SO_LONG = (
    r"(?=[^.?!,]{2,50}?\s(?:all (?:day|night|year|the time|week)|every ?(?:single )?day|"
    r"every (?:single )?(?:meal|night|morning|weekend)|for (?:hours|days|ever|the rest of)|forever|"
    r"24/7|nonstop|non stop|daily|and never)\b)"
)
_KIND_OF_PERSON = r"(?:guy|gal|girl|man|woman|lady|dude|chick)"

# Words for somebody by what they are fond of.
_NAMED_FOR = {
    "bookworm": "books",
    "book worm": "books",
    "bibliophile": "books",
    "chocoholic": "chocolate",
    "chocaholic": "chocolate",
    "foodie": "food",
    "carnivore": "meat",
    "cinephile": "movies",
    "movie goer": "movies",
    "shopaholic": "shopping",
    "audiophile": "music",
    "gym rat": "gym",
    "beach bum": "beach",
    "ski bum": "skiing",
    "surf bum": "surfing",
    "adrenaline junkie": "adrenaline",
    "gearhead": "cars",
    "petrolhead": "cars",
    "homebody": "staying home",
    "trekkie": "star trek",
    "potterhead": "harry potter",
    "outdoorsman": "outdoors",
    "green thumb": "gardening",
    "thrill seeker": "thrills",
}
_NAMES = "|".join(sorted(_NAMED_FOR, key=len, reverse=True)).replace(" ", r"\s")


def _stands_for(_match: re.Match[str], value: str) -> str:
    return _NAMED_FOR[" ".join(value.lower().split())]


def _of_oneself(match: re.Match[str]) -> bool:
    """Whether "who loves stargazing" follows "I am a night owl", and not somebody else."""
    before = match.string[max(0, match.start() - 60) : match.start()]
    return bool(_I_AM_A.search(before))


_I_AM_A = re.compile(
    r"\b(?:i am|i'm|im|i m)\s+(?:\w+ly\s+|just\s+)?an?\s+(?:[\w'-]+\s+){1,5}$", re.IGNORECASE
)


def _would(match: re.Match[str]) -> bool:
    """Whether what one takes over another thing is what one would take, not what one could."""
    return bool(_WOULD.search(match.string, 0, match.start()))


_WOULD = re.compile(r"(?:\bwould|'d|\bid|\bi d)(?:\s+\w+)?\s+$", re.IGNORECASE)


def never_said(match: re.Match[str]) -> bool:
    """Whether what one would say no to is said never to be refused."""
    return bool(_NEVER.search(match.string, max(0, match.start() - 30), match.end()))


_NEVER = re.compile(r"\b(?:never|not|n't|cannot|cant|can t|no one|nobody|hard to)\b", re.IGNORECASE)


def _admired(text: str, start: int, end: int) -> list[Found]:
    """Who is looked up to, if it is nobody of the person's own."""
    found = lists.things(text, start, end)
    own = lexicon.KIN | lexicon.PET_WORDS
    return [one for one in found if not set(one.value.lower().split()) & own]


FAMILIES: tuple[Family, ...] = (
    family(
        "likes.how_i_love",
        "given",
        r"(?:\boh\s+|^\s*)how\s+(?:much\s+)?i\s+(?:do\s+)?(?:love|enjoy|adore|miss)\s+"
        rf"{NO_THING}{SENSED}",
        lists.things,
        trust=IMPLIED,
        confidence=0.8,
        check=lambda m: "miss" not in m[0].lower(),
    ),
    family(
        "likes.idol",
        "open",
        r"(?:(?:my|a)\s+(?:\w+\s+)?(?:idol|hero|role\s+model|celebrity\s+crush)\s+(?:is|has\s+always\s+been|"
        r"will\s+always\s+be)\s+|(?=(?:[\w'-]+\s){1,3}?(?:is|was|has\s+always\s+been|are)\s+(?:my\s+(?:\w+\s+)?(?:idols?|"
        r"hero(?:es)?|role\s+model|celebrity\s+crush|muse)|an?\s+(?:\w+\s+)?legend|the\s+goat)\b))"
        r"(?!(?:it|that|he|she|they|this|you|god|jesus|no|not|one|which|who|what|there|your|his|her|"
        r"my(?!\s+(?:\w+\s+)?(?:idol|hero|role|celebrity))|(?:my|a)?\s*(?:mom|dad|mother|father|grand\w+|brother|"
        r"sister|husband|wife|parents|uncle|aunt))\b)",
        _admired,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.idolizes",
        "verb",
        rf"(?:really\s+|absolutely\s+)*(?:look\s+up\s+to|idoli[sz]e|worship|admire|am\s+inspired\s+by)\s+"
        rf"{NO_THING}(?!god\b|jesus\b|people\b|the\s+lord|satan|and\b|with\b|at\b|in\b|women\b|men\b)",
        _admired,
        modes="now",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.best_ever",
        "open",
        r"(?:the\s+)?(?:best|greatest|coolest)\s+(?P<kind>band|movie|film|show|book|food|game|song|singer|team|sport|"
        r"season|animal|drink|snack|album|series|author|actor|color)s?\s+(?:ever(?:\s+made)?|"
        r"of\s+all\s+time|in\s+the\s+world|hands\s+down|by\s+far)?\s*(?:is|are|has\s+to\s+be|would\s+be|"
        r"=)\s+(?:definitely\s+|probably\s+|still\s+)*(?!(?:it|that|when|the\s+one|one|yours|not|"
        r"coming|on|in|at)\b)",
        favoured.favourite,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.nothing_beats",
        "open",
        r"(?:(?:there(?:'s|\s+is|s)|is)\s+)?(?:nothing\s+(?:is\s+)?(?:(?:quite\s+)?(?:beats|tops|like|"
        r"better\s+than|compares\s+to|can\s+(?:beat|top)|makes\s+me\s+happier\s+than)|"
        r"i\s+(?:like|love|enjoy)\s+(?:more|better)\s+than)|"
        r"(?:you|u|ya)\s+(?:just\s+)?(?:can\s?not|can't|cant|can\s+never|never)\s+(?:go\s+wrong\s+"
        r"with|beat))\s+(?:a\s+(?:good|nice|great)\s+)?(?:some\s+)?"
        rf"{NO_THING}{SENSED}",
        lists.things,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "likes.gotta_love",
        "open",
        r"(?:(?:you|i|ya|we)\s+)?(?:just\s+)?(?:got\s?ta|(?:have|has|'ve|got)\s+(?:got\s+)?to)\s+"
        rf"(?:love|have\s+my)\s+(?:a\s+(?:good|nice|great)\s+)?{NO_THING}",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.cheers",
        "open",
        r"(?:bring\s+on|long\s+live|three\s+cheers\s+for|"
        r"sign\s+me\s+up\s+for|all\s+hail)"
        rf"\s+(?:all\s+)?(?:the\s+)?{NO_THING}",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.all_day",
        "verb",
        rf"(?:eat|drink|watch|play|read|listen\s+to|live\s+on|wear|sing|dance\s+to|do)\s+{_SO_LONG}"
        rf"(?:the\s+)?{NO_THING}",
        readers.before(
            r"all|every|every ?day|for|forever|24/7|nonstop|non stop|daily|and never", 4
        ),
        modes="unreal",
        kind="statement",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "likes.never_refuse",
        "verb",
        r"(?:never\s+|not\s+)?(?:say\s+no\s+to|turn\s+down|pass\s+up(?:\s+on)?|go\s+wrong\s+with|"
        r"imagine\s+(?:my\s+)?(?:life|living|the\s+world)\s+without|function\s+without|"
        r"give\s+up|get\s+over\s+how\s+good|stop\s+(?=(?:eating|watching|playing|reading|"
        r"listening\s+to|drinking)\s))\s+"
        rf"(?:an?\s+)?(?:good\s+|nice\s+|great\s+|bowl\s+of\s+|cup\s+of\s+|glass\s+of\s+)*"
        rf"{NO_THING}{SENSED}",
        lists.things,
        modes="denied unreal",
        kind="statement",
        trust=WEAK,
        confidence=0.7,
        check=never_said,
    ),
    family(
        "likes.digging",
        "be",
        r"(?:really\s+|so\s+|totally\s+|always\s+)*(?:digging(?!\s+(?:through|in|into|up|out|for)\b)|diggin|obsessing\s+over|"
        r"geeking\s+out\s+(?:on|over)|(?:down|up|game)\s+for(?=[\w ]{2,30}?\s(?:any ?time|any "
        r"day))|attracted\s+to|devoted\s+to|loyal\s+to|hyped\s+(?:for|about)|stoked\s+about|"
        rf"happiest\s+(?:when\s+(?:i\s+am|i'm|im)\s+)?(?=[a-z]+ing\b|in\b|on\b|at\b)"
        rf"(?:(?:in|on|at)\s+)?)\s+{NO_THING}",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "interests.got_into",
        "verb be",
        r"(?:got|gotten|getting|get)\s+(?:really\s+|so\s+|more\s+|very\s+|back\s+|super\s+)*into\s+"
        r"(?!an?\b|the\b|my\b|our\b|trouble|college|school|it\b|that\b|bed\b|grad\b|law\b|med\b|"
        r"university|fights?\b|arguments?\b|accidents?\b|debt\b|shape\b|work\b|town\b|what\b|"
        r"this\b|them\b|some\b|any\b|college\b|car\b|medical\b|nursing\b)",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "interests.took_up",
        "verb be",
        r"(?:(?:took|taken|taking|take)\s+up|(?:picked|picking)\s+up(?=\s+(?:the\s+)?(?:[a-z]+ing\b|"
        r"guitar|piano|violin|drums|golf|tennis|yoga|chess|photography|banjo|ukulele|cello|flute)))"
        r"\s+(?!(?:too|so|most|all|much|a|an|space|time|it|that|residence|arms|my|your|"
        r"the (?:whole|"
        r"offer|space|room))\b)(?:the\s+)?",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "likes.has_my_heart",
        "given",
        r"\bmy\s+heart\s+(?:belongs\s+to|beats\s+for|is\s+with)\s+|"
        r"\b(?:what|something\s+that|one\s+thing\s+that)\s+makes\s+me\s+(?:so\s+|really\s+|"
        r"very\s+)?happy\s*,?\s*(?:is|are)\s+|"
        r"\bfor\s+my\s+(?:passion|hobby|love)\s*,?\s+(?=[a-z]+ing\b)",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.find_me",
        "given",
        r"\bfind\s+me\s+(?:(?:out|down)\s+)?(?:(?:at|in|on)\s+(?:the|a|my)\s+(?!house\b|home\b|office\b|"
        r"work\b|job\b|room\b|floor\b|middle\b|corner\b)|(?=[a-z]+ing\b))",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.people_of",
        "be",
        rf"(?:more\s+of\s+(?:an?|the)\s+|an?\s+(?:big\s+|huge\s+|real\s+|total\s+)+)"
        rf"(?=[\w-]+(?:\s[\w-]+)?\s{_KIND_OF_PERSON}\b)(?!(?:good|nice|tall|old|young|strong|ol|"
        r"fat|bad|time|dumb|happy|family|people|company|business|career|morning|private|quiet|"
        r"shy|black|white|straight|gay|one|ladies|ideas?|numbers|guy'?s?|girls?)\b)",
        readers.before(_KIND_OF_PERSON[3:-1], 2),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "likes.fan_here",
        "open",
        r"(?:(?:huge|big|massive|major|avid|real|long\s?time|lifelong|die\s?hard|total|fellow|"
        r"big\s+time)\s+)*(?=[\w'&-]+(?:\s[\w'&-]+){0,2}?\s(?:fan|lover|addict|nut|junkie|fanatic|"
        r"buff|geek|nerd|freak|enthusiast)\s+(?:here|over\s+here|right\s+here|for\s+(?:life|"
        r"sure))\b)(?!i\b|my\b|no\b|not\b|he\b|she\b|any\b|are\b|is\b|you\b|your\b|another\b)",
        readers.before("fan|lover|addict|nut|junkie|fanatic|buff|geek|nerd|freak|enthusiast"),
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "likes.named_for_it",
        "be",
        rf"(?:(?:an?|quite\s+(?:an?|the)|such\s+an?|the)\s+)(?:\w+\s+)?(?=(?:{_NAMES})\b)",
        readers.choice(rf"(?:{_NAMES})\b"),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
        shape=_stands_for,
    ),
    family(
        "likes.who_loves",
        "given",
        r"\b(?:who|that)\s+(?:also\s+|really\s+|just\s+|absolutely\s+)*(?:loves?|likes?|enjoys?|"
        rf"adores?)\s+{NO_THING}{SENSED}",
        lists.things,
        trust=IMPLIED,
        confidence=0.8,
        check=_of_oneself,
    ),
    family(
        "likes.over",
        "verb",
        r"(?:(?:any\s?day|rather|always|much)\s+)*(?:take|choose|pick|have)\s+(?:an?\s+|some\s+|the\s+)?"
        rf"(?=[^.?!,]{{2,40}}?\s+over\s+(?!(?:the|lunch|dinner|there|here|my|to)\b)\w){NO_THING}",
        lists.things,
        modes="unreal",
        kind="statement",
        trust=WEAK,
        confidence=0.7,
        check=_would,
    ),
    family(
        "likes.such_things",
        "verb be",
        r"(?:like|love|enjoy|into|prefer|play|watch|read|eat|collect|listen\s+to|fan\s+of|adore)\s+"
        r"(?:[\w-]+\s+){0,3}?(?:things?|stuff|activities|hobbies|foods?|sports|games|shows|movies|"
        r"films|music|bands|artists|books|animals|authors|drinks|genres|series|singers|"
        r"musicians|snacks|colors|desserts|dishes|fruits?|veggies|vegetables|places)\s*,?\s+"
        r"(?:such\s+as|like|e\.g\.|including)\s+(?!you\b|me\b|that\b|this\b|it\b|i\b|these\b|"
        r"those\b|them\b|a\s+(?:lot|kid|child)|crazy\b|mad\b|him\b|her\b|my\b|your\b)",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "likes.like_me",
        "given",
        r"\b(?:lov(?:e|ing)|like|enjoy|into)\s+(?=[\w' ]{2,40}?\s(?:as\s+much\s+as|just\s+like|"
        r"like|"
        r"the\s+(?:same\s+)?way)\s+(?:me|i\s+(?:do|am|love|like))\b)(?:the\s+)?"
        rf"{NO_THING}{SENSED}",
        lists.things,
        trust=WEAK,
        confidence=0.7,
        check=lambda m: not re.search(r"\b(?:not|n't|never|don t)\s+$", m.string[: m.start()]),
    ),
    family(
        "likes.when",
        "given",
        r"\bi\s+(?:really\s+|just\s+|do\s+|absolutely\s+|also\s+)*(?:love|like|enjoy|adore)\s+(?:it\s+)?"
        r"(?=when\s+(?!i\b|you\b|he\b|she\b|that\b|my\b|we\b|it\b))",
        lists.anything(9, r"[.!?,;\n\u2592]|\b(?:because|but|if|since|so|lol|and)\b"),
        trust=IMPLIED,
        confidence=0.75,
    ),
)
