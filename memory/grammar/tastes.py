"""Families about likes, dislikes, habits, food and the way somebody wants to be helped."""

from __future__ import annotations

from memory.grammar import lists, readers
from memory.grammar.family import IMPLIED, Family, family

_VERY = r"(?:(?:really|absolutely|also|just|very much|totally)\s+)*"

LIKES: tuple[Family, ...] = (
    family(
        "likes.like",
        "verb",
        r"(?:like|love|adore|liked|loved|am in love with|fancy)\s+"
        r"(?:listening to\s+|"
        r"watching\s+|eating\s+|drinking\s+|reading\s+|playing\s+(?:the\s+)?)?(?!being|living)",
        lists.things,
        modes="now past",
    ),
    family(
        "likes.fan",
        "be",
        rf"{_VERY}(?:an?\s+)?(?:big\s+|huge\s+|massive\s+)?(?:fan\s+of|"
        rf"fond\s+of|crazy\s+about|"
        r"obsessed\s+with|keen\s+on|a\s+lover\s+of|addicted\s+to)"
        r"\s+",
        lists.things,
        modes="now past",
    ),
    family(
        "likes.favourite",
        "my",
        r"(?:my|one of my)\s+(?:all[- ]time\s+)?favou?rite\s+"
        r"(?P<kind>\w+(?:\s+\w+)?)\s+(?:is|are|has to be|would be)\s+",
        lists.favourite,
        shape=lambda m, value: f"{value} (favourite {m['kind'].lower()})",
    ),
    family("interests.enjoy", "verb", r"(?:enjoy|enjoyed)\s+", lists.things, modes="now past"),
    family(
        "interests.into",
        "be",
        rf"{_VERY}(?:into|interested\s+in|passionate\s+about|"
        rf"fascinated\s+by|an?\s+avid)\s+",
        lists.things,
        modes="now past",
    ),
    family(
        "interests.hobby",
        "my",
        r"(?:my|one of my)\s+(?:main\s+|favou?rite\s+|only\s+)?"
        r"(?:hobb(?:y|ies)|interests?|passions?|pastimes?)"
        r"\s+(?:is|are|include|includes)\s+",
        lists.things,
        confidence=0.95,
    ),
    family(
        "interests.collect", "verb", r"(?=collect\s)", lists.short(4), modes="now", confidence=0.8
    ),
    family(
        "interests.play",
        "verb",
        r"(?:play|have been playing|'ve been playing)\s+(?:the\s+)?"
        r"(?=(?:\w+\s)?(?:guitar|piano|violin|drums|bass|cello|flute|chess|tennis|soccer|"
        r"football|"
        r"basketball|baseball|golf|hockey|volleyball|rugby|badminton|cricket|poker|video games|"
        r"saxophone|trumpet|ukulele|keyboard)\b)",
        lists.things,
        modes="now past",
        confidence=0.85,
    ),
    family(
        "dislikes.hate",
        "verb",
        r"(?:hate|dislike|despise|detest|loathe|hated|disliked)\s+"
        r"(?:eating\s+|watching\s+)?",
        lists.things,
        modes="now past",
    ),
    family(
        "dislikes.dont_like",
        "verb",
        r"(?:like|love|enjoy|stand|care\s+for|bear)\s+"
        r"(?:eating\s+|watching\s+|listening to\s+)?",
        lists.things,
        modes="denied",
        kind="statement",
    ),
    family(
        "dislikes.not_fan",
        "be",
        rf"{_VERY}(?:an?\s+)?(?:big\s+|huge\s+)?(?:fan\s+of|"
        rf"fond\s+of|keen\s+on|into)\s+",
        lists.things,
        modes="denied",
        kind="statement",
    ),
    family(
        "likes.not_any_more",
        "verb",
        r"(?:like|love)\s+(?=.{1,60}(?:any ?more|any longer)\b)",
        lists.things,
        modes="denied",
        kind="denial",
    ),
)

_DIET = (
    r"(?:strict\s+|mostly\s+)?(?:vegetarian|vegan|pescatarian|pescetarian|gluten[- ]free|"
    r"dairy[- ]free|"
    r"lactose[- ]intolerant|celiac|coeliac|keto|paleo|halal|kosher|plant[- ]based)"
)
_FOOD = (
    r"(?:pea)?nuts?|almonds?|shellfish|shrimp|fish|seafood|milk|dairy|lactose|eggs?|gluten|wheat|"
    r"soy|strawberr(?:y|ies)|sesame|tree nuts|mushrooms?|kiwi|tomato(?:es)?|chocolate"
)
_NOT_FOOD = (
    r"(?!much|enough|well|lunch|breakfast|dinner|out|there|here|that|it|anything|healthy|after|"
    r"before|a lot|at|in|on|the|these|this|as|too|very|any more|anymore|often|when|for|alone|with)"
)

FOOD: tuple[Family, ...] = (
    family("diet.i_am", "be", r"(?:an?\s+|on\s+an?\s+)?", readers.choice(_DIET), confidence=0.95),
    family(
        "diet.eat_only",
        "verb",
        r"(?:eat|follow|keep|went|turned|became)\s+(?:an?\s+|only\s+)?",
        readers.choice(_DIET),
        modes="now",
    ),
    family(
        "diet.avoid",
        "verb",
        rf"(?:eat|drink|consume)\s+(?:any\s+)?{_NOT_FOOD}",
        lists.things,
        modes="denied",
        kind="statement",
        confidence=0.85,
        shape=lambda _m, value: f"no {value}",
    ),
    family(
        "diet.allergic",
        "be",
        rf"(?=allergic\s+to\s+(?:{_FOOD})\b)",
        readers.choice(rf"allergic\s+to\s+(?:{_FOOD})(?:\s+and\s+(?:{_FOOD}))?\b"),
        modes="now",
    ),
    family(
        "diet.allergy",
        "verb",
        rf"have\s+an?\s+(?=(?:{_FOOD})\s+allergy)",
        readers.choice(rf"(?:{_FOOD})\s+allergy"),
        modes="now",
    ),
    family(
        "constraints.cannot",
        "verb",
        r"(?=(?:work|meet|travel|drive|fly|swim)\b)",
        lists.anything(6),
        modes="denied",
        kind="statement",
        trust=IMPLIED,
        confidence=0.6,
        shape=lambda _m, value: f"cannot {value}",
        check=lambda m: (
            m.string[: m.start()].rstrip().lower().endswith(("can't", "cannot", "can not"))
        ),
    ),
    family(
        "constraints.only",
        "verb",
        r"(?=(?:only\s+)?have\s+time\s+(?:on|in|at)\b)",
        lists.anything(8),
        modes="now",
        trust=IMPLIED,
        confidence=0.6,
    ),
)

_ANSWER = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|it|"
    r"things|tone|code)"
)
_LANGUAGE = (
    r"(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|"
    r"japanese|chinese|korean|hindi|arabic|turkish)"
)

STYLE: tuple[Family, ...] = (
    family(
        "preferences.prefer",
        "verb",
        r"(?:much\s+)?(?:prefer|preferred)\s+(?!to\s+be\s+"
        r"called|that\s+you\s+call|you\s+call)",
        lists.anything(9),
        modes="now past",
        confidence=0.9,
        check=lambda m: m.string[m.end() : m.end() + 4].lower() not in {"not ", "it i", "that"},
    ),
    family(
        "preferences.would_prefer",
        "open",
        r"i(?:'d| would)\s+prefer\s+(?!to\s+be\s+called)",
        lists.anything(9),
        trust=IMPLIED,
        confidence=0.75,
    ),
    family("preferences.my", "my", r"my\s+preference\s+is\s+(?:for\s+)?", lists.anything(8)),
    family(
        "preferences.style_liked",
        "verb",
        r"(?:like|love|want|appreciate)\s+(?=(?:your\s+|"
        r"my\s+)?(?:[\w-]+\s+){0,3}"
        r"(?:answers|replies|responses|explanations|summaries|bullet points|examples)\b)",
        lists.anything(7),
        modes="now",
        confidence=0.85,
    ),
    family(
        "preferences.answer_in",
        "open",
        r"(?:(?:please|always|from now on|can you|i want "
        r"you to|i'd like you to|"
        r"you should|to me)\s*,?\s+)*(?=(?:answer|reply|respond|write|speak|talk)\s+"
        r"(?:to\s+)?(?:me\s+)?(?:only\s+)?"
        rf"in\s+(?:{_LANGUAGE}|bullet points|short|plain|simple|full sentences))",
        lists.anything(9),
        confidence=0.85,
    ),
    family(
        "preferences.keep",
        "open",
        r"(?:(?:please|always|from now on|can you)\s*,?\s+)*(?="
        r"(?:keep|make)\s+"
        rf"(?:your\s+|the\s+|all\s+)*{_ANSWER}\s+(?:as\s+)?(?:short|brief|concise|simple|"
        rf"long|detailed|formal|"
        r"informal|casual|to the point|under))",
        lists.anything(9),
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "preferences.always",
        "open",
        r"(?:please\s+)?(?=(?:always|never)\s+(?:use|answer|"
        r"reply|respond|include|"
        r"explain|start|give|show|write|add|cite|end)\b)",
        lists.anything(10),
        confidence=0.85,
    ),
    family(
        "preferences.do_not_use",
        "open",
        r"(?:please\s+)?(?=(?:don't|do not|avoid|no)\s+"
        r"(?:use|using|add|include)?\s*"
        r"(?:emojis?|jargon|bullet points|markdown|tables|exclamation marks)\b)",
        lists.anything(8),
        confidence=0.85,
    ),
    family(
        "preferences.use",
        "open",
        r"(?:please\s+|from now on,?\s+)?(?=use\s+(?:metric|"
        r"imperial|celsius|fahrenheit|"
        r"bullet points|simple words|british|american|24-hour|emojis)\b)",
        lists.anything(8),
        confidence=0.8,
    ),
    family(
        "preferences.be_brief",
        "open",
        r"(?:please\s+|from now on,?\s+)?(?=be\s+(?:more\s+"
        r"|very\s+)?(?:brief|concise|direct|"
        r"formal|informal|blunt)\b)",
        lists.anything(6),
        trust=IMPLIED,
        confidence=0.75,
    ),
)

FAMILIES: tuple[Family, ...] = (*LIKES, *FOOD, *STYLE)
