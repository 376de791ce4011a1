"""Patterns about what somebody likes."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.patterns.person import identity
from memory.language.values import lists

VERY = r"(?:(?:really|absolutely|also|just|very|much|totally|pretty|quite|super|such)\s+)*"
_BIG = r"(?:(?:big|huge|massive|major|avid|real|great|die hard|hardcore|long ?time)\s+)*"
FAN = (
    rf"{VERY}(?:an?\s+)?{_BIG}(?:fan\s+of|fond\s+of|crazy\s+(?:about|for)|obsess(?:ed)?\s+(?:with|"
    rf"over)|"
    r"keen\s+on|a?\s*lover\s+of|addicted\s+to|a sucker for|in love with|partial to|hooked on|"
    r"nuts about|(?:feel|felt)\s+(?:very\s+|so\s+|really\s+)?(?:strongly|"
    r"passionate(?:ly)?)\s+about)"
)
INTO = (
    rf"{VERY}(?:(?:more|super|totally|heavily|all)\s+)*(?:into|interested\s+in|"
    rf"passionate\s+about|"
    r"fascinated\s+(?:by|with)|all about|big on|excited about|active in|intrigued by|drawn to)"
)
SENSES = (
    rf"(?:(?:listening\s+to|watching(?!{lists.LIVE})|eating|drinking|reading|playing(?:\s+(?:the|"
    rf"some))?|wearing|enjoying|"
    r"(?:to\s+)?(?:eat|drink|wear|listen to|watch|read|play(?: the)?))\s+(?!with\b|to\b|on\b|"
    r"in\b|at\b|outside\b|outdoors\b|around\b|out\b|about\b|while\b|alone\b))?"
)
_NO_SIMILE = (
    r"(?!being\b|living\b|when (?:you|he|she|they)\b|how\b|your\b|that (?:you|idea)\b|"
    r"to (?:think|say|know|be(?!\s+(?:outdoors|outside|alone|around|active|in|on|by|at|near|"
    r"with)\b)|see (?:you|it|that)|hear|meet|ask|talk to you)\b)"
)
# What one prefers of work and of words is a preference, not a taste.
NO_STYLE = (
    r"(?!(?:[\w' -]{1,60}?\s)?(?:over|rather|instead|than|answers?|replies|responses?|"
    r"explanations?|"
    r"remote\w*|working|mode|mornings?|emails?|summar\w+|python|meetings?|when|if)\b|to\b|not\b|it\b|"
    r"that\b|you\b)"
)


def _goes_on_liking(match: re.Match[str]) -> bool:
    """Whether "especially plums" comes right after words of liking."""
    before = match.string[max(0, match.start() - 60) : match.start()]
    return bool(_LIKING.search(before))


_LIKING = re.compile(
    r"\b(?:love|like|enjoy|into|fan|prefer|listen|watch|read|eat|fav\w*|do|me too|"
    r"same(?: here)?|agreed?)\b",
    re.IGNORECASE,
)


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "likes.like",
        "verb",
        r"(?:really\s+|do\s+)?(?:like|likes|lo+ve|loves|adore|liked|loved|am in love with|fancy|"
        r"lov|luv|dig)\s+(?:love\s+(?=\w{3}|me\s))?(?:me\s+(?:some|a)\s+)?"
        rf"{_NO_SIMILE}(?:(?:best|better|only|just|mainly|mostly)\s+)?{SENSES}(?!being|living)",
        lists.things,
        modes="now past",
    ),
    pattern(
        "likes.fan",
        "be verb",
        rf"{FAN}\s+",
        lists.things,
        modes="now past",
    ),
    pattern(
        "likes.anything",
        "verb be",
        r"(?:like|love|enjoy|prefer|eat|watch|read|collect|into|adore)\s+(?:anything|"
        r"everything|all things)\s+(?:that\s+is\s+|that\s+has\s+|"
        r"related\s+to\s+|with\s+|about\s+|to\s+do\s+with\s+|in\s+|made\s+of\s+|involving\s+|"
        r"from\s+)?(?!else\b|except\b|but\b|i\b|"
        r"you\b|that\b|besides\b|other\b|like\b|really\b|they\b|we\b)",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "likes.being",
        "verb",
        r"(?:like|love|enjoy|prefer|adore)\s+(?=being\s+(?:outside|outdoors|outside|alone|"
        r"inside|in|on|at|by|near|around|"
        r"with|a|an|active|lazy|creative|busy|single|home|free|weird|myself|social|healthy)\b|"
        r"having\s+(?:my|a|an|the|fun|people|"
        r"friends|family|company|time|money|guests|parties)\b|living\s+(?:alone|here|in|on|by|"
        r"near|at)\b)(?!living here\b)",
        lists.pastime_phrase,
        modes="now",
        confidence=0.8,
    ),
    pattern(
        "likes.getting",
        "verb",
        r"(?:like|love|enjoy|prefer|adore)\s+(?=getting\s+(?!to\b|it\b|you\b|that\b|into\b|away\b)"
        r"\w+\s+\w)",
        lists.pastime_phrase,
        modes="now",
        confidence=0.8,
    ),
    pattern(
        "likes.would_rather",
        "open",
        r"i(?:'d| would|d)\s+(?:much\s+|really\s+)?rather\s+(?:be\s+|go\s+|have\s+|just\s+|"
        r"stay\s+)*(?=[a-z]+ing\b|surf|swim|dance|read|cook|hike|fish|watch|play|eat|drink|draw|"
        r"paint|sing|(?:in|at|on|by|near) the\s|outside|outdoors|up late|listen|ride|sleep|camp|"
        r"get (?:my|a|an|some)\s)(?:(?:in|at|on|by|near) the\s+(?![a-z]+\s[a-z]+ing\b))?",
        lists.things,
        trust=WEAK,
        confidence=0.65,
        slot="interests",
    ),
    pattern(
        "likes.prefer",
        "verb",
        rf"(?:much\s+)?prefer\s+(?:the\s+|a\s+|an\s+|some\s+|my\s+)*{SENSES}{NO_STYLE}",
        lists.things,
        modes="now past",
        confidence=0.85,
        trust=IMPLIED,
        check=lambda m: not identity.prefers_a_name(m),
    ),
    pattern(
        "likes.have_thing",
        "verb",
        r"(?:have|got|do have)\s+(?:an?\s+|this\s+|such an?\s+|always had "
        r"a\s+)?(?:\w+\s+)?(?:passion|love|obsession|thing|"
        r"soft spot|weakness|fondness|addiction|fascination|crush)\s+(?:for|with|to|on|of)\s+",
        lists.things,
        modes="now",
        trust=IMPLIED,
    ),
    pattern(
        "interests.enjoy",
        "verb",
        rf"(?:enjoy|enjoyed|enjoys|enjoying|find joy in|appreciate)\s+{SENSES}(?!talking to "
        rf"you|chatting)",
        lists.things,
        modes="now past",
    ),
    pattern(
        "interests.into",
        "be verb",
        rf"{INTO}\s+{SENSES}(?!it\b|town\b|work\b)",
        lists.things,
        modes="now past",
    ),
    pattern(
        "likes.not_any_more",
        "verb",
        r"(?:like|love)\s+(?=.{1,60}(?:any ?more|any longer)\b)",
        lists.things,
        modes="denied",
        kind="denial",
    ),
    pattern(
        "likes.is_great",
        "open",
        r"(?:(?:\w+\s){1,3},\s*)?(?=[\w ]{2,30}?\s(?:(?:rocks?|rules?|for the win|ftw|"
        r"all the way)|(?:is|are|s)\s+(?:(?:so|just|really|pretty|"
        r"always|definitely|very|"
        r"simply|also|absolutely|by far)\s+)*"
        r"(?:where (?:it is|it s|its|it's) at|(?:the\s+)?(?:best|greatest|bomb|goat)(?:\s+(?:book|"
        r"movie|show|series|band|song|singer|"
        r"food|"
        r"drink|game|thing|sport|season|feeling|animals?|pets?)s?)?|awesome|amazing|delicious|"
        r"(?<=s are )(?:so |really |pretty |very )?(?:cool|neat|cute)|"
        r"yummy|fantastic|my "
        r"(?:life|world|everything)|life|"
        r"a (?:great|good|fun) (?:hobby|time|stress reliever)|an? (?:great|awesome|amazing|"
        r"fantastic) (?:movie|book|show|"
        r"game|band|song|sport|series|film|artist|singer)|relaxing|lots of fun|(?:so much |"
        r"a lot of )?fun))\s*"
        r"(?:$|[.!,]|and\b|but\b|though\b|too\b|to me\b|ever\b|i\b|especially\b))"
        r"(?:(?:yes|yeah|well|the|a|i think|eating|watching|listening to|playing)\s+)*"
        r"(?!(?:it|its|that|they|this|he|she|you|your|i|life|there|which|what|those|these|we|"
        r"everything|yours|who|mine|"
        r"things|work|sounds?|all|my|his|her|their|our|how|now|not|nothing|weather|name|today|"
        r"day|anything|one|some|being|people|kids|idea|world)\b|thats)",
        lists.things,
        trust=0.6,
        confidence=0.65,
    ),
    pattern(
        "likes.fills_time",
        "open",
        r"(?=(?:(?!i\b)\w+ ){1,7}?(?:takes? up (?:most|all|much|a lot|so much) of my (?:free |"
        r"spare )?time|"
        r"makes? me (?:so |really |very )?happy|(?:calms?|relaxes) me|helps? me (?:relax|"
        r"unwind|destress|"
        r"calm down)|(?:is|are) (?:very |so |really )?important to me|means? (?:a lot|"
        r"the world|everything) to me)\b)(?!(?:it|its|that|they|this|he|she|you|your|i|there|"
        r"which|what|those|these|we|"
        r"my|his|her|their|our|work|working|school|being|seeing|everything|nothing|god|kids)\b)",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    pattern(
        "likes.especially",
        "given",
        r"\b(?:especially|particularly|specially|such as)\s+(?:watching\s+|eating\s+|listening "
        r"to\s+|the ones\s+|(?:love|like|enjoy)\s+)?(?!when\b|if\b|since\b|in\b|with\b|on\b|"
        r"at\b|for\b|after\b|"
        r"because\b|my (?:mom|dad|wife|husband)\b|as\b|you\b|how\b|that\b|during\b)",
        lists.things,
        trust=WEAK,
        confidence=0.7,
        check=_goes_on_liking,
    ),
    pattern(
        "likes.mostly",
        "open",
        r"(?:but\s+|though\s+)?(?:mostly|mainly|preferably|usually)\s+(?!when\b|if\b|since\b|in\b|"
        r"with\b|on\b|at\b|for\b|after\b|because\b|just\b|to\b|by\b|from\b|my\b|as\b|you\b|"
        r"how\b|that\b|i\b|we\b|it\b|the (?:same|weekends?)\b|about\b|around\b|during\b|alone\b|"
        r"home\b|[a-z]+ly\b|[a-z]+ed\b)",
        lists.things,
        trust=WEAK,
        confidence=0.7,
        check=lambda m: _goes_on_liking(m) and "?" not in m.string[: m.start()][-60:],
    ),
)
