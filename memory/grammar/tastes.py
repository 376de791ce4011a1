"""Families about likes and dislikes."""

from __future__ import annotations

import re

from memory.grammar import lists, person, readers
from memory.grammar.family import IMPLIED, WEAK, Family, family

_VERY = r"(?:(?:really|absolutely|also|just|very|much|totally|pretty|quite|super|such)\s+)*"
_BIG = r"(?:(?:big|huge|massive|major|avid|real|great|die hard|hardcore|long ?time)\s+)*"
_FAN = (
    rf"{_VERY}(?:an?\s+)?{_BIG}(?:fan\s+of|fond\s+of|crazy\s+(?:about|for)|obsess(?:ed)?\s+(?:with|"
    rf"over)|"
    r"keen\s+on|a?\s*lover\s+of|addicted\s+to|a sucker for|in love with|partial to|hooked on|"
    r"nuts about|(?:feel|felt)\s+(?:very\s+|so\s+|really\s+)?(?:strongly|"
    r"passionate(?:ly)?)\s+about)"
)
_INTO = (
    rf"{_VERY}(?:(?:more|super|totally|heavily|all)\s+)*(?:into|interested\s+in|"
    rf"passionate\s+about|"
    r"fascinated\s+(?:by|with)|all about|big on|excited about|active in|intrigued by|drawn to)"
)
_SENSES = (
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
_FEAR = (
    r"(?:(?:terribly|really|very|so|kind of|deathly|also|too|terrified|a little|a bit|totally)"
    r"\s+)*"
    r"(?:afraid|scared|terrified|scared straight|frightened|sick and tired|sick|tired|petrified|"
    r"deathly afraid)\s+(?:of|by)\s+(?!it\b|you\b|this\b|that\b|being\b|my\b)"
)

# What one prefers of work and of words is a preference, not a taste.
NO_STYLE = (
    r"(?!(?:[\w' -]{1,60}?\s)?(?:over|rather|instead|than|answers?|replies|responses?|"
    r"explanations?|"
    r"remote\w*|working|mode|mornings?|emails?|summar\w+|python|meetings?|when|if)\b|to\b|not\b|it\b|"
    r"that\b|you\b)"
)


# "I was not passionate about it": that was then.
_THEN_NOT = re.compile(
    r"\b(?:did not|did n[o']?t|didn ?['’]?t|was not|wasn ?['’]?t|were not|weren ?['’]?t|had not)"
    r"(?:\s\w+ly)*\s*$",
    re.IGNORECASE,
)


def _still_so(match: re.Match[str]) -> bool:
    """Whether a dislike is told as one of today."""
    return not _THEN_NOT.search(match.string[max(0, match.start() - 40) : match.start()])


def _goes_on_liking(match: re.Match[str]) -> bool:
    """Whether "especially plums" comes right after words of liking."""
    before = match.string[max(0, match.start() - 60) : match.start()]
    return bool(_LIKING.search(before))


_LIKING = re.compile(
    r"\b(?:love|like|enjoy|into|fan|prefer|listen|watch|read|eat|fav\w*|do)\b", re.IGNORECASE
)


FAMILIES: tuple[Family, ...] = (
    family(
        "likes.like",
        "verb",
        r"(?:really\s+|do\s+)?(?:like|likes|lo+ve|loves|adore|liked|loved|am in love with|fancy|"
        r"lov|luv|dig)\s+(?:love\s+(?=\w{3}|me\s))?(?:me\s+(?:some|a)\s+)?"
        rf"{_NO_SIMILE}(?:(?:best|better|only|just|mainly|mostly)\s+)?{_SENSES}(?!being|living)",
        lists.things,
        modes="now past",
    ),
    family(
        "likes.heart",
        "verb",
        r"(?:<3+|\u2764\ufe0f?|\u2665\ufe0f?)\s+(?!u\b|you\b|it\b|this\b|that\b|him\b|her\b|them\b)",
        lists.things,
        modes="now",
        confidence=0.85,
    ),
    family(
        "likes.fan",
        "be verb",
        rf"{_FAN}\s+",
        lists.things,
        modes="now past",
    ),
    family(
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
    family(
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
    family(
        "likes.rather_be",
        "given",
        r"\b(?:give|gimme)\s+me\s+(?:an?\s+|some\s+|the\s+)(?=[\w ]{2,25}?\s+any\s?(?:day|time))",
        readers.before("any ?day|any ?time|any"),
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.would_rather",
        "open",
        r"i(?:'d| would|d)\s+(?:much\s+|really\s+)?rather\s+(?:be\s+|go\s+|have\s+|just\s+|"
        r"stay\s+)*(?=[a-z]+ing\b|surf|swim|dance|read|cook|hike|fish|watch|play|eat|drink|draw|"
        r"paint|sing)",
        lists.things,
        trust=WEAK,
        confidence=0.65,
        slot="interests",
    ),
    family(
        "likes.prefer",
        "verb",
        rf"prefer\s+(?:the\s+|a\s+|an\s+|some\s+|my\s+)*{_SENSES}{NO_STYLE}",
        lists.things,
        modes="now past",
        confidence=0.85,
        trust=IMPLIED,
        check=lambda m: not person.prefers_a_name(m),
    ),
    family(
        "likes.have_thing",
        "verb",
        r"(?:have|got|do have)\s+(?:an?\s+|this\s+|such an?\s+|always had "
        r"a\s+)?(?:\w+\s+)?(?:passion|love|obsession|thing|"
        r"soft spot|weakness|fondness|addiction|fascination|crush)\s+(?:for|with|to|on|of)\s+",
        lists.things,
        modes="now",
        trust=IMPLIED,
    ),
    family(
        "likes.cant_live_without",
        "verb",
        r"(?:never\s+)?(?:(?:live|go a day|do|survive|start (?:my|the) day)\s+without|"
        r"get enough(?:\s+of)?|"
        r"get (?:tired|sick|bored) of|"
        r"resist|beat|"
        r"wait (?:for|to (?:see|eat|drink|play|watch|read|try|ride|go(?=\s+\w+ing\b))))\s+"
        r"(?:a\s+|my\s+|some\s+|more\s+)?",
        lists.things,
        modes="denied unreal",
        kind="statement",
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "interests.enjoy",
        "verb",
        rf"(?:enjoy|enjoyed|enjoys|enjoying|find joy in|appreciate)\s+{_SENSES}(?!talking to "
        rf"you|chatting)",
        lists.things,
        modes="now past",
    ),
    family(
        "interests.into",
        "be verb",
        rf"{_INTO}\s+{_SENSES}(?!it\b|town\b|work\b)",
        lists.things,
        modes="now past",
    ),
    family(
        "dislikes.hate",
        "verb",
        r"(?:really\s+)?(?:hate|hates|dislike|despise|detest|loathe|hated|disliked|fear|dread|"
        r"am allergic to)\s+"
        r"(?:eating\s+|watching\s+|listening to\s+|the taste of\s+|it "
        r"when\s+|(?:having|to have) to\s+)?(?!that\b|when\b|never\b|"
        r"to (?:say|tell|hear|admit|break)\b)",
        lists.things,
        modes="now past",
    ),
    family(
        "dislikes.dont_like",
        "verb",
        r"(?:really\s+|much\s+|even\s+|particularly\s+)?(?:like|love|enjoy|stand|liked|enjoyed|"
        r"get into|"
        r"cared?\s+(?:much\s+|too much\s+)?(?:for|about)|bear|"
        r"tolerate|handle|do well with|appreciate|deal with)\s+"
        r"(?:eating\s+|watching\s+|listening to\s+|the taste of\s+|to "
        r"eat\s+)?(?:any\s+)?(?!your\b|that you\b)",
        lists.things,
        modes="denied",
        kind="statement",
        check=_still_so,
    ),
    family(
        "dislikes.not_fan",
        "be verb",
        rf"(?:{_FAN}|{_INTO})\s+{_SENSES}",
        lists.things,
        modes="denied",
        kind="statement",
        check=_still_so,
    ),
    family(
        "dislikes.afraid",
        "be",
        _FEAR,
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "dislikes.my_fear",
        "given",
        r"\b(?:my|a|have a|have an? \w+)\s+(?:fear|hatred|phobia|dislike|irrational fear|"
        r"biggest fear|aversion|(?:\w+ )?disdain|distaste)\s+"
        r"(?:is|of|for|to|are|towards?)\s+",
        lists.things,
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: " is" not in m[0] or m[0].lower().startswith("my"),
    ),
    family(
        "dislikes.except",
        "given",
        r"\bi\s+(?:(?:really|do|also|just|absolutely|am|pretty much)\s+)*(?:like|love|enjoy|"
        r"eat|into|listen to|watch|read|play)\s+"
        r"(?:pretty much\s+|almost\s+|just about\s+)?(?:everything|anything|all(?= but\b)|"
        r"(?:any|all|most|every)\s+(?:\w+\s+){0,3}?\w+)\s*,?\s*"
        r"(?:except(?:\s+for)?|other than|apart from|aside from|besides|but(?=\s+\w+\s*(?:$|"
        r"[.,!])))\s+(?:maybe\s+|not\s+)?",
        lists.things,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "dislikes.anything",
        "verb",
        r"(?:hate|dislike|despise|detest|loathe)\s+(?:anything|everything|all "
        r"things)\s+(?:that\s+is\s+|related\s+to\s+|with\s+|"
        r"about\s+|to\s+do\s+with\s+|from\s+|involving\s+)",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "dislikes.no_interest",
        "verb be",
        r"(?:(?:have|got)\s+(?:no|zero|little)\s+(?:interest\s+in|love\s+for|time\s+for|"
        r"patience\s+for)|"
        r"turned off by|grossed out by|creeped out by|bored (?:by|with|of)|disgusted by|annoyed by|"
        r"terrified by|sick (?:and tired )?of|tired of|over)\s+(?!it\b|you\b|this\b|that\b|"
        r"here\b|\d)",
        lists.things,
        modes="now",
        trust=WEAK,
        confidence=0.7,
        check=lambda m: not m[0].lower().startswith("over"),
    ),
    family(
        "dislikes.sucks",
        "open",
        r"(?=[\w ]{2,30}?\s(?:sucks?|stinks?|is (?:so |really |just |pretty |very |kinda |kind "
        r"of )?(?:lame|stupid|"
        r"the worst|horrible|awful|terrible|not fun|no fun|not for me|tedious|dreadful)|are "
        r"(?:so |really |just |very )?"
        r"(?:lame|stupid|the worst|horrible|awful|terrible|not for me|no fun))\s*(?:$|[.,!]|"
        r"and\b|to me\b|imo\b|though\b|so\b))"
        r"(?!(?:(?:yeah|yes|but|oh|man|ugh|i think)\s+)*(?:the\s+)?(?:weather|traffic|news|"
        r"service|wifi|internet|commute|view|food|"
        r"heat|noise|situation|connection|line|wait|pain|smell)\b)"
        r"(?:yeah\s+|yes\s+|the\s+|but\s+|i think\s+)*(?!it\b|that\b|they\b|this\b|he\b|she\b|"
        r"you\b|i\b|my\b|life\b|there\b|which\b|"
        r"what\b|your\b|his\b|her\b|today\b|day\b|weather\b|work\b|everything\b|those\b|"
        r"these\b|people\b|being\b|not\b|how\b|its\b|thats\b)",
        lists.things,
        trust=0.60,
        confidence=0.65,
    ),
    family(
        "dislikes.my_job",
        "my",
        r"my\s+(?=job\s+(?:(?:really|just|totally)\s+)?(?:sucks|stinks|is\s+(?:(?:so|just|really|"
        r"pretty|very)\s+)?(?:awful|terrible|horrible|the\s+worst|boring|dreadful))\b)",
        readers.choice("job"),
        trust=WEAK,
        confidence=0.7,
        shape=lambda _m, value: f"own {value}",
    ),
    family(
        "dislikes.most_hated",
        "given",
        r"\b(?:(?:what|thing|things|food|color|colour|animal|subject|sport|season|part|"
        r"movie)\s+(?:that\s+)?i\s+(?:really\s+)?(?:hate|dislike|"
        r"fear|can't stand|am (?:\w+\s+)?(?:afraid|scared|"
        r"terrified) of)(?:\s+(?:the\s+)?most)?|my\s+(?:biggest|greatest|worst|only|"
        r"main)\s+(?:fear|phobia|pet peeve|enemy|dislike)|"
        r"my\s+(?:pet peeve|nemesis))\s+(?:is|are|would be)\s+"
        r"(?:being\s+(?:(?:attacked|bitten|stung|eaten|chased) by|around|near|in|on)\s+)?",
        lists.things,
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "dislikes.least",
        "any",
        r"\b(?:least (?:favou?rite|fav) [\w ]{2,20}? (?:is|are)|not my (?:thing|cup of tea) is)"
        r"\s+",
        lists.things,
        confidence=0.8,
    ),
    family(
        "dislikes.is_not_mine",
        "open",
        r"(?=[\w ]{2,30}?\s(?:is|are)\s+(?:(?:definitely\s+|just\s+|"
        r"really\s+)?not\s+(?:really\s+|exactly\s+)?my\s+(?:thing|"
        r"favorite|cup of tea|style|forte|bag)|"
        r"(?:so\s+|too\s+|really\s+|just\s+|pretty\s+|very\s+|my\s+)*(?:least favorite|boring|"
        r"gross|disgusting|terrifying|"
        r"the worst|overrated|yucky|nasty|creepy)\b))(?!it\b|that\b|they\b|this\b|he\b|she\b|"
        r"you\b|i\b|my\b|life\b|there\b|which\b|what\b)",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.doing",
        "given",
        r"\b(?=[a-z]{2,}ing\s+is\s+(?:(?:definitely|really|just|so|too|very|"
        r"pretty)\s+)*(?:not\s+(?:really\s+|exactly\s+)?"
        r"(?:my (?:thing|cup of tea|style|forte)|for me|fun)|boring|gross|tedious)\b)(?!being|"
        r"nothing|something|"
        r"everything|anything)",
        readers.choice(r"[a-z]{2,}ing\b"),
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "dislikes.scares_me",
        "open",
        r"(?=[^.?!,]{2,30}?\s(?:scares?|frightens?|terrif(?:y|ies)|disgusts?|annoys?|bores?|"
        r"upsets?|creeps?|repulses?|irritates?|makes?|"
        r"gives?)\s+(?:the \w+ out of\s+)?me\b(?:\s+(?:out|sick|gassy|"
        r"nauseous|faint|puke|(?:\w+ )?(?:gas|headaches?|the creeps|nightmares|hives|"
        r"heartburn)|sad|fussy|nervous|anxious|sneeze|itch|crazy|mad|angry))?\s*(?:$|"
        r"[.!,]|and|but|so|too|a lot|how|to death|to tears|really bad\w*))"
        r"(?!it\b|that\b|they\b|this\b|he\b|she\b|you\b|"
        r"what\b|which\b|who\b|my (?:mom|dad|wife|husband)\b)(?:because\s+|the\s+|yeah\s+)*",
        lists.things,
        trust=WEAK,
        confidence=0.65,
        check=lambda m: (
            not re.search(
                r"\b(?:makes?|gives?)\s+me\s*(?:$|[.!,]|and|but|so|too|a lot|"
                r"crazy\s+happy)",
                m.string[m.start() : m.end() + 60],
                re.IGNORECASE,
            )
        ),
    ),
    family(
        "likes.not_any_more",
        "verb",
        r"(?:like|love)\s+(?=.{1,60}(?:any ?more|any longer)\b)",
        lists.things,
        modes="denied",
        kind="denial",
    ),
    family(
        "likes.is_great",
        "open",
        r"(?=[\w ]{2,30}?\s(?:(?:rocks?|rules?)|(?:is|are|s)\s+(?:(?:so|just|really|pretty|"
        r"always|definitely|very|"
        r"simply|also|absolutely|by far)\s+)*"
        r"(?:(?:the\s+)?(?:best|greatest|bomb)(?:\s+(?:book|movie|show|series|band|song|singer|"
        r"food|"
        r"drink|game|thing|sport|season|feeling|animals?|pets?)s?)?|awesome|amazing|delicious|"
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
    family(
        "likes.find_great",
        "open",
        r"i\s+(?:really\s+|do\s+|personally\s+|also\s+)?(?:think|find|"
        r"thought)\s+(?=[\w ]{2,30}?\s(?:is|are)\s+"
        r"(?:(?:so|just|really|pretty|very|super|kind of|kinda|rather|the)\s+)*(?:cool|neat|"
        r"cute|cutest|adorable|"
        r"beautiful|fascinating|gorgeous|coolest|interesting|great|wonderful)\s*(?:$|[.,!]|"
        r"and\b|though\b|too\b))"
        r"(?!(?:it|its|that|they|this|he|she|you|your|i|life|there|which|what|those|these|we|"
        r"my|his|her|"
        r"their|our|all|everything|one|some|people|kids)\b)",
        lists.things,
        trust=0.6,
        confidence=0.65,
    ),
    family(
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
    family(
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
    family(
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
