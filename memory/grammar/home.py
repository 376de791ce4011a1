"""Families about what lives and stands at home: animals, vehicles, possessions, relatives."""

from __future__ import annotations

import re

from memory.grammar import belongings, lexicon, readers
from memory.grammar.family import IMPLIED, WEAK, Family, capital_follows, family

_PET = "|".join(sorted(lexicon.PET_WORDS, key=len, reverse=True))
_RIDE = "|".join(sorted(lexicon.OWN_VEHICLES, key=len, reverse=True))
_THING = "|".join(sorted(lexicon.OWNED, key=len, reverse=True))
_HAVEABLE = "|".join(sorted(lexicon.OWNED | lexicon.HAVEABLE, key=len, reverse=True))
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
    r"i wish|could have|want(?:ed)? (?:a|an|to have|to get)|would love|if i had|no longer)\b",
    re.IGNORECASE,
)


def _still_there(match: re.Match[str]) -> bool:
    """Whether nothing near says that it is gone or only wished for."""
    text = match.string
    near = text[max(0, match.start() - 40) : min(len(text), match.end() + 40)]
    return not _ANOTHERS.search(near)


PETS: tuple[Family, ...] = (
    family(
        "pets.have",
        "verb",
        r"(?:(?:have|own|got|adopted|keep|'ve got|have got|raise|rescued|just got|bought)\s+"
        r"(?:like\s+|about\s+|only\s+|just\s+|also\s+)?)(?=\w)",
        belongings.pets,
        modes="now past denied",
        confidence=0.9,
    ),
    family(
        "pets.have_them",
        "verb",
        rf"(?:have|own|keep|breed|raise|got|do have)\s+(?:[\w-]+\s+){{0,3}}?(?=(?:{_PET})\b)",
        belongings.animals,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=lambda m: not re.search(r"\b(?:to|for|no|any|with|of my|time|fun)\b", m[0]),
    ),
    family(
        "pets.with_count",
        "given",
        rf"\b(?:my|our|with|just|and|feeding|walking)\s+(?=(?:\d{{1,2}}|two|three|four|five|six|"
        rf"seven|eight|nine|ten)\s+(?:[\w-]+\s+){{0,2}}?(?:{_PET})\b)",
        belongings.pets,
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
    family(
        "pets.counted",
        "open",
        rf"(?:just\s+|only\s+|my\s+|got\s+)?(?={_COUNT}\s+(?:[\w-]+\s+)?(?:{_PET})\b\s*(?:$|"
        rf"[.,!]|and\b|too\b|named\b|here\b))",
        belongings.pets,
        trust=WEAK,
        confidence=0.7,
    ),
    family(
        "pets.my_name",
        "my",
        r"my\s+(?P<kind>\w+?)(?:'?s)?\s+names?(?:\s+is|\s+are|'s)\s+",
        readers.person,
        check=lambda m: m["kind"].lower() in lexicon.PET_WORDS,
        shape=lambda m, value: f"{m['kind']} {value}",
    ),
    family(
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
    family(
        "pets.my",
        "given",
        rf"{_MY}{_GONE}(?:(?!family|mom|mother|wife|friend|s\b)[\w-]+\s+){{0,3}}?(?=(?:{_PET})"
        rf"\b)",
        belongings.animals,
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
)

VEHICLES: tuple[Family, ...] = (
    family(
        "vehicle.drive",
        "verb be",
        r"(?:drive|driving|own|have|bought|got|ride|riding|just bought|"
        r"lease|use|restored?|purchased|getting\s+around\s+in)\s+(?:(?:me|my\s+\w+)\s+)?(?:around\s+)?(?:in\s+)?",
        belongings.vehicle,
        modes="now past denied",
    ),
    family(
        "vehicle.my_is",
        "my",
        r"my\s+(?:car|truck|motorcycle|motorbike|vehicle|bike|ride)\s+is\s+",
        belongings.vehicle,
    ),
    family(
        "vehicle.my",
        "given",
        rf"{_MY}{_GONE}(?=(?:[\w-]+\s+){{0,3}}?(?:{_RIDE})\b)",
        belongings.own_vehicle,
        trust=IMPLIED,
        confidence=0.75,
        check=_still_there,
    ),
)

POSSESSIONS: tuple[Family, ...] = (
    family(
        "possessions.own",
        "verb",
        r"(?:own|do own|also own|inherited|purchased|just bought)\s+(?=\w)",
        belongings.belongings,
        modes="now",
        confidence=0.8,
    ),
    family(
        "possessions.have",
        "verb",
        rf"(?:have|got|bought|won|have got|run|use)\s+(?:like\s+|about\s+|"
        rf"over\s+)?(?=(?:{_COUNT}|my(?:\s+own)?|the)?\s*"
        rf"(?:[\w-]+\s+){{0,3}}?(?:{_HAVEABLE})\b)",
        belongings.belongings,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "possessions.my",
        "given",
        rf"{_MY}{_GONE}(?=(?:own\s+)?(?:[\w-]+\s+){{0,2}}?(?:{_THING})\b)",
        belongings.belongings,
        trust=0.60,
        confidence=0.7,
        check=_still_there,
    ),
)

RELATIVES: tuple[Family, ...] = (
    family(
        "family.my", "any", r"\bmy\s+(?=\w)", belongings.relative, confidence=0.85, trust=IMPLIED
    ),
    family(
        "family.have",
        "verb",
        r"(?:have|got|have got)"
        r"\s+",
        belongings.counted_relatives,
        modes="now",
    ),
)

FAMILIES: tuple[Family, ...] = (*PETS, *VEHICLES, *POSSESSIONS, *RELATIVES)
