"""Patterns about what somebody does: hobbies named by a bare verb, games, media, food.

"I hike" says less than "I love hiking", and "I am reading Dune" less still; their trust is low, so
that they are noticed without being believed unasked.
"""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.patterns.likes.liked_mentions import tells_of_liking
from memory.language.patterns.likes.pastimes import (
    PART_END,
    PASTIMES,
    around,
    noticed_pastime,
    own_pastime,
)
from memory.language.values import lists, places, pursuits, readers

# Verbs that are a pastime by themselves.
_ALONE = (
    r"(?:cook|read|swim|fish|hunt|paint|draw|dance|sing|hike|garden|knit|crochet|sew|surf|ski|"
    r"walk|gamble|pray|snowboard|travel|bake|camp|jog|skate|skateboard|cycle|exercise|work out|"
    r"volunteer|recycle|"
    r"meditate|bowl|craft|party|shop|sculpt|blog|quilt|juggle|golf|kayak|wrestle|snorkel|"
    r"scrapbook|"
    r"farm|write|act|tan|model|cosplay|sketch|grill|stream|weld|carve|sail|row|"
    r"forage|brew|lift weights|lift|game|rap|gamble|bike|run|canoe|climb|rollerblade|doodle|"
    r"journal|"
    r"stargaze|barbecue|bbq|people watch|bird watch|thrift|vlog|scuba dive|whittle|embroider|weave|"
    r"longboard|wakeboard|tailgate|larp|trek|sled|raft|sunbathe|drum|beatbox|homebrew|freestyle)"
)
_OFTEN = (
    r"(?=\s*(?:$|[.,!;)]|(?:a lot(?! of)|a ton(?! of)|alot|lots(?! of)|all the time|every|"
    r"everyday|daily|often|"
    r"sometimes|"
    r"for fun|"
    r"for exercise|in my|on the|on my|when|with my|with friends|and|or|too|as well|also|as a|at "
    r"least|"
    r"most|during|whenever|because|since|once|twice|while|to (?:relax|stay|keep|get|unwind|"
    r"feel|clear|decorate|forget|calm)|"
    r"instead|"
    r"as much|mostly|around|outdoors|but|quite|professionally|competitively|regularly|at the|by "
    r"the|"
    r"myself|\d|three|four|five|two|really|very|out there|outside|online|alone|constantly|"
    r"frequently|nightly|weekly|all day|whenever|year round|together)\b))"
)
_WITH_OBJECT = (
    r"(?:read|write|draw|paint|cook|bake|collect|hunt|make|grow|sew|knit|crochet|brew|build|"
    r"race|sing|ride|train|study|practice|restore|raise|fly|host|climb|shoot|plant|sculpt|carve|"
    r"compose|record|film|photograph|design|invent|decorate|quilt|foster|rescue|hunt|tinker|"
    r"fix|repair|explore|shop for|hunt for|dress up)"
)
_NOT_OBJECT = (
    r"(?!that\b|it\b|about\b|you\b|this\b|them\b|him\b|her\b|the news\b|me\b|your\b|his\b|to\b|"
    r"on\b|"
    r"something\b|in\b|for\b|my (?:wife|husband|kids)|up\b|sure\b|money\b|as\b|from\b|at\b|"
    r"with\b|"
    r"one\b|what\b|how\b|too\b|out\b|more\b|friends\b|of\b|by\b|all\b|and\b|when\b|so\b|"
    r"enough\b|"
    r"high\b|fast\b|far\b|home\b|away\b|hard\b|(?:a|an|the) (?:living|difference|lot(?! of)|"
    r"deal|point|mistake|bit)\b|everything\b|very\b|"
    r"or\b)"
)
_GERUND = (
    r"(?=[a-z]{2,}ing\b)(?!being\b|having\b|getting\b|going to\b|trying\b|doing\b|"
    r"thinking\b)"
)

# "Read a crime novel": one of many.
_ONE_OF_MANY = re.compile(r"\ban? (?:\w+ ){0,2}$", re.IGNORECASE)
_A_WORK = re.compile(r".+ (?:novel|book|movie|show|stor|game)", re.IGNORECASE)


def _of_many(match: re.Match[str], value: str) -> str:
    one = _A_WORK.fullmatch(value) and _ONE_OF_MANY.search(match.string, 0, match.start())
    return f"{value}s" if one else value


def _own_deed(match: re.Match[str]) -> bool:
    """Whether nothing in the sentence makes a deed a refusal or somebody else's."""
    before, after = around(match, 60, 12)
    refused = (
        _ABLE.search(before + match[0])
        or _NOT_A_DEED.search(before + match[0] + after)
        or (_WISHED.search(before + match[0]) and _MORE_OF_IT.match(match.string, match.end()))
    )
    return not refused and tells_of_liking(match) and _for_its_own_sake(match) and _gladly(match)


# Who can sing has not said that they do.
_ABLE = re.compile(
    r"\b(?:can|able to|capable of)(?: (?:also|still|even|probably|actually))*\s*$", re.IGNORECASE
)
# What one must do, or would rather not.
_GRUDGED = re.compile(r"\b(?:unfortunately|sadly|have to|had to|forced to|must)\b", re.IGNORECASE)
_FOR_WORK = re.compile(r"\bfor (?:my |the )?(?:work|job|business|company)\b", re.IGNORECASE)


def _gladly(match: re.Match[str]) -> bool:
    """Whether nothing says that it is done because it must be."""
    before, after = around(match, 60, 60)
    return not (_GRUDGED.search(before) or _FOR_WORK.search(after))


# Who wants to travel more travels little: it is a wish.
_WISHED = re.compile(
    r"\b(?:want|wanna|wish|would|'d|hope|hoping|plan|trying|try|going|should)\b", re.IGNORECASE
)
_MORE_OF_IT = re.compile(r"\w+\s+more\b", re.IGNORECASE)


def _for_its_own_sake(match: re.Match[str]) -> bool:
    """Whether a deed is neither a trade nor over: "I make cakes for a living", "today"."""
    after = PART_END.split(match.string[match.start() : match.start() + 70])[0]
    return not _TRADE_OR_ONCE.search(_AND_I.split(after)[0])


_AND_I = re.compile(r"\sand\s+(?:i|we)\s", re.IGNORECASE)


_TRADE_OR_ONCE = re.compile(
    r"\b(?:(?:for|as) (?:(?:a|an|my|the|your|our) )?(?:\w+ )?(?:living|jobs?|work|boss|"
    r"clients?|company|"
    r"money|employer)|at work|get paid|paid to|"
    r"recently|today|yesterday|tonight|earlier|just now|right now|last (?:week|night|month|"
    r"year|summer)|"
    r"ride (?:my|our|a|the) (?:\w+ )?(?:van|car|truck|bus|suv))\b",
    re.IGNORECASE,
)


_NOT_A_DEED = re.compile(
    r"\b(?:not|never|don t|don't|cannot|can't|cant|can t|cant|used? to|hate|if|you|let us|"
    r"us to|too \w+ to|how to|did|no|paid|could|plan|we can|learn|taught|unable|quit|stop\w*|"
    r"bad at|injur\w+|ask\w*|"
    r"thought|said|need|wife|husband|mom|dad|kids(?! to)|son|daughter|friend)\b",
    re.IGNORECASE,
)


# "Stopped running because it rained" is no giving up.
_FOR_THE_MOMENT = re.compile(
    r"[^.?!]{2,40}?\b(?:because|since|to|for a|when it|early|today|yesterday)\b", re.IGNORECASE
)

PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "interests.given_up",
        "verb",
        r"(?:quit|stopped|gave\s+up|given\s+up)\s+(?:(?:playing|doing|going)\s+)?(?:the\s+)?"
        rf"(?=(?:{PASTIMES})\s*(?:$|[.,!?]|(?:and|but|after|when|in|last|years?|a)\b))",
        pursuits.pastime(PASTIMES),
        modes="now past",
        kind="past",
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: not _FOR_THE_MOMENT.match(m.string, m.end()),
    ),
    pattern(
        "interests.each_season",
        "given",
        r"\b(?:(?:every|each|in the)\s+(?:year|summer|winter|spring|fall|christmas)\s*,?\s+"
        r"(?:i|we)\s+(?:usually\s+|always\s+)?(?:vacation|go|travel|fly|stay)\s+(?:down\s+)?(?:to|in)\s+|"
        r"\b(?:i|family|we)\s+(?:usually\s+|always\s+)?vacations?\s+in\s+)",
        places.place,
        trust=WEAK,
        confidence=0.7,
        shape=lambda _m, value: f"going to {value}",
    ),
    pattern(
        "interests.gardens",
        "given",
        r"\b(?:work\w*|putter\w*|dig\w*|weed\w*|hours|time|busy|back|out|came in|plant\w*|"
        r"relax\w*)\s+(?:in|on|from|with)\s+(?:my|our)\s+(?:\w+\s+)?(?=garden\b)",
        readers.choice(r"garden\b"),
        trust=0.60,
        confidence=0.65,
        check=own_pastime,
        shape=lambda _m, _v: "gardening",
    ),
    pattern(
        "interests.bare",
        "verb",
        rf"(?=(?:{_ALONE})(?:\s+(?:and|or)\s+{_ALONE})?{_OFTEN})(?!run (?:out|around)|work out of)",
        pursuits.verbs,
        modes="now",
        trust=WEAK,
        confidence=0.75,
        check=_gladly,
    ),
    pattern(
        "interests.makes",
        "verb",
        r"(?:(?:stay|sit|lie|relax)\s+(?:[\w']+\s+){0,3}?and\s+)?"
        rf"(?={_WITH_OBJECT}\s+{_NOT_OBJECT})",
        pursuits.doing,
        modes="now",
        trust=WEAK,
        confidence=0.65,
        check=_for_its_own_sake,
    ),
    pattern(
        "interests.go",
        "verb be",
        r"(?:go|going)\s+(?:out\s+)?(?:to\s+)?(?=(?:surf|swim|hike|camp|hunt|ski|dance|shop|"
        r"bowl|jog|run|fish)\b)|"
        r"(?:go|going)\s+(?:out\s+)?(?:to\s+)?(?:the\s+|"
        r"a\s+lot\s+of\s+)?(?=(?:[\w-]+\s+)?(?:fishing|hiking|camping|"
        r"hunting|surfing|"
        r"swimming|shopping|dancing|skiing|bowling|running|jogging|clubbing|snowboarding|biking|"
        r"sailing|kayaking|walking|snorkeling|diving|boating|skating|climbing|riding|golfing|"
        r"movies|"
        r"gym|beach|lake|zoo|mall|park|library|theat(?:er|re)|opera|symphony|aquarium|casinos?|"
        r"clubs?|bars|arcade|spa|"
        r"brunch|farmers market|flea markets?|parties|"
        r"concerts|festivals|museums|raves|karaoke|antiquing|sledding|"
        r"geocaching|scuba|skating rinks?|bowling alleys?|pubs?|beaches|lakes|rivers?|ocean|"
        r"mountains|"
        r"woods|country club|races|rodeos?|fairs?|carnivals?|plays|auctions|estate sales|"
        r"thrift stores?|"
        r"bookstores?|coffee shops?|cafes?|restaurants|comic ?cons?|conventions|ballet|circus|"
        r"cinema|"
        r"(?:gun|shooting|driving) range|batting cages|drive in|nightclubs|galleries|art shows|"
        r"theme parks?|amusement parks?|water parks?|disneyland|disney world|golf course|ballet|"
        r"tailgates?|car shows|garage sales|yard sales)\b)",
        lists.things,
        modes="now",
        trust=WEAK,
        confidence=0.75,
    ),
    pattern(
        "interests.verb_somehow",
        "verb be",
        r"(?:(?:[\w']+\s+){0,3}?(?:to|might|will|would|and|or|also|sometimes|usually|"
        r"always|mainly|mostly|often|just|still|even|"
        r"occasionally|definitely|only)\s+)??(?=(?:travel|dance|sing|hike|surf|cook|bake|paint|"
        r"draw|hunt|swim|party|sew|knit|camp|garden|"
        r"ski|skate|snowboard|shop|sketch|fish|golf|exercise|volunteer|skateboard|meditate|"
        r"sunbathe|tan)\b(?!\s+(?:my|the|you|it|them|him|her|that|to me|shop|club|partner|up\b|"
        r"into)))",
        pursuits.verbs,
        modes="now unreal",
        kind="statement",
        trust=0.55,
        confidence=0.6,
        check=_own_deed,
    ),
    pattern(
        "interests.go_for",
        "given",
        r"\b(?:go(?:ing)?|went|taking|take|took|goes)\s+(?:out\s+)?(?:for|on)?\s*(?:a\s+|an\s+|"
        r"my\s+|our\s+)?(?=(?:[\w-]+\s+)?(?:walks?|runs?|hikes?|"
        r"swims?|jogs?|bike rides?|road trips?|drives?|adventures?)\b)",
        lists.things,
        trust=0.60,
        confidence=0.65,
        check=own_pastime,
    ),
    pattern(
        "interests.company",
        "given",
        r"\b(?=(?:hang(?:ing)?(?: out)?|go(?:ing)? out|chat(?:ting)?|cuddl(?:e|ing)|"
        r"spend(?:ing)?\s+(?:\w+\s+)?time|talk(?:ing)?|party(?:ing)?|"
        r"sit(?:ting)? around|relax(?:ing)?)\s+with\s+(?:all\s+)?(?:my\s+|"
        r"the\s+)?(?:\w+\s+)?(?:friends|family|buddies|girlfriends|"
        r"loved ones)\b)",
        readers.choice(
            r"(?:hang(?:ing)?(?: out)?|go(?:ing)? out|chat(?:ting)?|cuddl(?:e|ing)|"
            r"spend(?:ing)?\s+(?:\w+\s+)?time|talk(?:ing)?|party(?:ing)?|"
            r"sit(?:ting)? around|relax(?:ing)?)\s+with\s+(?:all\s+)?(?:my\s+|"
            r"the\s+)?(?:\w+\s+)?(?:friends|family|buddies|girlfriends|"
            r"loved ones)\b"
        ),
        trust=0.60,
        confidence=0.65,
        check=own_pastime,
    ),
    pattern(
        "interests.watch",
        "given",
        r"\bwatch(?:es|ed)?\s+(?:a\s+lot\s+of\s+|lots\s+of\s+|some\s+|too\s+much\s+|the\s+|"
        r"my\s+)?(?=(?!(?:of|in|at|on|for|to|how|is)\b)"
        r"(?:[\w-]+\s+){0,2}?(?:movies|shows|videos|films|documentaries|cartoons|sports|"
        r"football|anime|sitcoms|soaps|tv|news|series|"
        r"dramas|wrestling|baseball|basketball|soccer|hockey|nascar|netflix|youtube)\b)",
        lists.things,
        trust=0.60,
        confidence=0.65,
        check=own_pastime,
    ),
    pattern(
        "interests.spend_on",
        "given",
        r"\b(?:spend|spent|spending)\s+(?:\w+\s+){0,2}?(?:a lot|too much|most|much|hours|so "
        r"much|all)(?:\s+of)?(?:\s+(?:my\s+)?(?:free\s+)?(?:money|time|days?))?\s+"
        r"(?:on|in|at|with|online)\s+(?:the\s+|my\s+|a\s+)*(?!it\b|them\b|you\b|him\b|her\b|"
        r"that\b|family\b|bed\b|work\b|front\b)",
        lists.things,
        trust=0.60,
        confidence=0.65,
        check=own_pastime,
    ),
    pattern(
        "interests.spend_time",
        "given",
        r"\b(?:spend|spending|spent)\s+(?:[\w-]+\s+){0,5}?(?:time|days?|weekends?|hours|"
        r"evenings?|"
        rf"nights?|summers?)\s+(?:just\s+|with my \w+\s+)?{_GERUND}",
        lists.things,
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: bool(
            re.search(r"\b(?:i|we|my|me)\b[^.?!]{0,25}$", m.string[: m.start()], re.IGNORECASE)
        ),
    ),
    pattern(
        "interests.free_time",
        "verb",
        r"(?=[\w]+(?:\s[\w-]+){0,4}?\s(?:for fun|in my (?:free|spare|down|off) ?time|on my days "
        r"off|"
        r"as a hobby|for a hobby|to (?:pass the time|relax|unwind|have fun))\b)(?!am\b|have\b|"
        r"do (?:you|not)\b|like\b|love\b|enjoy\b|prefer\b|"
        r"want\b)",
        pursuits.doing,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "interests.pastime",
        "given",
        rf"\b(?={PASTIMES}\b(?!\s+(?:out|away|late|low|into|through|from(?! time)|errands|"
        rf"around|behind|an? (?:business|company)|"
        rf"business|"
        rf"company|shop|store|class)\b))(?<!working on )(?<!\bnext )(?<!videos for )",
        pursuits.pastime(PASTIMES),
        trust=0.60,
        confidence=0.65,
        check=noticed_pastime,
        shape=_of_many,
    ),
    pattern(
        "interests.lover",
        "be open",
        r"(?:more\s+of\s+)?(?:an?\s+)?(?:real\s+|big\s+|huge\s+|total\s+|such an?\s+|"
        r"avid\s+)?(?=[\w-]+(?:\s[\w-]+)?\s+(?:lover|"
        r"fan|buff|enthusiast|fanatic|nut|junkie|addict|nerd|geek|freak|person)\b)(?!not|no\b|"
        r"people|good|"
        r"bad|nice|morning|night)",
        pursuits.before_lover,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "interests.collect",
        "verb be",
        r"(?=collect(?:ing)?\s)",
        lists.short(4),
        modes="now",
        confidence=0.8,
    ),
)
