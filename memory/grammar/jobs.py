"""Readers for occupations, ages and dates."""

from __future__ import annotations

import re

from memory.grammar import lexicon
from memory.grammar.readers import Found, phrase

_JOB_KEEP = frozenset({"of"})


def is_job(words_of: str) -> bool:
    """Whether a noun phrase names an occupation."""
    head = re.split(r"\s+of\s+", words_of.lower().strip())[0].split()
    if not head or set(head) & {"my", "your", "big", "bad", "good", "great", "terrible", "better"}:
        return False
    last = head[-1].split("-")[-1]
    if last in lexicon.OCCUPATIONS:
        return last != "model" or len(head) == 1
    titled = {"senior", "junior", "lead", "chief", "vice", "assistant", "head", "software", "staff"}
    return (
        bool(titled & set(head)) and last in {"president", "lead", "head", "staff", "associate"}
    ) or (head == ["head"] and " of " in words_of)


def job(text: str, start: int, end: int) -> list[Found]:
    """An occupation, article left out: "nurse", "Senior Engineer", "head of marketing"."""
    article = re.compile(r"(?:an?|the)\s+", re.IGNORECASE).match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 5, _JOB_KEEP)
    if span is None or not is_job(text[span[0] : span[1]]):
        return []
    return [Found(*span, text[span[0] : span[1]])]


def announced_job(text: str, start: int, end: int) -> list[Found]:
    """What follows "promoted to" or "my job title is": a job even if the list lacks it."""
    article = re.compile(r"(?:an?|the)\s+", re.IGNORECASE).match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 5, _JOB_KEEP)
    if span is None:
        return []
    value = text[span[0] : span[1]]
    bad = {
        "hard",
        "boring",
        "great",
        "fun",
        "stressful",
        "good",
        "bad",
        "hell",
        "killing",
        "very",
        "so",
        "at",
        "easy",
        "tough",
        "awesome",
        "really",
        "tiring",
        "safe",
        "new",
        "done",
    }
    if set(value.lower().split()) & bad or not re.match(r"[^\W\d_]", value):
        return []
    return [Found(*span, value, 1.0 if is_job(value) else 0.8)]


_AGE = re.compile(
    r"(?P<age>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|"
    r"three|four|five|six|seven|eight|nine))?|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    r"nineteen)(?P<unit>[ -]?(?:years?|yrs?|yo)\b(?:[ -]?(?:old|of age)\b)?|\s+yo\b)?"
    r"(?=\s*(?:$|[.,!;)\u2592]|and\b|but\b|now\b|today\b|btw\b|yesterday\b|last\b|this\b|in\b|\w))",
    re.IGNORECASE,
)


def age(text: str, start: int, end: int) -> list[Found]:
    """An age in years between 5 and 115, as digits."""
    found = _AGE.match(text, start, end)
    if not found:
        return []
    unit = (found["unit"] or "").lower()
    rest = text[found.end() : end].lstrip()
    if unit and not re.search(r"old|of age|yo|yrs|years", unit):
        return []
    if re.match(
        r"(?:into|away|from|late|behind|older|younger|sober|clean|ago|to go|in (?!(?:a|two|"
        r"\w+ (?:days|weeks|months)|january|march|april|may|june|july|\w+ber)"
        r"))",
        rest,
        re.IGNORECASE,
    ):
        return []
    if (
        not unit
        and rest
        and not re.match(
            r"[.,!;)\u2592]|(?:and|but|now|today|btw|yesterday|"
            r"last|this)\b",
            rest,
            re.IGNORECASE,
        )
    ):
        return []
    years = _years(found["age"])
    if not 5 <= years <= 115:
        return []
    return [Found(found.start("age"), found.end("age"), str(years))]


def _years(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return sum(lexicon.NUMBER_WORDS.get(part, 0) for part in re.split(r"[- ]", text.lower()))


_MONTH = "|".join(sorted(lexicon.MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?:on\s+)?(?:the\s+)?(?P<date>(?:{_MONTH})\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?"
    rf"(?:,?\s+\d{{4}})?|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b(?:,?\s+\d{{4}})?"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})",
    re.IGNORECASE,
)


def date(text: str, start: int, end: int) -> list[Found]:
    """A day of a month, with or without its year, as written (month capitalised)."""
    found = _DATE.match(text, start, end)
    if not found:
        return []
    value = re.sub(
        rf"\b(?:{_MONTH})\b", lambda m: m[0].capitalize(), found["date"], flags=re.IGNORECASE
    )
    return [Found(found.start("date"), found.end("date"), value)]
