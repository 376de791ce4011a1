"""Corrections that name only the two values: "It's Microsoft, not Google", "I meant Portland".

What they correct must be clear from the words: both values are companies, places, names or jobs
that are known as such, or the sentence itself has just said what the wrong one was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.language.grammar.pattern import EXPLICIT, IMPLIED_TRUST
from memory.language.grammar.tokens import Tokens
from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import lexicon
from memory.language.readers.phrases import capitalise, name_run
from memory.language.readers.work import is_job
from memory.language.values.found import FoundValue
from memory.slots import SLOTS

_X = r"(?P<right>[^\W_][\w&'. -]{0,38}?)"
_Y = r"(?P<wrong>[^\W_][\w&'. -]{0,38}?)"
_LEAD = r"(?:(?:no|nope|sorry|actually|wait|oops|correction|well|oh|my bad)\b[\s,.!:-]*)*"
_FORMS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (compile_lazily(pattern, re.IGNORECASE), trust)
    for pattern, trust in (
        (rf"{_LEAD}i\s+(?:meant|mean)\s+{_X}\s*,?\s+(?:and\s+)?not\s+{_Y}\s*$", EXPLICIT),
        (
            rf"{_LEAD}i\s+(?:said|wrote|typed|told you)\s+{_Y}\s*,?\s+but\s+"
            rf"(?:(?:i\s+)?(?:actually\s+|really\s+)?(?:meant|mean)|it's|it is)\s+{_X}\s*$",
            EXPLICIT,
        ),
        (
            rf"{_LEAD}(?:it's|it is|its|that's)\s+{_X}\s*,?\s+(?:and\s+)?not\s+{_Y}\s*$",
            IMPLIED_TRUST,
        ),
        (rf"{_LEAD}not\s+{_Y}\s*,\s*(?:but\s+)?(?:it's|it is|its)\s+{_X}\s*$", IMPLIED_TRUST),
    )
)
_MEANT = compile_lazily(
    rf"[\s,.;-]*(?:but|no|sorry|wait|i mean|actually)?[\s,]*(?:i\s+)?(?:actually\s+|really\s+)?"
    rf"(?:meant|mean)\s+(?:at\s+|in\s+)?{_X}\s*$",
    re.IGNORECASE,
)
# "I live in Berlin, no wait, Munich": what is said instead, right after what was wrong.
_INSTEAD = compile_lazily(
    r"[\s,.;-]*(?:(?:oh|ah|oops|argh|ugh|er|um|well)\b[\s,]*)*"
    r"(?:(?:no|nope|nah)[\s,]+(?:wait|sorry|scratch\s+that|actually|i\s+mean|hold\s+on)|"
    r"wait[\s,]+(?:no|sorry|actually)|scratch\s+that|make\s+that|correction|sorry|wait|i\s+mean|"
    r"or\s+rather|no)[\s,:-]+"
    rf"(?:i\s+mean\s+)?(?:at\s+|in\s+|to\s+|it's\s+|an?\s+)?{_X}(?:\s*$|(?<=\d),\s)",
    re.IGNORECASE,
)
_NOT_BEFORE = compile_lazily(rf"{_LEAD}not\s+(?:at\s+|in\s+)?{_Y}\s*$", re.IGNORECASE)


_ONLY_MEANT = compile_lazily(
    rf"{_LEAD}(?:i\s+(?:meant|mean)|i\s+should\s+have\s+said|"
    rf"make\s+that)\s+(?:to\s+say\s+)?(?:at\s+|in\s+)?{_X}\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Correction:
    """The value that holds and the one that does not, in the slot to which both belong."""

    slot: str
    right: FoundValue
    wrong: FoundValue
    trust: float


def of_sentence(text: str, start: int, end: int) -> Correction | None:
    """The correction that a whole sentence consists of."""
    if end - start > 120:
        return None
    for pattern, trust in _FORMS:
        match = pattern.match(text, _skip(text, start, end), end)
        if match:
            slot = _common_slot(match["right"], match["wrong"])
            if slot:
                return Correction(slot, _as_value(match, "right"), _as_value(match, "wrong"), trust)
    return None


def only_meant(text: str, start: int, end: int) -> FoundValue | None:
    """The value of a sentence that is nothing but "No, I meant Lisbon"."""
    if end - start > 80:
        return None
    match = _ONLY_MEANT.match(text, _skip(text, start, end), end)
    if not match or not (infer_slot(match["right"]) or _is_name(match["right"])):
        return None
    return _as_value(match, "right")


def value_meant(text: str, start: int, end: int) -> FoundValue | None:
    """The value after "but I meant", where a clause has just given the wrong one."""
    match = _MEANT.match(text, start, min(end, start + 80))
    return _as_value(match, "right") if match else None


def instead(text: str, start: int, end: int, slot: str) -> FoundValue | None:
    """The "Munich" of "..., no wait, Munich": a value of the slot, or a name that no list knows."""
    match = _INSTEAD.match(text, start, min(end, start + 80))
    if not match:
        return None
    slot_of_right = infer_slot(match["right"])
    if (slot == "job_title" and slot_of_right == slot) or (
        slot == "age" and match["right"].isdecimal()
    ):
        return FoundValue(*match.span("right"), match["right"])
    like = (slot, "location" if slot == "hometown" else "name" if slot.endswith("name") else slot)
    named = not slot_of_right and _are_names(match["right"])
    stands_alone = slot in SLOTS and SLOTS[slot].proper_name
    return _as_value(match, "right") if stands_alone and (slot_of_right in like or named) else None


def only_instead(text: str, start: int, end: int, slot: str) -> FoundValue | None:
    """The same where it is a sentence of its own; "Sorry, Mark!" calls somebody."""
    calls = slot in {"name", "preferred_name"} and _ONLY_SORRY.match(text, start, end)
    return None if calls else instead(text, start, end, slot)


_ONLY_SORRY = compile_lazily(r"\W*(?:oh\W+)?(?:no\W+)?sorry\W+\w+\W*$", re.IGNORECASE)


def _are_names(value: str) -> bool:
    """Whether all words are names: "Microsoft bought it" goes on about something else."""
    parts = value.split()
    return all(part[0].isupper() for part in parts) and parts[0].lower() not in lexicon.NOT_NAMES


def not_that(text: str, start: int, end: int) -> FoundValue | None:
    """The "Google" of "Not Google, I work at Microsoft": a clause that only takes back."""
    match = _NOT_BEFORE.match(text, _skip(text, start, end), end)
    return _as_value(match, "wrong") if match else None


def infer_slot(value: str) -> str:
    """The slot of a value that says by itself what it is; empty if it does not."""
    lower = " ".join(value.lower().split())
    if lower in lexicon.KNOWN_ORGS:
        return "employer"
    if lower in lexicon.PLACES:
        return "location"
    if lower in lexicon.GIVEN_NAMES:
        return "name"
    return "job_title" if is_job(re.sub(r"^(?:an?|the)\s+", "", lower)) else ""


def _common_slot(right: str, wrong: str) -> str:
    """The slot of both values; one of them may be a name that no list knows."""
    slots = {infer_slot(value) for value in (right, wrong)}
    unknown = [value for value in (right, wrong) if not infer_slot(value)]
    known = slots - {""}
    return known.pop() if len(known) == 1 and all(_is_name(v) for v in unknown) else ""


def _is_name(value: str) -> bool:
    return value[0].isupper() and len(value.split()) <= 3 and not value.startswith(("I ", "I'"))


def _skip(text: str, start: int, end: int) -> int:
    while start < end and text[start] in " ,-":
        start += 1
    return start


def _as_value(match: re.Match[str], group: str) -> FoundValue:
    return FoundValue(match.start(group), match.end(group), capitalise(match[group]))


def fuller_name(text: str, start: int, end: int, name: str) -> FoundValue | None:
    """The "Priya Raman" of "Name's Priya. Priya Raman.": a sentence that only says it in full."""
    tokens = Tokens.of(text, start, end)
    stop = name_run(tokens, 0, len(tokens.words), 4)
    value = tokens.said(0, stop)
    if stop == 0 or any(word not in ".!" for word in tokens.words[stop:]):
        return None
    span = tokens.span(0, stop)
    return FoundValue(*span, value) if value.lower().startswith(f"{name.lower()} ") else None
