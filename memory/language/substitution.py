"""What was noted, with the value in it that a correction gives instead: "no, Thursday". Pure.

It is proposed to be saved and never saved by itself. Where it is not clear which value is meant,
nothing is proposed.
"""

import re

from memory.language.amendments import read_corrected_value
from memory.language.dates.calendar_expressions import MONTHS, NUMBER_WORD

_WORD = r"[£$€]?[\w][\w.,:'’-]*[\w%]|[\w]"
_FEW_WORDS = rf"(?:(?:{_WORD})(?:\s+(?:{_WORD})){{0,2}})"
_LITTLE = r"(?:(?:the|a|an|on|at|in|for|to|is|was|it's|its)\s+)*"
# "Blue, not green", "not green but blue", "blue instead of green": what is right, what was wrong.
_BOTH = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<right>{_FEW_WORDS}),?\s+(?:and\s+)?not\s+{_LITTLE}(?P<wrong>{_FEW_WORDS})",
        rf"\bnot\s+{_LITTLE}(?P<wrong>{_FEW_WORDS}?),?\s+(?:but\s+|it'?s\s+|i me?a?nt\s+)"
        rf"{_LITTLE}(?P<right>{_WORD})",
        rf"(?P<right>{_FEW_WORDS})\s+(?:instead\s+of|rather\s+than)\s+{_LITTLE}"
        rf"(?P<wrong>{_FEW_WORDS})",
    )
)
_NO_VALUE = re.compile(
    r"|no|nope|sorry|wait|actually|and|but|it|it's|its|is|was|that|this|i|he|she|they|we|you|do|am"
    r"|are|were|correct|wrong|really",
    re.IGNORECASE,
)
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
_NOT = re.compile(rf"\bnot {_LITTLE}(?P<wrong>{_NUMBER.pattern})", re.IGNORECASE)
_LONGEST = 160


def put_right(noted: str, told: str) -> str:
    """What was noted with the value that a correction tells instead; "" where it tells none, or
    where several may be meant.
    """
    told = told.replace("’", "'")
    if len(told) > _LONGEST or told.rstrip().endswith("?"):
        return ""
    return _of_both(noted, told) or _of_a_kind(noted, told)


def _of_both(noted: str, told: str) -> str:
    """By a correction that names both values."""
    for form in _BOTH:
        for found in form.finditer(told):
            wrong, right = found["wrong"].split(), found["right"].split()
            # What is wrong may end before the words around it do.
            for count in range(len(wrong), 0, -1):
                made = _instead(noted, wrong[:count], right[-count:])
                if made:
                    return made
    wrong = {one["wrong"] for one in _NOT.finditer(told)} & set(_values(_NUMBER, noted))
    other = [one for one in _values(_NUMBER, told) if one not in wrong]
    # "It's 110 for that, not 95".
    return _replaced(noted, *wrong, *other) if len(wrong) == len(other) == 1 else ""


def _instead(noted: str, wrong: list[str], right: list[str]) -> str:
    """With some words for as many others; a number takes the place of numbers alone."""
    old, new = (" ".join(words).strip(" .,:") for words in (wrong, right))
    alike = bool(_DIGIT.search(old)) == bool(_DIGIT.search(new))
    if not alike or len(wrong) != len(right) or _NO_VALUE.fullmatch(new):
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
    """By the kinds of values, of which both name one: "no, Thursday", "it's 4pm now". A number
    alone is too little where more is told: "we were twelve in the end, at four tables".
    """
    kinds = [_WEEKDAY, _DATE, _CLOCK, _AMOUNT]
    if read_corrected_value(told) is not None:
        kinds += [_NUMBER, _NUMBER_WORD]
    made, rest_noted, rest_told = noted, noted, told
    changed: set[re.Pattern[str]] = set()
    for kind in kinds:
        old, new = _values(kind, rest_noted), _values(kind, rest_told)
        rest_noted, rest_told = kind.sub(_blank, rest_noted), kind.sub(_blank, rest_told)
        # What stands there already is told to be wrong, or again.
        new = [one for one in new if one.lower() not in {value.lower() for value in old}]
        if len(old) == 1 and len(new) == 1 and (replaced := _replaced(made, old[0], new[0])):
            made = replaced
            changed.add(kind)
    # A weekday and its date go together.
    torn = {_WEEKDAY, _DATE} & changed and any(
        kind not in changed and kind.search(noted) for kind in (_WEEKDAY, _DATE)
    )
    return "" if torn or made == noted else made


def _values(kind: re.Pattern[str], text: str) -> list[str]:
    return list(dict.fromkeys(found[0] for found in kind.finditer(text)))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
