"""What was noted, with the value in it that a correction gives instead: "no, Thursday". Pure.

It is proposed to be saved and never saved by itself. Where it is not clear which value is meant, or
whether anything is put right at all, nothing is proposed.
"""

import re

from memory.language.amendments import read_corrected_value
from memory.language.dates.calendar_expressions import MONTHS, NUMBER_WORD
from memory.language.dates.sentence_dates import is_rescheduling

_LONGEST = 160
_WORD = r"[£$€]?[\w][\w.,:'’-]*[\w%]|[\w]"
_FEW_WORDS = rf"(?:(?:{_WORD})(?:\s+(?:{_WORD})){{0,2}})"
_LITTLE = r"(?:(?:the|a|an|on|at|in|for|to|is|was|it's|its)\s+)*"
_END = r"(?=\s*(?:$|[.,;!]))"
# "Blue, not green", "blue instead of green": as many words are right as were wrong.
_RIGHT_FIRST = re.compile(
    rf"(?P<right>{_FEW_WORDS})(?:,?\s+(?:and\s+)?not|\s+instead\s+of|\s+rather\s+than)\s+{_LITTLE}"
    rf"(?P<wrong>{_FEW_WORDS}?){_END}",
    re.IGNORECASE,
)
# "No, not green but dark blue".
_WRONG_FIRST = re.compile(
    r"^(?:\W*(?:no|nope|sorry|wait|actually|it'?s|it is)\b)*\W*not\s+"
    rf"{_LITTLE}(?P<wrong>{_FEW_WORDS}?),?\s+(?:but|it'?s|i\s+me?a?nt)\s+{_LITTLE}"
    rf"(?P<right>{_FEW_WORDS}?){_END}",
    re.IGNORECASE,
)
# No word of these is a value, nor is anything in a note that denies.
_NO_VALUE = re.compile(
    r"\b(?:no|nope|sorry|wait|actually|and|but|it|it's|its|is|was|that|this|i|i'm|he|she|they|we|you"
    r"|do|does|did|am|are|were|be|been|have|has|had|can|could|will|would|should|may|might|must"
    r"|correct|wrong|really|anyway|me|my|his|her|their|our|your)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|never|no|none|nothing|nobody|without|\w+n't)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
# Values of which one takes the place of another of its kind. What is matched by one kind is no
# value of a later one.
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})"
    rf"|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?"
    r"|(?<=the )\d{1,2}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_CLOCK = re.compile(
    r"\b(?:\d{1,2}[:.]\d\d ?(?:am|pm)?|\d{1,2} ?(?:am|pm)"
    rf"|half (?:past )?(?:{NUMBER_WORD}|\d{{1,2}}))(?![\w.,]*\d)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"[£$€] ?\d[\d.,]*\d(?![\w ]?\d)|[£$€] ?\d(?![\w ]?\d)")
_NUMBER = re.compile(r"(?<![\w.,£$€-])(?<!\d )\d(?:[\d.,]*\d)?%?(?![\w-])(?! \d)")
_NUMBER_WORD = re.compile(
    rf"\b(?!(?:a|an|one|few|couple|several)\b)(?:{NUMBER_WORD})\b", re.IGNORECASE
)
_KINDS = (_WEEKDAY, _DATE, _CLOCK, _AMOUNT, _NUMBER, _NUMBER_WORD)
_NOT = re.compile(rf"\bnot {_LITTLE}(?P<wrong>{_NUMBER.pattern})", re.IGNORECASE)
# What may stand around a value in a text that is nothing but a correction.
_AROUND = re.compile(
    r"\b(?:no|nope|wait|sorry|actually|correction|oops|it'?s|it is|make it|make that|i me?a?nt"
    r"|the|at|on|by|now|of|and)\b|\W+",
    re.IGNORECASE,
)


def put_right(noted: str, told: str) -> str:
    """What was noted with the value that a correction tells instead; "" where it tells none, or
    where another may be meant.
    """
    told = told.replace("’", "'").strip()
    if len(told) > _LONGEST or told.endswith("?") or _DENIES.search(noted):
        return ""
    return _of_both(noted, told) or _of_a_kind(noted, told)


def _of_both(noted: str, told: str) -> str:
    """By a correction that names both values."""
    for match in _RIGHT_FIRST.finditer(told):
        wrong, right = match["wrong"].split(), match["right"].split()
        # What stands alone before "not" is right as a whole, else the last words of it.
        whole = not match.start("right") and not _NO_VALUE.search(match["right"])
        if made := _instead(noted, wrong, right if whole else right[-len(wrong) :]):
            return made
    for match in _WRONG_FIRST.finditer(told):
        if made := _instead(noted, match["wrong"].split(), match["right"].split()):
            return made
    wrong = {one["wrong"] for one in _NOT.finditer(told)} & set(_values(_NUMBER, noted))
    other = [one for one in _values(_NUMBER, told) if one not in wrong]
    # "It's 110 for that, not 95".
    return _replaced(noted, *wrong, *other) if len(wrong) == len(other) == 1 else ""


def _instead(noted: str, wrong: list[str], right: list[str]) -> str:
    """With some words for others; a number takes the place of a number alone."""
    old, new = (" ".join(words).strip(" .,:") for words in (wrong, right))
    alike = bool(_DIGIT.search(old)) == bool(_DIGIT.search(new))
    match = re.search(rf"(?<!\w){re.escape(new)}(?!\w)", noted, re.IGNORECASE)
    if not new or not alike or match or _NO_VALUE.search(new) or _NO_VALUE.search(old):
        return ""
    return _replaced(noted, old, new)


def _replaced(noted: str, wrong: str, right: str) -> str:
    """With one value for another, where that stands there once."""
    there = list(re.finditer(rf"(?<![\w]){re.escape(wrong)}(?![\w])", noted, re.IGNORECASE))
    if len(there) != 1 or wrong.lower() == right.lower():
        return ""
    start, end = there[0].span()
    right = right[0].upper() + right[1:] if noted[start].isupper() else right
    return f"{noted[:start]}{right}{noted[end:]}"


def _of_a_kind(noted: str, told: str) -> str:
    """By the kinds of values, of which both name one: "no, Thursday", "moved to 4pm"."""
    only = _is_only_a_value(told)
    if not (only or is_rescheduling(told)) or _DENIES.search(_AROUND.sub(" ", told)):
        return ""
    made, rest_noted, rest_told = noted, noted, told
    changed: set[re.Pattern[str]] = set()
    for kind in _KINDS if only else _KINDS[:3]:
        old, new = _values(kind, rest_noted), _values(kind, rest_told)
        rest_noted, rest_told = kind.sub(_blank, rest_noted), kind.sub(_blank, rest_told)
        # What stands there already is told to be wrong, or again.
        new = [one for one in new if one.lower() not in {value.lower() for value in old}]
        if len(old) != 1 or len(new) != 1:
            continue
        if replaced := _replaced(made, old[0], _with_its_month(new[0], old[0])):
            made = replaced
            changed.add(kind)
    # A weekday and its date go together.
    torn = {_WEEKDAY, _DATE} & changed and any(
        kind not in changed and kind.search(noted) for kind in (_WEEKDAY, _DATE)
    )
    return "" if torn or made == noted else made


def _is_only_a_value(told: str) -> bool:
    """Whether a text is nothing but what holds instead: "no, Thursday", "actually £560"."""
    rest = told
    for kind in _KINDS:
        rest = kind.sub(_blank, rest)
    return read_corrected_value(told) is not None or not _AROUND.sub("", rest)


def _with_its_month(new: str, old: str) -> str:
    """A day by its number alone in the month of the one that it takes the place of."""
    if not _DAY_OF_MONTH.fullmatch(new) or not re.search(_MONTH, old, re.IGNORECASE):
        return new
    return _DAY_OF_MONTH.sub(new, old, count=1)


def _values(kind: re.Pattern[str], text: str) -> list[str]:
    return list(dict.fromkeys(match[0] for match in kind.finditer(text)))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
