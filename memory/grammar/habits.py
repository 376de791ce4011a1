"""Families about what somebody does again and again: clubs, lessons, years of it, what is worn."""

from __future__ import annotations

import re

from memory.grammar import lists, readers
from memory.grammar.family import IMPLIED, WEAK, Family, family

# A team of a sport or a game; others are teams of work.
_PLAYED_IN_TEAMS = (
    r"(?:[a-z]+ing|[a-z]+ball|soccer|hockey|tennis|golf|rugby|lacrosse|cricket|track|swim|ski|dance|"
    r"debate|drill|cheer|chess|quiz|trivia|polo|gymnastics|crew|robotics|darts?|country|disc|league)"
)
# What is done for years and is neither a trade nor a state.
_DONE_FOR_YEARS = (
    r"(?:collecting|danc\w*|skating|skateboarding|surfing|skiing|snowboarding|painting|drawing|"
    r"sketching|knitting|crocheting|sewing|quilting|gardening|cooking|baking|fishing|hunting|"
    r"hiking|camping|climbing|cycling|biking|swimming|bowling|golfing|sailing|kayaking|boxing|"
    r"wrestling|fencing|juggling|sculpting|carving|singing|rapping|gaming|playing|practicing|"
    r"practising|riding|racing|brewing|blogging|journaling|meditating|lifting|birding|"
    r"watching|listening|training)"
)
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
_BODY = r"(?:club|team|league|guild|choir|troupe|squad|circle)"
_GROUP = r"(?:club|guild|choir|troupe|circle)"
_WORN = r"(?:glasses|contacts|contact\s+lenses|sunglasses)"


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


FAMILIES: tuple[Family, ...] = (
    family(
        "interests.club",
        "verb be",
        r"(?:(?:play|am|are|swim|run|sing|compete|race|still)\s+)?(?:in|on|with|for|part\s+of|"
        r"(?:an?\s+|the\s+)?(?:member|captain|president|leader|founder|co-?captain)\s+of|"
        r"belong\s+to|attend|joined|started|run|lead|have|go\s+to|captain|coach)\s+"
        r"(?:an?|the|my|our|this|one)\s+(?:\w+\s+school\s+|school\s+|college\s+|local\s+|little\s+|"
        rf"weekly\s+|women's\s+|men's\s+|church\s+|varsity\s+|online\s+)*{_NO_PASTIME}"
        rf"(?=(?:[a-z]+\s)?(?:{_PLAYED_IN_TEAMS}\s(?:team|squad|league)|[a-z]+\s{_GROUP})\b(?!\s+(?:house|owner|music|leader\s+at)))",
        readers.choice(rf"[a-z]+(?:\s[a-z]+)?(?:(?=\s(?:team|league|squad)\b)|\s{_BODY}\b)"),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "interests.my_club",
        "given",
        r"\b(?:my|our)\s+(?:weekly\s+|local\s+|church\s+)*(?=(?:book|chess|garden(?:ing)?|running|"
        r"knitting|quilting|sewing|hiking|cycling|bike|rowing|swim|debate|drama|poker|bowling|"
        r"dance|ski|yacht|car|film|movie|wine|supper|poetry|writing|writers|running|climbing|"
        r"tennis|soccer|softball|volleyball|basketball|dart|darts|trivia|crochet|bridge|curling|"
        r"fencing|gaming|photography|birding|fishing|hunting|sailing|theater|choir|fitness|yoga)\s"
        r"(?:club|team|league|group|circle|guild|squad|night)\b)",
        readers.choice(r"[a-z]+\s(?:club|team|league|group|circle|guild|squad|night)\b"),
        trust=WEAK,
        confidence=0.7,
    ),
    family(
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
    family(
        "interests.been_doing",
        "be",
        rf"(?={_DONE_FOR_YEARS}\b){_OFTEN}(?:(?:playing|practicing|practising|watching|"
        r"listening\s+to|training\s+in)\s+(?:the\s+)?|danc\w+\s+(?=(?:salsa|ballet|tango|hip\s+hop|"
        r"tap|swing|flamenco|jazz|bachata)\b))?",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
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
    family(
        "likes.again",
        "verb",
        r"(?:(?:have|'ve|ve)\s+)?(?:seen|watched|read|reread|rewatched|heard|played)\s+(?:the\s+)?"
        r"(?=(?:[\w'-]+\s){1,5}?(?:about\s+|over\s+|like\s+|at\s+least\s+|probably\s+)*(?:so\s+"
        r"many|too\s+many|(?:a\s+)?(?:hundred|thousand|million|dozen)s?(?:\s+of)?|\d+|four|five|"
        r"six|seven|eight|nine|ten|twenty|countless|several|multiple)\s+times\b)(?!it\b|that\b|"
        r"this\b|them\b|you\b|him\b|her\b)",
        readers.before(
            r"about|over|like|at|probably|so|too|a|hundreds?|thousands?|millions?|dozens?|\d+|four|"
            r"five|six|seven|eight|nine|ten|twenty|countless|several|multiple",
            5,
        ),
        modes="now",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
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
    family(
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
    family(
        "likes.roots_for",
        "verb",
        r"(?:root(?:ing)?\s+for|cheer(?:ing)?\s+for|(?:support|follow)(?=\s+the\s+(?-i:[a-z]+s)\b)|"
        r"miss(?:\s+(?:a|an|any)\s+(?:game|match|episode|show|race|concert)\s+(?:of|by)|"
        r"(?=\s+an?\s)))\s+(?:the\s+)?(?!you\b|him\b|her\b|them\b|it\b|my\b|rules?\b|troops|news|"
        r"that\b|someone|trends?|instructions|kids|laws?\b|what\b|us\b|both\b|meal|day\b|beat)"
        r"(?:an?\s+(?:episode\s+of\s+)?)?",
        lists.things,
        modes="now denied",
        kind="statement",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.fascinates",
        "open",
        r"(?=(?:[\w'-]+\s){1,4}?(?:(?:has|have)\s+)?(?:always\s+|really\s+|also\s+|just\s+)*"
        r"(?:fascinates?d?|interests?(?:ed)?|intrigues?d?|excites?|thrills?|inspires?|amazes?)\s+me"
        r"\b(?!\s+(?:to|that|how)\b))(?!(?:it|that|they|this|these|those|he|she|you|what|which|who|"
        r"my|his|her|your|i|and|but|people|nothing|something|anything|everything|not)\b)"
        r"(?:the\s+|also\s+)*",
        readers.before(
            r"(?:has|have|always|really|also|just)|fascinates?d?|interest(?:s|ed)?|intrigues?d?|excites?|"
            r"thrills?|inspires?|amazes?",
            4,
        ),
        trust=WEAK,
        confidence=0.7,
        check=lambda m: (
            not re.search(
                r"\b(?:not|n't|never|don t|doesn t|no longer|does|do|hardly)\s+\w*$",
                re.split(r"\bme\b", m.string[m.start() : m.start() + 80])[0].rsplit(" ", 2)[0]
                + " ",
            )
        ),
    ),
    family(
        "likes.finds",
        "verb",
        r"find\s+(?=(?:[\w'-]+\s){1,3}?(?:so\s+|very\s+|really\s+|quite\s+|pretty\s+|absolutely\s+)*"
        r"(?:fascinating|relaxing|interesting|amazing|beautiful|soothing|calming|adorable|"
        r"therapeutic|exciting|fun|enjoyable|comforting|peaceful|awesome|delicious)\b)"
        r"(?!it\b|that\b|this\b|them\b|you\b|him\b|her\b|my\b|something\b|a\b|an\b|your\b|some\b)"
        r"(?:the\s+)?",
        readers.before(
            r"(?:so|very|really|quite|pretty|absolutely)|fascinating|relaxing|interesting|amazing|"
            r"beautiful|soothing|calming|adorable|therapeutic|exciting|fun|enjoyable|comforting|"
            r"peaceful|awesome|delicious"
        ),
        modes="now",
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "likes.when_it",
        "given",
        r"\bi\s+(?:really\s+|just\s+|do\s+|absolutely\s+|also\s+)*(?:like|love|enjoy|adore)\s+"
        r"(?:it\s+)?(?=when\s+it\s+(?:rains|snows|storms|thunders|"
        r"is\s+(?:raining|snowing|cold|hot|warm|sunny|windy|rainy|quiet|dark)\b))",
        readers.choice(
            r"when\s+it\s+(?:rains|snows|storms|thunders|is\s+(?:raining|snowing|cold|hot|warm|sunny|"
            r"windy|rainy|quiet|dark))\b"
        ),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "possessions.wears",
        "verb be",
        rf"(?:wear|wearing|need|have|use|got)\s+(?:(?:my|some|big|thick|reading|new|really|nerdy|"
        rf"black|red|round|these)\s+)*(?={_WORN}\b(?!\s+of\b))",
        readers.choice(rf"{_WORN}\b"),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
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
