"""Patterns about what lives and stands at home: animals, vehicles, possessions, relatives."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, capital_follows, pattern
from memory.language.lexicons import lexicon
from memory.language.values import belongings, readers

_PET = "|".join(sorted(lexicon.PET_WORDS, key=len, reverse=True))
_RIDE = "|".join(sorted(lexicon.OWN_VEHICLES, key=len, reverse=True))
_THING = "|".join(sorted(lexicon.OWNED, key=len, reverse=True))
_TWO_WORDS = belongings.TWO_WORDS
_HAVEABLE = "|".join([_TWO_WORDS, *sorted(lexicon.OWNED | lexicon.HAVEABLE, key=len, reverse=True)])
_COUNT = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|several|some|many|both|"
    r"few|"
    r"lots\s+of|a\s+lot\s+of|a\s+couple(?:\s+of)?|a\s+few|a\s+ton\s+of|couple)"
)
# What makes "my dog" another dog, or none any more.
_GONE = (
    r"(?!(?:\w+\s+)?(?:old|first|last|late|former|previous|next|childhood|dream|future|ex|own)"
    r"\s)"
)
_MY = r"\b(?:my|our)\s+"
_ANOTHERS = re.compile(
    r"\b(?:when i was|growing up|as a (?:kid|child)|used to|years ago|passed away|died|ran away|"
    r"i wish|missed (?:my|our)|could have|want(?:ed)? (?:a|an|to have|to get)|would love|"
    r"if i had|no longer|sold|"
    r"got rid of|gave away|had to give|put down|miss|lost|"
    r"(?:to|gonna|will) (?:buy|build) (?:my|our)|saving (?:up )?for|looking for)\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:passed away|died|ran away|no longer|was (?:stolen|totall?ed)|got stolen|dead|"
    r"years ago|when i was|growing up|childhood)\b",
    re.IGNORECASE,
)


def _still_there(match: re.Match[str]) -> bool:
    """Whether nothing near, in its own sentence, says that it is gone or only wished for."""
    text = match.string
    before = re.split(r"[.?!]", text[max(0, match.start() - 40) : match.end()])[-1]
    after = re.split(r"[.?!]", text[match.end() : match.end() + 40])[0]
    return not _ANOTHERS.search(before) and not _OVER.search(after)


def _my_own(match: re.Match[str]) -> bool:
    """Whether the sentence so far speaks in the first person, and of nobody else."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 60) : match.start()])[-1]
    words = set(re.findall(r"[a-z']+", before.lower()))
    return bool(words & {"i", "i'm", "im", "am", "we", "me"}) and not words & _OTHERS


_OTHERS = frozenset({"you", "he", "she", "they", "if", "not", "wish", "want", "used", "her", "his"})


# What a childhood was full of is hardly there now: "I grew up on a farm so we have animals".
_GREW_UP = re.compile(r"\bgrew up\b[^.?!]*\bso\s+we\s+$", re.IGNORECASE)


def _not_of_childhood(match: re.Match[str]) -> bool:
    return not _GREW_UP.search(match.string, max(0, match.start() - 60), match.start())


PETS: tuple[Pattern, ...] = (
    pattern(
        "pets.have",
        "verb",
        r"(?:(?:have|own|got|adopted|keep|'ve got|have got|raise|rescued|just got|bought|"
        r"brought home|took in|foster(?:ing)?)\s+"
        r"(?:like\s+|about\s+|only\s+|just\s+|also\s+)?)(?=\w)",
        belongings.pets,
        modes="now past denied",
        confidence=0.9,
        check=_not_of_childhood,
    ),
    pattern(
        "pets.have_them",
        "verb",
        rf"(?:have|own|keep|breed|raise|got|do have)\s+(?:[\w-]+\s+){{0,3}}?(?=(?:{_PET})\b)",
        belongings.animals,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=lambda m: (
            not re.search(r"\b(?:to|for|no|any|with|of my|time|fun)\b", m[0])
            and _not_of_childhood(m)
            and not re.match(r"\w+ (?:there|at work)\b", m.string[m.end() :])
        ),
    ),
    pattern(
        "pets.with_count",
        "given",
        rf"\b(?:my|our|with|just|and|feeding|walking)\s+(?=(?:\d{{1,2}}|two|three|four|five|six|"
        rf"seven|eight|nine|ten)\s+(?:[\w-]+\s+){{0,2}}?(?:{_PET})\b)",
        belongings.pets,
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
    pattern(
        "pets.counted",
        "open",
        rf"(?:just\s+|only\s+|my\s+|got\s+)?(?={_COUNT}\s+(?:[\w-]+\s+)?(?:{_PET})\b\s*(?:$|"
        rf"[.,!]|and\b|too\b|named\b|here\b))",
        belongings.pets,
        trust=WEAK,
        confidence=0.7,
    ),
    pattern(
        "pets.my_name",
        "my",
        r"(?:my|our)\s+(?:\w+\s+)?(?P<kind>\w+?)(?:'?s)?\s+(?:names?(?:\s+is|\s+are|'s)|"
        r"is\s+(?:called|named))\s+",
        readers.person,
        check=lambda m: m["kind"].lower() in lexicon.PET_WORDS,
        shape=lambda m, value: f"{m['kind']} {value}",
    ),
    pattern(
        "pets.my_is",
        "my",
        r"(?:my|our)\s+(?:\w+\s+)?pets?\s+(?:is|are)\s+(?:actually\s+|just\s+)?",
        belongings.pets,
        confidence=0.85,
    ),
    pattern(
        "pets.my_kind",
        "given",
        r"\bmy\s+(?P<kind>\w+)(?:,|\s+(?:called|named|is called|is "
        r"named))?\s+"
        r"(?-i:(?=[A-Z]))",
        readers.person,
        trust=IMPLIED,
        check=lambda m: m["kind"].lower() in lexicon.PET_WORDS and capital_follows(m),
        shape=lambda m, value: f"{m['kind']} {value}",
    ),
    pattern(
        "pets.my_called",
        "given",
        rf"\bmy\s+(?P<kind>{_PET})(?:\s*,)?\s+(?-i:(?=[a-z]))",
        belongings.pet_name,
        trust=IMPLIED,
        check=lambda m: not m["kind"].lower().endswith("s") and _still_there(m),
        shape=lambda m, value: f"{m['kind']} {value}",
    ),
    pattern(
        "pets.as_pet",
        "given",
        r"\b(?:my|our|an?|two|three)\s+(?=pet\s+(?!store|shop|food|sitter|sitting|owner|lover|"
        r"person|peeve|name|hair|friendly|supplies|land|smart|store|groom\w*|care|hotel|cemetery|"
        r"toys?|bed|project|insurance|is\b|was\b|who\b|that\b|and\b|or\b|to\b|will\b|of\b|"
        r"for\b|with\b|in\b|at\b|if\b|too\b|when\b|but\b|named\b|would\b|has\b)[a-z]{3})",
        belongings.pet_of_any_kind,
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: (_my_own(m) or m[0].lower().startswith(("my", "our"))) and _still_there(m),
    ),
    pattern(
        "pets.owner",
        "be",
        rf"(?:(?:an?|the|also|proud|big|happy|new|old|crazy|total|huge|long "
        rf"?time)\s+)*(?=(?:{_PET})\s+(?:owner|mom|"
        rf"mum|dad|parent|mommy|mama|lady)\b)",
        belongings.animals_owned,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "pets.my",
        "given",
        rf"{_MY}{_GONE}(?:(?!family|mom|mother|mum|dad|father|wi[fv]e|husband|sister|brother|"
        rf"fav\w*|friend|boyfriend|girlfriend|neighbou?r|aunt|uncle|son|daughter|roommate|"
        rf"grand\w+|boss|(?:kids?|child\w*|daughters?|nephews?|nieces?|cousins?)\b(?!\s+and)|s\b|"
        rf"dinner|lunch|breakfast|supper|fried|grilled|little\s+pony|an?\b|"
        rf"'s|(?:for|of|is|are|was|were|has|have|had|that|who|with|in|on|at|to|about|like|"
        rf"likes|than|"
        rf"can|will)\b)[\w-]+\s+){{0,4}}?(?=(?:{_PET})"
        rf"\b)",
        belongings.animals,
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
)

# "We bought my daughter a car" gives us none.
_KIN = "|".join(sorted(lexicon.KIN))
# What is driven for pay, and seldom one's own.
_AT_WORK = (
    r"(?:an?|the)\s+(?:\w+\s+)?(?:fork ?lift|(?<!vw )bus|taxi|cab|ambulance|limo|"
    r"limousine|semi|tractor|bulldozer|hearse|(?:garbage|dump|tow|fire) ?truck|train)\b"
)

VEHICLES: tuple[Pattern, ...] = (
    pattern(
        "vehicle.drive",
        "verb be",
        r"(?:drive|driving|own|have|bought|got|ride|riding|just bought|"
        r"lease|use|(?:restored?|restoring|rebuilding|rebuilt|converted|converting|fixing\s+up)"
        r"(?=\s+(?:an?|my|the|our)\s)|purchased|"
        r"get(?:ting)?\s+around\s+(?:in|on)|keep(?=\s+an?\s)|"
        r"(?:stuck|end(?:ed)?\s+up)\s+(?:with|driving))\s+(?:(?:me|"
        rf"my\s+(?!(?:{_KIN})\s+an?\b)\w+)\s+)?(?:around\s+)?(?:in\s+)?"
        rf"(?!{_AT_WORK})",
        belongings.vehicle,
        modes="now past denied",
    ),
    pattern(
        "vehicle.my",
        "given",
        rf"{_MY}{_GONE}(?=(?:[\w-]+\s+){{0,3}}?(?:{_RIDE})\b)",
        belongings.own_vehicle,
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
)

OLD_VEHICLES: tuple[Pattern, ...] = (
    pattern(
        "vehicle.i_bought",
        "given",
        r"\b(?:the|this|that)\s+(?=(?:[\w-]+\s+){0,2}?"
        rf"(?:{_RIDE})\s+(?:that\s+)?(?:i|we)\s+(?:(?:just|recently|finally)\s+)?(?:bought|own|drive|"
        r"have|got|ride)\b)",
        belongings.own_vehicle,
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
)
# "My phone number" speaks of a number.
_NO_PART = r"(?!\s+(?:numbers?|no\.|bills?|calls?|contracts?)\b)"

POSSESSIONS: tuple[Pattern, ...] = (
    pattern(
        "possessions.own",
        "verb",
        r"(?:own|do own|also own|inherited|purchased|just bought)\s+(?=\w)",
        belongings.belongings,
        modes="now",
        confidence=0.8,
    ),
    pattern(
        "possessions.have",
        "verb",
        rf"(?:have|got|bought|won|have got|run|use|keep|carry)\s+(?!home\b)(?:like\s+|about\s+|"
        rf"over\s+)?(?=(?:{_COUNT}|my(?:\s+own)?|the)?\s*"
        rf"(?:[\w-]+\s+){{0,3}}?(?:{_HAVEABLE})\b)",
        belongings.known_belongings,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
    pattern(
        "possessions.bought",
        "given",
        rf"\b(?:the|these|those|this)\s+(?:new\s+)?(?=(?:[\w-]+\s+){{0,2}}?(?:{_HAVEABLE}|"
        rf"{_THING})\s+"
        rf"(?:that\s+)?i\s+(?:just\s+)?(?:bought|got|own|have)\b)",
        belongings.known_belongings,
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
    pattern(
        "possessions.my",
        "given",
        rf"{_MY}{_GONE}(?=(?:own\s+)?(?:[\w-]+\s+){{0,2}}?(?:{_TWO_WORDS}|{_THING})\b{_NO_PART})",
        belongings.known_belongings,
        trust=0.60,
        confidence=0.7,
        check=_still_there,
    ),
)

RELATIVES: tuple[Pattern, ...] = (
    pattern(
        "family.my", "any", r"\bmy\s+(?=\w)", belongings.relative, confidence=0.85, trust=IMPLIED
    ),
    pattern(
        "family.have",
        "verb",
        r"(?:have|got|have got)"
        r"\s+",
        belongings.counted_relatives,
        modes="now",
    ),
)

PATTERNS: tuple[Pattern, ...] = (*PETS, *VEHICLES, *OLD_VEHICLES, *POSSESSIONS, *RELATIVES)
