"""Patterns about what somebody eats and avoids."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.lexicons import vocabulary
from memory.language.values import lists, readers

_DIET = (
    r"(?:strict\s+|mostly\s+|raw\s+(?=vegan)|ovo[- ]?|lacto[- ]?)*"
    r"(?:vegetarian(?:ism|s)?|vegan(?:ism|s)?|pescatarian|pescetarian|gluten[- ]free|"
    r"dairy[- ]free|sugar[- ]free|raw food|low[- ]carb|low[- ]fat|low[- ]sodium|meat eater|"
    r"omnivore|"
    r"flexitarian|fruitarian|mediterranean|atkins|whole ?30|intermittent fasting|fodmap|"
    r"organic(?:ally)?|carnivore|lactose[- ]intolerant|celiac|coeliac|keto(?:genic)?|paleo|halal|"
    r"kosher|plant[- ]based(?:\s+(?:vegan|vegetarian))?)"
    r"(?:\s+(?:diet|eater))?"
)


FOOD = (
    r"(?:(?:pea|wal|hazel|tree |pine |cashew |brazil )?nuts?|almonds?|cashews?|pecans?|"
    r"pistachios?|shellfish|"
    r"shrimps?|prawns?|crabs?|lobster|clams|oysters|mussels|scallops|(?:white |raw )?fish|"
    r"seafood|salmon|tuna|milk|"
    r"dairy(?: products)?|lactose|cheese|eggs?|gluten|wheat|corn|soy|soya|tofu|strawberr(?:y|"
    r"ies)|berries|"
    r"blueberries|raspberries|sesame|mushrooms?|kiwis?|tomato(?:es)?|avocados?|bananas?|"
    r"apples?|oranges?|citrus|"
    r"pineapples?|mangos?|mangoes|peach(?:es)?|cherries|grapes|melons?|watermelon|carrots?|"
    r"celery|onions?|garlic|"
    r"peppers?|mustard|coconut|chocolate|honey|sugar|yeast|bread|pasta|rice|meat|red meat|beef|"
    r"pork|chicken|"
    r"poultry|lamb|bacon|alcohol|wine|beer|caffeine|coffee|red dye)"
)

_ANY_FOOD = rf"(?:(?:{FOOD}|{vocabulary.FOODS})(?:s|es)?|foods?)(?![\w-])"
FOODS = (
    # So many words before it and no more: a text of nothing else would be read from each anew.
    r"(?:(?:all|any|some|raw|cooked|most|many|certain|kinds of|types of|cow'?s|goat'?s|tree)"
    r"\s+){0,4}"
    rf"{_ANY_FOOD}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+)(?:to\s+)?{_ANY_FOOD})*"
)
"""A food or several, as an allergy names them."""
_HOW_BAD = (
    r"(?:(?:very\s+|really\s+)?(?:severe|serious|bad|mild|slight|strong|nasty|deadly|terrible"
    r"|life[- ]threatening|extreme)\s+)?"
)


_NOT_FOOD = (
    r"(?!much|enough|well|lunch|breakfast|dinner|out|there|here|that|it|anything|healthy|after|"
    r"before|a lot|at|in|on|the|these|this|as|too|very|any more|anymore|often|when|for|alone|"
    r"with)"
)


_GIVES_UP = (
    r"(?:avoid|avoiding|cut(?:ting)?\s+(?:out|back on|down on)|gave up|give up|giving up|"
    r"quit(?:\s+(?:eating|drinking))?|stay(?:ing)? away from|stopped eating|stopped drinking|"
    r"watch(?:ing)?(?:\s+my)?|limit(?:ing)?(?:\s+my)?|off)\s+(?:all\s+|any\s+|the\s+)?"
    r"(?=[\w ]{0,20}\b(?:meats?|sugar|carbs?|bread|gluten|dairy|alcohol|sodas?|caffeine|"
    r"coffee|sweets|salt|red meat|pork|beef|milk|eggs?|wheat|fats?|chocolate|fast food|junk "
    r"food|cheese|fried food|processed food)\b)(?!(?:tv|movies|it|you|what|over)\b)"
)
_OTHERS_DIET = re.compile(
    r"\b(?:no longer|isn't|aren't|stopped being|quit being|he|she|they|you|your|who|mom|mother|"
    r"dad|wife|husband|ex|brother|sister|friend|daughter|"
    r"son|girlfriend|boyfriend|if|"
    r"not|never|used to|dog|should|could|would|might|want|thinking|people|boss|does|tried|"
    r"thought about)\b",
    re.IGNORECASE,
)


_TOO_MUCH_TO = re.compile(r"\btoo (?:\w+ )?(?:much|\w+) to\s+\w+", re.IGNORECASE)


def _own_diet(match: re.Match[str]) -> bool:
    """Whether a way of eating is the person's own."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 40) : match.end()])[-1]
    if _TOO_MUCH_TO.search(before):
        return False  # "I like cheese too much to go vegan"
    named_only = re.match(r"an?\s", match[0], re.IGNORECASE) and not _FIRST_PERSON.search(before)
    return not named_only and not _OTHERS_DIET.search(before)


def _is_refused(match: re.Match[str]) -> bool:
    """Whether "dairy for me" stands after a "no"."""
    for_me = re.match(rf"{FOODS}\s+for\s+me\b", match.string[match.end() :], re.IGNORECASE)
    return not for_me or match.string[: match.start()].lower().endswith("no ")


_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i’m|im|iam|me|my|we|us|been)\b", re.IGNORECASE)


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "diet.i_am",
        "be",
        r"(?:an?\s+|on\s+an?\s+)?(?:(?:devoted?|devout|proud|committed|dedicated|serious|happy|"
        r"hardcore|life ?long|total|complete)\s+)*",
        readers.choice(_DIET),
        confidence=0.95,
    ),
    pattern(
        "diet.eat_only",
        "verb",
        r"(?:only\s+)?(?:eat|follow|keep|went|turned|became|started to become)\s+(?:an?\s+|"
        r"only\s+)?",
        readers.choice(_DIET),
        modes="now",
    ),
    pattern(
        "diet.being",
        "given",
        r"\b(?:as an?|being(?: an?)?|us|we|and|i am|i m|i'm|since i am|i|went|go|gone|going|"
        r"become|became|turned|been|on an?|on the|"
        r"started (?:an?|the|to)|an?|follow an?|following an?|eat|eating|keep|just|strictly|"
        r"only eat|i only eat|for a|tried an?|become|to become)\s+"
        r"(?:(?:also|now|pretty|diehard|die hard|strict|a|an|been|lifelong|fully|all|only|"
        r"mostly|is|style|proud)\s+)*",
        readers.choice(
            rf"{_DIET}\b(?!\s+(?:restaurant|dog|cat|girl|guy|bistro|boyfriend|"
            rf"girlfriend|chef|friends?|farm|snacks?|recipes?|cafe|place|bakery|truck|options?))"
        ),
        trust=IMPLIED,
        confidence=0.8,
        check=_own_diet,
    ),
    pattern(
        "diet.kind_of_diet",
        "given",
        r"\b(?:on|follow|following|eat|eating|keep)\s+(?:an?|the|"
        r"my)\s+(?=(?:[\w-]+\s){0,3}?(?:[\w-]+[- ])?(?:only|based|style|protein|"
        r"carbs?|fat|sodium|salt|calorie|sugar|free|mediterranean|raw food|liquid|fruit|fish|"
        r"meat|plant|keto|"
        r"paleo)\s(?:\w+\s)?diet\b)",
        readers.choice(r"(?:[\w-]+\s){1,5}?diet\b"),
        trust=IMPLIED,
        confidence=0.8,
        check=_own_diet,
    ),
    pattern(
        "diet.only_eat",
        "given",
        r"\bi (?:only|mostly|strictly) eat\s+",
        readers.choice(_DIET),
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "diet.my",
        "given",
        r"\b(?:my|find(?:ing)?(?: ready made)?|serves?|great|have an?|having an?|love|enjoy|"
        r"making|made|like|for)\s+(?=(?:vegan|vegetarian|kosher|organic|keto|"
        r"low[- ]carb|paleo)\s+(?:diet|lifestyle|food|dishes|meals?|cooking|way))",
        readers.choice(_DIET),
        trust=WEAK,
        confidence=0.7,
        check=_own_diet,
    ),
    pattern(
        "diet.mentioned",
        "given",
        r"\b(?=(?:vegetarian|vegan|pescatarian|gluten[- ]free|keto|paleo|kosher|low[- ]carb|"
        r"dairy[- ]free)\b(?!\s+(?:pizza|food trucks?|penne|burgers?|restaurants?|dishes|dish|"
        rf"bistro|cookies|oatmeal|recipes?|awareness|blogs?|cook(?:ing|book)|class(?:es)?|chefs?|"
        rf"{vocabulary.FOODS})\b))",
        readers.choice(_DIET),
        trust=0.60,
        confidence=0.65,
        check=lambda m: (
            _own_diet(m)
            and bool(
                re.search(
                    r"\b(?:i|my|me)\b[^.?!]{0,50}$",
                    m.string[max(0, m.start() - 60) : m.start()],
                    re.IGNORECASE,
                )
            )
            and not re.match(
                r"\w+ (?:girl|guy|bistro|friend|boyfriend|girlfriend)", m.string[m.end() :]
            )
        ),
    ),
    pattern(
        "diet.on_a",
        "given",
        rf"\b(?:the|an?|my|this)\s+(?:strict\s+)?(?=(?:{_DIET})\s+(?:style\s+)?(?:diet|plan|"
        rf"kick)\b)",
        readers.choice(_DIET),
        trust=IMPLIED,
        confidence=0.8,
        check=_own_diet,
    ),
    pattern(
        "diet.is_mine",
        "open",
        rf"(?=(?:{_DIET})\s+is\s+(?:my diet|what i (?:do|am|eat)|how i eat))",
        readers.choice(_DIET),
    ),
    pattern(
        "diet.eats_well",
        "verb be",
        r"(?:only\s+|mostly\s+|very\s+|trying to\s+|try to\s+|to\s+)*(?=(?:eat|eating)"
        r"\s+(?:\w+\s+)?(?:healthy|clean|organic(?:ally)?|low carb|vegan|vegetarian|kosher)\b)"
        r"(?:eat|eating)\s+(?:very\s+|really\s+|only\s+|so\s+|pretty\s+)*",
        readers.choice(r"(?:healthy|clean|organic(?:ally)?|low carb|vegan|vegetarian|kosher)\b"),
        modes="now unreal",
        kind="statement",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "diet.dieting",
        "be",
        r"(?:(?:on|just|always|currently|been)\s+)*(?=(?:a diet|dieting|a strict diet)\b)",
        readers.choice(r"(?:a (?:strict )?diet|dieting)\b"),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, _v: "on a diet",
    ),
    pattern(
        "diet.avoids",
        "verb be",
        rf"(?:try(?:ing)?\s+to\s+)?{_GIVES_UP}",
        lists.things,
        modes="now past unreal",
        kind="statement",
        confidence=0.8,
        shape=lambda _m, value: f"no {value}",
    ),
    pattern(
        "diet.has_to_avoid",
        "verb be",
        rf"(?:have|had|need)\s+to\s+{_GIVES_UP}",
        lists.things,
        modes="now past unreal",
        kind="statement",
        trust=IMPLIED,
        confidence=0.8,
        shape=lambda _m, value: f"no {value}",
    ),
    pattern(
        "diet.avoid",
        "verb",
        rf"(?:eat|drink|consume)\s+(?:any\s+)?{_NOT_FOOD}",
        lists.things,
        modes="denied",
        kind="statement",
        confidence=0.85,
        shape=lambda _m, value: f"no {value}",
    ),
    pattern(
        "diet.not_since",
        "verb",
        r"(?:(?:eaten|eat|drunk|drink|touched|touch|consumed)\s+|(?<=had\s))(?:any\s+)?"
        rf"(?={FOODS}\s+(?:since|in|for)\s)",
        readers.choice(FOODS),
        modes="denied",
        kind="statement",
        trust=IMPLIED,
        confidence=0.8,
        shape=lambda _m, value: f"no {value}",
    ),
    pattern(
        "diet.makes_ill",
        "given",
        r"\bi(?:'m)?\s+(?:(?:always|usually|often|can|will|also|just)\s+)*(?:get|got|feel|fall|become|"
        r"break\s+out\s+in)\s+(?:(?:really|very|so|quite|terribly|violently|a\s+bit)\s+)*(?:ill|sick|"
        r"nauseous|unwell|hives|a\s+(?:bad\s+)?rash|stomach\s+(?:ache|cramps|pains?))\s+"
        rf"(?:from|off|after|when\s+i\s+eat|if\s+i\s+eat)\s+(?:eating\s+|having\s+)?(?={FOODS})",
        readers.choice(FOODS),
        trust=IMPLIED,
        confidence=0.7,
        shape=lambda _m, value: f"no {value}",
    ),
    pattern(
        "diet.not_touched",
        "verb",
        rf"touch\s+(?:any\s+)?(?={FOODS})",
        lists.things,
        modes="denied",
        kind="statement",
        trust=IMPLIED,
        confidence=0.8,
        shape=lambda _m, value: f"no {value}",
    ),
    pattern(
        "diet.off_limits",
        "open",
        rf"(?={FOODS}\s+(?:for me|(?:is|are) (?:off limits|a no go|not something i "
        r"(?:eat|drink|touch)))\b)",
        readers.choice(FOODS),
        trust=IMPLIED,
        confidence=0.8,
        check=_is_refused,
        shape=lambda _m, value: f"no {value}",
    ),
    pattern(
        "diet.only_kind",
        "given",
        rf"\bthe\s+only\s+(?:{_ANY_FOOD}|thing)\s+(?:that\s+)?i\s+(?:eat|drink)\s+is\s+",
        lists.short(3),
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, value: f"only {value}",
    ),
    pattern(
        "diet.doing",
        "verb be open",
        r"(?:(?:been|just|currently|started)\s+)*(?:trying|doing|try|do)\s+(?:the\s+)?(?=(?:keto\w*|"
        r"paleo|whole ?30|atkins|low[- ]carb|intermittent\s+fasting|plant[- ]based)\b)",
        readers.choice(_DIET),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "diet.cannot_have",
        "verb be",
        rf"(?:have|handle|tolerate|stomach|digest|touch|allowed(?:\s+to\s+(?:eat|"
        rf"have))?)\s+(?:any\s+|much\s+|too much\s+)?"
        rf"(?=(?:\w+\s+)?(?:{FOOD})\b)",
        lists.things,
        modes="denied",
        kind="statement",
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, value: f"no {value}",
        check=lambda m: (
            bool(
                re.search(
                    r"(?:can't|cannot|can not|cant|never|not)\s*$",
                    m.string[: m.start()],
                    re.IGNORECASE,
                )
            )
            and not re.search(
                r"\b(?:do|does|did)(?: not|n't)\s*$", m.string[: m.start()], re.IGNORECASE
            )
        ),
    ),
    pattern(
        "diet.no_alcohol",
        "verb",
        r"(?=drink\s*(?:$|[.,!;]|alcohol|anymore|any more|at all|and|but|or smoke))",
        readers.choice(r"drink"),
        modes="denied",
        kind="statement",
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, _v: "no alcohol",
    ),
    pattern(
        "diet.only",
        "verb",
        r"(?:only\s+(?:eat|drink)|(?:eat|drink)\s+only|(?:eat|drink)\s+nothing\s+but|"
        r"live\s+(?:off|on)\s+(?:of\s+)?only)\s+(?!one\b|once\b|when\b|if\b|at\b|a\b|the\b|"
        r"in\b|on\b|socially\b|my\b|it\b)",
        lists.short(3),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, value: f"only {value}",
        check=lambda m: not re.search(_DIET, m.string[m.end() : m.end() + 20], re.IGNORECASE),
    ),
    pattern(
        "diet.allergic",
        "be",
        rf"(?=(?:\w+ly\s+|very\s+)?allergic\s+to\s+{FOODS})",
        readers.choice(rf"(?:\w+ly\s+|very\s+)?allergic\s+to\s+{FOODS}"),
        modes="now",
    ),
    pattern(
        "diet.allergy",
        "verb",
        rf"(?:have|got|suffer from)\s+(?:an?\s+)?(?={_HOW_BAD}(?:{FOODS}\s+allerg(?:y|ies)"
        rf"|allerg(?:y|ies)\s+to\s+{FOODS}))",
        readers.choice(rf"{_HOW_BAD}(?:{FOODS}\s+allerg(?:y|ies)|allerg(?:y|ies)\s+to\s+{FOODS})"),
        modes="now",
    ),
    pattern(
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
    pattern(
        "constraints.only",
        "verb",
        r"(?=(?:only\s+)?have\s+time\s+(?:on|in|at)\b)",
        lists.anything(8),
        modes="now",
        trust=IMPLIED,
        confidence=0.6,
    ),
)
