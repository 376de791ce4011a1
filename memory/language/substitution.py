"""What was noted, with the value in it that a correction gives instead: "no, Thursday".

It is proposed to be saved and never saved by itself. Where it is not clear which value is meant,
nothing is proposed.
"""

import re
from collections import defaultdict

from memory.language.dates.time_expressions import MONTHS
from memory.language.reader.decoding import Span
from memory.language.reading import Reading, only_asks

_LONGEST = 160
"""Characters of a correction that is tried."""
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_KINDS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})"
        rf"|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th))\b",
        r"\b(?:\d{1,2}[:.]\d\d(?: ?(?:am|pm))?|\d{1,2} ?(?:am|pm))(?![\w.,]*\d)\b",
        r"(?:[£$€] ?)?\d(?:[\d.,]*\d| \d{3})*%?",
    )
)
"""Weekdays, days, times of the day and other figures: what is one of these is none of a later."""
_DAY_ALONE = re.compile(r"\d{1,2}(?:st|nd|rd|th)")


def put_right(noted: str, told: str) -> str:
    """Return what was noted with the value that a correction gives; '' where that is not clear.

    A value takes the place of the only one of its kind, or of the one that is denied beside it.
    """
    if not noted or len(told) > _LONGEST or only_asks(told):
        return ""
    made = _with_figures(noted, told)
    if made == noted:
        made = _with_values(noted, told)
    return "" if made == noted else made


def _with_figures(noted: str, told: str) -> str:
    made, held, given = noted, noted, told
    changed = []
    for kind in _KINDS:
        old, new = (list(dict.fromkeys(kind.findall(text))) for text in (held, given))
        held, given = kind.sub(_blank, held), kind.sub(_blank, given)
        there = {value.lower() for value in old}
        right = [value for value in new if value.lower() not in there]
        wrong = [value for value in new if value.lower() in there] or old
        if len(right) == 1 and len(wrong) == 1 and made.count(wrong[0]) == 1:
            made = made.replace(wrong[0], _in_its_month(right[0], wrong[0]))
            changed.append(kind)
    # A weekday and its date go together.
    dated = [kind for kind in _KINDS[:2] if kind.search(noted)]
    torn = len(dated) > 1 and sum(kind in changed for kind in dated) == 1
    return noted if torn else made


def _in_its_month(new: str, old: str) -> str:
    """Return a day by its number alone in the month of the day whose place it takes."""
    alone = _DAY_ALONE.fullmatch(new) and re.search(_MONTH, old, re.IGNORECASE)
    return re.sub(r"\d{1,2}(?:st|nd|rd|th)?", new, old, count=1) if alone else new


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _with_values(noted: str, told: str) -> str:
    held, new = _by_label(noted), _by_label(told, context=noted)
    made = noted
    for label, values in new.items():
        there = [noted[span.start : span.end] for span in held.get(label, ())]
        texts = {told[span.start : span.end]: span.status for span in values}
        # What is denied, or stands there already, is what the correction says is wrong.
        wrong = {
            text.lower()
            for text, status in texts.items()
            if status in ("denied", "past") or any(text.lower() in old.lower() for old in there)
        }
        right = [text for text in texts if text.lower() not in wrong]
        meant = [text for text in there if text.lower() in wrong] or there
        if len(right) == 1 and len(meant) == 1:
            made = made.replace(meant[0], right[0])
    return made


def _by_label(text: str, context: str = "") -> dict[str, list[Span]]:
    spans: dict[str, list[Span]] = defaultdict(list)
    for span in Reading(text, context=context).read.spans:
        if span.label != "date":
            spans[span.label].append(span)
    return spans
