"""Replacing a value in a memory by that of a correction: "no, Thursday".

The result is proposed and never saved directly. If it is unclear which value is meant, nothing is
proposed.
"""

import re
from collections import defaultdict

from memory.language.dates.clock_times import CLOCK_TIME
from memory.language.dates.time_expressions import MONTHS
from memory.language.reader.decoding import Span
from memory.language.reading import Reading, only_asks
from memory.language.text.terms import split_words

_LONGEST = 160
"""Characters of a correction that is tried."""
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_KINDS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})"
        rf"|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th))\b",
        CLOCK_TIME,
        r"(?:[£$€] ?)?\d(?:[\d.,]*\d| \d{3})*%?",
    )
)
"""Weekdays, days, times of the day and other figures: what is one of these is none of a later."""
_DAY_ALONE = re.compile(r"\d{1,2}(?:st|nd|rd|th)")


def put_right(noted: str, correction: str, *, denied: bool = False) -> str:
    """Return a memory's text with the value of a correction; '' if it is unclear.

    A value replaces the only one of its kind, or the one that is denied beside it. A correction
    that denies a value not in the memory is about something else. `denied`: only if it explicitly
    denies a value of the memory ("Mochi, not Miso").
    """
    if not noted or len(correction) > _LONGEST or only_asks(correction):
        return ""
    changed = noted if denied else _with_figures(noted, correction)
    if changed == noted:
        changed = _with_values(noted, correction, denied=denied)
    return "" if changed == noted else changed


def renames(noted: str, new: str, correction: str, *, corrects: bool) -> bool:
    """Return whether a text replaces the value `noted` ("cat Gravy") by `new` ("cat Grady").

    It must deny the words that only the old value has or, if it is known to correct, not state
    these.
    """
    old, new_words = set(split_words(noted)), set(split_words(new))
    wrong = old - new_words
    if not (
        wrong and old & new_words and new_words - old and wrong <= set(split_words(correction))
    ):
        return False
    named: dict[str, set[str]] = defaultdict(set)
    for span in Reading(correction).read.spans:
        named[span.status].update(split_words(correction[span.start : span.end]))
    return wrong <= named["denied"] or (corrects and wrong.isdisjoint(named["current"]))


def _with_figures(noted: str, correction: str) -> str:
    text, rest, correction_rest = noted, noted, correction
    changed = []
    for kind in _KINDS:
        old, new = (list(dict.fromkeys(kind.findall(part))) for part in (rest, correction_rest))
        rest, correction_rest = (
            kind.sub(lambda match: " " * len(match[0]), part) for part in (rest, correction_rest)
        )
        right, wrong = _right_and_wrong(new, old)
        if len(right) == 1 and len(wrong) == 1 and text.count(wrong[0]) == 1:
            text = text.replace(wrong[0], _in_its_month(right[0], wrong[0]))
            changed.append(kind)
    # A weekday and its date are replaced together.
    dated = [kind for kind in _KINDS[:2] if kind.search(noted)]
    torn = len(dated) > 1 and sum(kind in changed for kind in dated) == 1
    return noted if torn else text


def _right_and_wrong(new: list[str], old: list[str]) -> tuple[list[str], list[str]]:
    """Return the values that only the correction has, and those that these may replace."""
    known = {value.lower() for value in old}
    right = [value for value in new if value.lower() not in known]
    return right, [value for value in new if value.lower() in known] or old


def _in_its_month(new: str, old: str) -> str:
    """Return a day without month ("the 14th") in the month of the day that it replaces."""
    alone = _DAY_ALONE.fullmatch(new) and re.search(_MONTH, old, re.IGNORECASE)
    return re.sub(r"\d{1,2}(?:st|nd|rd|th)?", new, old, count=1) if alone else new


def _with_values(noted: str, correction: str, *, denied: bool = False) -> str:
    old, new = _by_label(noted), _by_label(correction, context=noted)
    wrong_ones = {
        correction[span.start : span.end].lower()
        for spans in new.values()
        for span in spans
        if span.status == "denied"
    }
    if any(value not in noted.lower() for value in wrong_ones) or (denied and not wrong_ones):
        return noted
    text = noted
    for label, values in new.items():
        known = [noted[span.start : span.end] for span in old.get(label, ())]
        status_by_value = {correction[span.start : span.end]: span.status for span in values}
        # A value that is denied or already in the memory is the wrong one.
        wrong = {
            value.lower()
            for value, status in status_by_value.items()
            if status in ("denied", "past") or any(value.lower() in each.lower() for each in known)
        }
        right = [value for value in status_by_value if value.lower() not in wrong]
        replaced = [value for value in known if value.lower() in wrong] or known
        if len(right) == 1 and len(replaced) == 1:
            text = text.replace(replaced[0], right[0])
    # A result that still contains a denied value is not corrected.
    return noted if any(value in text.lower() for value in wrong_ones) else text


def _by_label(text: str, context: str = "") -> dict[str, list[Span]]:
    spans: dict[str, list[Span]] = defaultdict(list)
    for span in Reading(text, context=context).read.spans:
        if span.label != "date":
            spans[span.label].append(span)
    return spans
