"""Words of medicine and allergy, and the allergies that are told for the table's sake.

What somebody must not eat is no secret, because it is needed at every table: an allergy to a food
is read as diet (`patterns/food.toml`), and `without_food` takes it out before the words of illness
are looked for. Every other allergy is a private matter.
"""

import re

from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import load_lexicon
from memory.language.safety.pattern_file import PatternFile

WORDS = PatternFile("private_matters.toml")
"""The words of all private matters."""

_FOODS = sorted(load_lexicon("foods") | load_lexicon("not_eaten"), key=len, reverse=True)
_FOOD = rf"(?:[\w-]{{1,30}} ){{0,2}}?(?:{'|'.join(_FOODS)})\b"
_FOOD_ALLERGY = compile_lazily(
    rf"(?<!\w)(?:allergic\s+(?:reactions?\s+)?to\s+{_FOOD}|allerg(?:y|ies)\s+to\s+{_FOOD}"
    rf"|{_FOOD}\s+allerg(?:y|ies)|co?eliac|\w+[- ]intoleran(?:t|ce))",
    re.IGNORECASE,
)


def without_food(text: str) -> str:
    """The text with allergies to a food made unreadable, every other character in its place."""
    return _FOOD_ALLERGY.sub(lambda match: "_" * len(match[0]), text)


def has_food_allergy(value: str) -> bool:
    """Whether a value tells an allergy or an intolerance to a food."""
    return bool(_FOOD_ALLERGY.search(value))


def tells_allergy(text: str) -> bool:
    """Whether a text tells any allergy, or an intolerance to a food."""
    return "allerg" in text.casefold() or has_food_allergy(text)
