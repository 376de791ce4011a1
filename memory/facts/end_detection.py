"""What somebody tells is gone, finished or given up, and which lines of the profile that ends.

"My dog died last year", "I sold my Tesla", "I eat meat again": nothing here ends anything, the
ledger asks. What names nothing that is held ("my neighbour's dog died", "my phone died") asks
nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.language.engine.masking import MASK_CHARACTER
from memory.language.lazy_pattern import compile_lazily
from memory.language.reading import Reading
from memory.language.text import dedup
from memory.notes.note_end_detection import is_unsaid

_I = r"(?<!\w)(?:i|we)"
_NOW = r"(?:(?: has| have| had|'ve|'s| just| finally| now| sadly| recently| suddenly| peacefully)*)"
_STOP = (
    r"(?=\s*(?:[,.;:!]|$)|\s+(?:last|this|yesterday|today|in|on|at|two|three|a|some|after|because"
    r"|since|when|and|but|so|for|to|to-?day|years?|days?|weeks?|months?|recently|already|now"
    r"|finally|early|again|from|of|any ?more|right|yet)\b)"
)
_MINE = r"(?:(?:my|our)(?: own| beloved| dear| sweet| poor| little| old)* (?P<what>[^,.;:!?]+?))"
_NAMED = r"(?P<name>(?-i:[A-Z][\w'-]+))"
_OWN = r"(?:my|our|the|that|this) (?P<what>[^,.;:!?]+?)"
_SCHOOLING = dedup.content_stem_ids(
    "school university college course degree program programme studies"
)
_VEHICLES = dedup.content_stem_ids("car")
_OTHER_VEHICLE = compile_lazily(
    r"\b(?:\w*bikes?|\w*cycles?|scooter|moped|boat|van|truck|bus|tractor|camper)\b", re.IGNORECASE
)
_ANIMALS = dedup.content_stem_ids("pet animal")
_ANY_VALUE = compile_lazily("")
# Of one's own: "two brothers", "sister Anna", not "sister's son".
_SIBLINGS = compile_lazily(
    r"^(?:\w+ )?(?:step|half)?-?(?:sisters?|brothers?|siblings?|twins?)\b(?!['’])", re.IGNORECASE
)
_CHILDREN = compile_lazily(
    r"^(?:\w+ )?(?:step)?-?(?:sons?|daughters?|kids?|child(?:ren)?|toddlers?|bab(?:y|ies))\b"
    r"(?!['’])",
    re.IGNORECASE,
)
_ANY = (
    r"(?:do not|don't|dont) have any|(?:do not|don't|dont) have|have (?:got )?no"
    r"|haven't (?:got )?any"
)
_UP_TO = compile_lazily(r"\s*(?:any ?more|now|right now|at the moment|at present)?\s*(?:[,.;:!]|$)")
# What somebody who eats it again does not keep to any more.
_GIVEN_UP = {
    food: compile_lazily(rf"{kept}|(?:no|not|without) .*\b{food}", re.IGNORECASE)
    for food, kept in {
        "meat": "vegan|vegetarian|pescatarian|plant.based",
        "fish": "vegan|vegetarian|plant.based",
        "dairy": "vegan|plant.based|dairy.free",
        "gluten": "gluten.free",
    }.items()
}
_FOODS = {
    "meat": "meat|beef|pork|chicken|steaks?|bacon|burgers",
    "fish": "fish|seafood",
    "dairy": "dairy|cheese|milk|eggs",
    "gluten": "gluten|bread|wheat",
}
_AGAIN = compile_lazily(
    rf"{_I}(?: have|'ve|'m| am| are|'re)?(?: just| now| finally| recently)?"
    r" (?:(?:eat|eating|started eating|started to eat|began eating) (?P<again>\w+) again"
    r"|(?:gone|went|going) back to eating (?P<back>\w+))\b",
    re.IGNORECASE,
)
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, compile_lazily(form, re.IGNORECASE))
    for kind, form in (
        (
            "death",
            rf"(?:^|[,;:.] ?|\b(?:and|but|sadly|unfortunately|that) )(?:{_MINE}|{_NAMED}){_NOW}"
            rf" (?:died|passed(?: away| on)?|crossed the rainbow bridge|is dead"
            rf"|was put (?:down|to sleep)){_STOP}",
        ),
        ("death", rf"{_I}{_NOW} (?:had to put|put) (?:{_MINE}|{_NAMED}) (?:down|to sleep){_STOP}"),
        ("death", rf"{_I}{_NOW} lost (?:{_MINE}|{_NAMED}) to (?:cancer|old age|an? \w+)"),
        (
            "project",
            rf"{_I}{_NOW} (?:abandoned|finished|completed|shelved|scrapped|dropped|wrapped up"
            rf"|gave up on|given up on) {_OWN}{_STOP}",
        ),
        ("sale", rf"{_I}{_NOW} (?:sold|gave away|given away|got rid of|scrapped) {_OWN}{_STOP}"),
        (
            "school",
            rf"{_I}{_NOW} (?:dropped out of|withdrew from|quit|flunked out of)"
            rf" (?:(?:my|the|our) )?(?P<what>[^,.;:!?]+?){_STOP}",
        ),
    )
)
_NONE = compile_lazily(
    rf"{_I} (?:{_ANY}) (?P<none>pets|animals|siblings|brothers or sisters|sisters or brothers"
    r"|kids|children)\b",
    re.IGNORECASE,
)


_SLOTS = {
    "death": ("pets",),
    "project": ("current_project",),
    "sale": ("vehicle", "possessions"),
    "school": ("education",),
    "pets": ("pets",),
    "kin": ("family",),
    "diet": ("diet",),
}


@dataclass(frozen=True)
class FactEnd:
    """A sentence `text[start:end]` that tells of an end, and of what: by stems or a pattern."""

    start: int
    end: int
    kind: str
    stems: frozenset[int] = frozenset()
    pattern: re.Pattern[str] | None = None

    @property
    def slots(self) -> tuple[str, ...]:
        """Where what ended is noted."""
        return _SLOTS[self.kind]

    @property
    def is_death(self) -> bool:
        """Whether it takes gentle words."""
        return self.kind == "death"

    def ends(self, slot: str, value: str) -> bool:
        """Whether it tells of this value: by all its words, or by the name of its kind alone."""
        if self.pattern is not None:
            return bool(self.pattern.search(value))
        held = dedup.content_stem_ids(value)
        if self.kind == "school":
            study = self.stems - _SCHOOLING or self.stems
            left_already = value.lower().startswith(("dropped out", "graduated"))
            return study <= held and not left_already
        if slot == "pets" and self.stems <= _ANIMALS:
            return True
        if slot == "vehicle" and self.stems <= _VEHICLES:
            return not _OTHER_VEHICLE.search(value)
        return self.stems <= held


def read_departures(reading: Reading) -> Iterator[FactEnd]:
    """The sentences in which the writer tells that something of theirs is gone or given up."""
    for start, end, mark in reading.sentences:
        sentence = reading.masked[start:end]
        if "?" in mark or MASK_CHARACTER in sentence:
            continue
        yield from _find_named_ends(sentence, start, end)
        yield from _of_a_kind(sentence, start, end)


def _find_named_ends(sentence: str, start: int, end: int) -> Iterator[FactEnd]:
    for kind, form in _FORMS:
        for match in form.finditer(sentence):
            words = match.groupdict()
            stems = dedup.content_stem_ids(words.get("what") or words.get("name") or "")
            if stems and not is_unsaid(sentence[: match.start()]):
                yield FactEnd(start, end, kind, frozenset(stems))


def _of_a_kind(sentence: str, start: int, end: int) -> Iterator[FactEnd]:
    match = _NONE.search(sentence)
    if match and _UP_TO.match(sentence, match.end()) and not is_unsaid(sentence[: match.start()]):
        what = match["none"].lower()
        if what in {"pets", "animals"}:
            yield FactEnd(start, end, "pets", pattern=_ANY_VALUE)
        else:
            kin = _CHILDREN if what in {"kids", "children"} else _SIBLINGS
            yield FactEnd(start, end, "kin", pattern=kin)
    match = _AGAIN.search(sentence)
    if match and not is_unsaid(sentence[: match.start()]):
        eaten = (match["again"] or match["back"]).lower()
        for food, names in _FOODS.items():
            if re.fullmatch(names, eaten):
                yield FactEnd(start, end, "diet", pattern=_GIVEN_UP[food])
