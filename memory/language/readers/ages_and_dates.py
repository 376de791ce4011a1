"""Readers for an age, and for a day of the year."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon, load_lexicon
from memory.language.readers.phrases import STOP, Value, is_word

_NO_AGE = load_lexicon("no_ages")
_YEARS_OLD = re.compile(r"(\d\d)-years?-old")
_TENS = lexicon.word_set("twenty thirty forty fifty sixty seventy eighty ninety")


def age(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """An age in years between 5 and 115, as digits."""
    joined = _YEARS_OLD.fullmatch(tokens.words[index]) if index < stop else None
    if joined:
        return [Value(index, index + 1, joined[1])]
    years, end = _number(tokens, index, stop)
    if not 5 <= years <= 115:
        return []
    after = tokens.words[end] if end < stop else ""
    unit = after in {"years", "year", "yrs", "yr", "yo", "year-old", "years-old"}
    if unit:
        end += 1
        rest = tokens.words[end : end + 2]
        if (
            rest[:1] not in {("old",), ()}
            and rest[:1] != ("of",)
            and is_word(tokens, min(end, stop - 1))
        ):
            return []
    elif (
        after in _NO_AGE
        or (after == "," and tokens.words[end + 1 : end + 2] and tokens.words[end + 1].isdigit())
        or (after and is_word(tokens, end) and after not in STOP | {"old", "male", "female", "btw"})
    ):
        return []
    return [Value(index, end, str(years))]


def _number(tokens: Tokens, index: int, stop: int) -> tuple[int, int]:
    if index >= stop:
        return 0, index
    word = tokens.words[index]
    if word.isdecimal():
        return (int(word), index + 1) if len(word) < 4 else (0, index)
    whole = word.split("-")[0]
    if whole in _TENS and "-" in word:
        return lexicon.NUMBER_WORDS[whole] + lexicon.NUMBER_WORDS.get(
            word.split("-")[1], 0
        ), index + 1
    value = lexicon.NUMBER_WORDS.get(word, 0)
    if (
        word in _TENS
        and index + 1 < stop
        and lexicon.NUMBER_WORDS.get(tokens.words[index + 1], 10) < 10
    ):
        return value + lexicon.NUMBER_WORDS[tokens.words[index + 1]], index + 2
    return (value, index + 1) if value > 12 else (0, index)


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


def date(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A day of the year as written, its month with a capital."""
    match = (
        _DATE.match(tokens.line, tokens.offset(index), tokens.offset(stop))
        if index < stop
        else None
    )
    if not match:
        return []
    end = tokens.position(match.end())
    feast = _FEASTS.get(match["feast"] or "")
    first = index + 1 if tokens.words[index] == "the" else index
    value = feast or re.sub(
        rf"\b(?:{_MONTH})\b",
        lambda m: m[0].capitalize(),
        tokens.said(first, end),
        flags=re.IGNORECASE,
    )
    return [Value(first, end, value)]


def day_or_month(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A day of the year, or only its month."""
    found = date(tokens, index, stop)
    if found or index >= stop or tokens.words[index] not in lexicon.MONTHS:
        return found
    return [Value(index, index + 1, lexicon.MONTHS[tokens.words[index]].capitalize())]
