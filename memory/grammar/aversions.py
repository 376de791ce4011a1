"""Families about dislikes that are said without the verb: "I could do without the noise"."""

from __future__ import annotations

import re

from memory.grammar import lists, pursuits, readers, vocabulary
from memory.grammar.family import IMPLIED, WEAK, Family, family
from memory.grammar.fondness import NO_THING, SENSED, never_said

_TOWARDS = re.compile(
    r"\b(?:so|really|totally|completely|just|absolutely|pretty much|officially|way)\s+$",
    re.IGNORECASE,
)
_HARD_TO_BEAR = (
    rf"(?:heights|horror|gore|crowds?|caffeine|dairy|blood|needles|heat|cold|spic\w+|scary|"
    rf"roller\s?coasters|bugs|insects|spiders|snakes|clowns|mornings|winters?|drama|"
    rf"small\s+talk|{vocabulary.FOODS})"
)


def _flatly(match: re.Match[str]) -> bool:
    """Whether "over it" is the being tired of a thing, and no place."""
    return bool(_TOWARDS.search(match.string, 0, match.start()))


def _does_so(match: re.Match[str]) -> bool:
    """Whether one keeps away or tries to, and not only would or should."""
    return not _SHOULD.search(match.string, 0, match.start())


_SHOULD = re.compile(
    r"(?:\b(?:would|could|should|might|will|can|must|may|to)|'d|'ll)\s+$", re.IGNORECASE
)


FAMILIES: tuple[Family, ...] = (
    family(
        "dislikes.could_do_without",
        "verb",
        r"(?:(?:easily|happily|totally|really|definitely)\s+)*(?:do|live)\s+(?:just\s+fine\s+)?"
        rf"without\s+(?:the\s+|all\s+the\s+|all\s+)?{NO_THING}",
        lists.things,
        modes="unreal",
        kind="statement",
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: not never_said(m),
    ),
    family(
        "dislikes.nervous",
        "be verb",
        r"(?:(?:get|feel|become)\s+)?(?:(?:so|very|really|too|kind\s+of|a\s+bit|a\s+little)\s+)*(?:nervous|"
        r"anxious|uncomfortable|uneasy|claustrophobic|queasy|miserable|freaked\s+out)\s+(?:in|around|on|near|"
        rf"by|when\s+it\s+comes\s+to|at)\s+(?:the\s+)?{NO_THING}(?!home\b|first\b|work\b|times\b|"
        r"least\b|night\b|all\b)",
        lists.things,
        modes="now",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.finds",
        "verb",
        r"(?:find|think|consider)\s+(?:that\s+)?(?=(?:[\w'-]+\s){1,4}?(?:(?:is|are|to\s+be)\s+)?(?:so\s+|very\s+|"
        r"really\s+|quite\s+|pretty\s+|just\s+|too\s+|kind\s+of\s+|super\s+)*(?:boring|annoying|gross|disgusting|"
        r"overrated|creepy|tedious|nasty|lame|stupid|irritating|pointless|terrifying|dull)\b)"
        rf"(?!i\b|he\b|she\b|they\b|we\b|people\b|most\b|life\b|work\b|things?\b|something\b|"
        rf"someone\b|a\s|an\s|it's|its\b|so\b|there\b|who\b){NO_THING}(?:the\s+)?",
        readers.before(
            r"is|are|to be|so|very|really|quite|pretty|just|too|kind|super|boring|annoying|gross|"
            r"disgusting|"
            r"overrated|creepy|tedious|nasty|lame|stupid|irritating|pointless|terrifying|dull"
        ),
        modes="now",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.will_not",
        "verb",
        r"(?:refuse\s+to\s+|(?:never|not)\s+(?:ever\s+)?)(?:eat|touch|drink|watch|listen\s+to|wear)\s+"
        rf"(?:any\s+)?{NO_THING}(?!out\b|at\b|in\b|on\b|alone\b|anything\b|again\b|too\b|much\b|"
        r"enough\b|with\b|until\b|what\b|and\b)",
        lists.things,
        modes="now unreal",
        kind="statement",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.no_fan",
        "be verb",
        r"(?:no\s+(?:big\s+|great\s+|huge\s+)?(?:fan|lover|friend)\s+of|(?:have|got)\s+no\s+(?:use|room|"
        r"tolerance|desire|appetite|stomach)\s+for|(?:so\s+|really\s+|totally\s+)*done\s+with(?!\s+(?:school|"
        r"work|class\w*|college|finals|exams|homework|dinner|lunch|breakfast|high)))\s+"
        rf"(?!the\b){NO_THING}{SENSED}",
        lists.things,
        modes="now",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.anything_but",
        "given",
        r"(?:^|(?<=[.!?,] )|\bi\s+(?:will|would|can|could|'ll|ll)\s+(?:eat|drink|watch|"
        r"listen\s+to|play|"
        r"read|wear|try)\s+)(?:pretty\s+much\s+|almost\s+|just\s+about\s+)?(?:anything|everything)\s+"
        r"(?:but|except(?:\s+for)?|other\s+than|besides|apart\s+from)\s+(?:maybe\s+|not\s+)?"
        rf"(?!i\b|what\b|when\b|for\b|else\b){NO_THING}",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.when",
        "given",
        r"\bi\s+(?:really\s+|just\s+|do\s+|absolutely\s+|also\s+)*(?:hate|dislike|despise|detest|"
        r"(?:can't|cannot|cant|can\s+not)\s+stand)\s+(?:it\s+)?(?=when\s+(?!i\b|you\b|he\b|she\b|that\b|my\b))",
        lists.anything(7, r"[.!?,;\n\u2592]|\b(?:because|but|if|since|so|lol|and)\b"),
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "dislikes.over_it",
        "be",
        rf"over\s+(?:the\s+|all\s+the\s+)?(?!here\b|there\b|\d|the\b|moon|forty|thirty|fifty|"
        rf"eighteen|twenty|sixty|qualified|weight){NO_THING}",
        lists.things,
        modes="now",
        trust=WEAK,
        confidence=0.7,
        check=_flatly,
    ),
    family(
        "dislikes.ugh",
        "open",
        r"(?:eww+\s*,?|ew ,|ew,|ew(?= )(?=.[a-z])|yuck\s*,?|blech\s*,?|bleh\s*,?|ick(?: ,? ?|"
        r",\s*)|barf\s*,?|"
        r"no\s+thanks\s+to|no\s+thank\s+you\s+to|down\s+with|death\s+to)\s+"
        r"(?=[a-z' -]{3,30}\s*$|[a-z' -]{3,30}\s*[.!])"
        r"(?!i\b|he\b|she\b|how\b|no\b|not\b|so\b|yes\b|sorry\b|about\b|what\b|why\b|who\b|"
        rf"gross\b|we\b|they\b|there\b|just\b|all\b|thank|sounds?\b){NO_THING}",
        lists.things,
        trust=WEAK,
        confidence=0.65,
    ),
    family(
        "dislikes.ugh_after",
        "open",
        r"(?=[a-z' -]{3,25}?\s*[,.]*\s+(?:ugh|yuck|eww|blech|barf|bleh)\w*\s*$)"
        r"(?!i\b|he\b|she\b|how\b|no\b|not\b|so\b|yes\b|oh\b|what\b|why\b|who\b|that\b|it\b|but\b|"
        r"and\b|we\b|they\b|there\b|this\b|you\b|my\b|me\b|is\b|are\b)",
        lists.things,
        trust=WEAK,
        confidence=0.65,
        check=lambda m: len(m.string[m.end() :].split(",")[0].split()) < 5,
    ),
    family(
        "dislikes.no_person_of",
        "be",
        r"(?:(?:much|really|exactly)\s+(?:of\s+)?)*(?:an?|the)\s+(?:big\s+|huge\s+|real\s+|very\s+|"
        r"much\s+of\s+an?\s+)*"
        r"(?=[\w-]+(?:\s[\w-]+)?\s(?:person|guy|gal|eater|drinker|lover|watcher|enthusiast)\b)"
        r"(?!(?:good|nice|bad|big|people|morning|family|happy|mean|real|very|great|social|young|"
        r"tall|old|healthy|evil|religious|busy|normal|violent|patient|jealous|one|quiet|shy|"
        r"creative|homeless|dumb|smart|terrible|horrible|picky|spiritual|famous|rich|light|heavy|typical|average|"
        r"outgoing|emotional|night|touchy|funny|fun|popular)\b)",
        pursuits.before_lover,
        modes="denied",
        kind="statement",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "dislikes.keep_away",
        "verb",
        r"(?:to\s+)?(?:avoid|steer\s+clear\s+of|(?:stay|keep|"
        r"shy|run)\s+(?:far\s+)?(?:away|clear)\s+from|stay\s+clear\s+of|can't\s+be\s+around)\s+"
        rf"(?!the\b|people\b|eye\b|going\b|talking\b|any\b){NO_THING}{SENSED}",
        lists.things,
        modes="now unreal",
        kind="statement",
        trust=WEAK,
        confidence=0.7,
        check=_does_so,
    ),
    family(
        "dislikes.keep_me_away",
        "open",
        rf"(?:please\s+)?(?:keep\s+(?:me|those|the)?\s*(?:far\s+)?away\s+from|spare\s+me)\s+"
        rf"(?:the\s+|from\s+)?{NO_THING}",
        lists.things,
        trust=WEAK,
        confidence=0.7,
        check=lambda m: " me" in m[0].lower(),
    ),
    family(
        "dislikes.cannot_do",
        "verb",
        rf"(?:do\ |touch\s+|handle\s+|go\s+near\s+)(?=(?:[\w-]+\s+){{0,2}}?{_HARD_TO_BEAR}\b)"
        rf"{NO_THING}(?!any\b|much\b|well\b)",
        lists.things,
        modes="denied",
        kind="statement",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.rather_die",
        "open",
        r"i(?:'d|\s+would|d)\s+(?:much\s+)?rather\s+(?:die|starve|do\s+anything|"
        r"jump\s+off[\w ]+)\s+"
        r"than\s+(?:eat|drink|watch|listen\s+to|wear|play|read|go\s+to)?\s*",
        lists.things,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "dislikes.point_of",
        "verb",
        r"(?:really\s+)?(?:see|get|understand)\s+the\s+(?:point|appeal|hype|attraction)\s+"
        rf"(?:of|in|with|about|around)\s+{NO_THING}",
        lists.things,
        modes="denied",
        kind="statement",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.never_for_me",
        "open",
        rf"(?:i(?:'ve|\s+have|ve)?\s+)?never\s+(?:(?:really|much)\s+)*(?:been\s+(?:much\s+of\s+an?\s+|"
        rf"a\s+(?:big\s+|huge\s+)?)?"
        rf"(?:fan\s+of|into|keen\s+on|big\s+on|fond\s+of)|liked|cared\s+(?:much\s+)?for|"
        rf"got(?:ten)?\s+into|understood\s+the\s+appeal\s+of|enjoyed)\s+{NO_THING}{SENSED}",
        lists.things,
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "dislikes.me_out",
        "open",
        r"(?=(?:[\w'-]+\s){1,4}?(?:freaks?|weirds?|gross(?:es)?|stress(?:es)?|creeps?)\s+me\s+out\b|"
        r"(?:[\w'-]+\s){1,4}?(?:gives?\s+me\s+(?:the\s+(?:creeps|willies|chills)|anxiety|nightmares)|"
        r"drives?\s+me\s+(?:crazy|nuts|insane|up\s+the\s+wall|mad)|gets?\s+on\s+my\s+nerves))"
        r"(?!(?:it|that|they|this|these|those|he|she|you|what|which|who|my|his|her|your|i|and|but|"
        r"people|who|life|so|because|always|always|sometimes|kids)\b)(?:the\s+|yeah\s+)*",
        readers.before(
            r"freaks?|weirds?|gross(?:es)?|stress(?:es)?|creeps?|gives?|drives?|gets?", 4
        ),
        trust=WEAK,
        confidence=0.7,
    ),
)
