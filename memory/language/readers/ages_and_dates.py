"""Readers for an age, and for a day of the year."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon, load_lexicon
from memory.language.readers.phrases import STOP, Value, is_word

_NO_AGE = load_lexicon("no_ages")
_YEARS_OLD = re.compile(r"(\d\d)-years?-old")
_TENS = lexicon.word_set("twenty thirty forty fifty sixty seventy eighty ninety")


def age(said: Tokens, at: int, stop: int) -> list[Value]:
    """An age in years between 5 and 115, as digits."""
    joined = _YEARS_OLD.fullmatch(said.words[at]) if at < stop else None
    if joined:
        return [Value(at, at + 1, joined[1])]
    years, end = _number(said, at, stop)
    if not 5 <= years <= 115:
        return []
    after = said.words[end] if end < stop else ""
    unit = after in {"years", "year", "yrs", "yr", "yo", "year-old", "years-old"}
    if unit:
        end += 1
        rest = said.words[end : end + 2]
        if (
            rest[:1] not in {("old",), ()}
            and rest[:1] != ("of",)
            and is_word(said, min(end, stop - 1))
        ):
            return []
    elif (
        after in _NO_AGE
        or (after == "," and said.words[end + 1 : end + 2] and said.words[end + 1].isdigit())
        or (after and is_word(said, end) and after not in STOP | {"old", "male", "female", "btw"})
    ):
        return []
    return [Value(at, end, str(years))]


def _number(said: Tokens, at: int, stop: int) -> tuple[int, int]:
    if at >= stop:
        return 0, at
    word = said.words[at]
    if word.isdecimal():
        return (int(word), at + 1) if len(word) < 4 else (0, at)
    whole = word.split("-")[0]
    if whole in _TENS and "-" in word:
        return lexicon.NUMBER_WORDS[whole] + lexicon.NUMBER_WORDS.get(word.split("-")[1], 0), at + 1
    value = lexicon.NUMBER_WORDS.get(word, 0)
    if word in _TENS and at + 1 < stop and lexicon.NUMBER_WORDS.get(said.words[at + 1], 10) < 10:
        return value + lexicon.NUMBER_WORDS[said.words[at + 1]], at + 2
    return (value, at + 1) if value > 12 else (0, at)


_FEASTS = {
    "halloween": "31 October", "christmas day": "25 December", "christmas eve": "24 December",
    "christmas": "25 December", "boxing day": "26 December", "new year's eve": "31 December",
    "new year's day": "1 January", "valentine's day": "14 February",
    "valentines day": "14 February",
    "leap day": "29 February", "april fools' day": "1 April", "april fools day": "1 April",
    "st patrick's day": "17 March", "independence day": "4 July",
}  # fmt: skip
_MONTH = "|".join(sorted(lexicon.MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?:the )?(?:(?P<feast>{'|'.join(sorted(_FEASTS, key=len, reverse=True))}) (?!island|week)|"
    rf"(?:(?:{_MONTH}) (?:\. )?(?:the )?\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)? "
    rf"(?:of )?"
    rf"(?:{_MONTH})) (?:,? ?\d{{4}} )?|\d{{4}}-\d{{2}}-\d{{2}} |"
    rf"\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}} )"
)


def date(said: Tokens, at: int, stop: int) -> list[Value]:
    """A day of the year as written, its month with a capital."""
    found = _DATE.match(said.line, said.offset(at), said.offset(stop)) if at < stop else None
    if not found:
        return []
    end = said.position(found.end())
    feast = _FEASTS.get(found["feast"] or "")
    first = at + 1 if said.words[at] == "the" else at
    value = feast or re.sub(
        rf"\b(?:{_MONTH})\b",
        lambda m: m[0].capitalize(),
        said.said(first, end),
        flags=re.IGNORECASE,
    )
    return [Value(first, end, value)]


def day_or_month(said: Tokens, at: int, stop: int) -> list[Value]:
    """A day of the year, or only its month."""
    found = date(said, at, stop)
    if found or at >= stop or said.words[at] not in lexicon.MONTHS:
        return found
    return [Value(at, at + 1, lexicon.MONTHS[said.words[at]].capitalize())]
