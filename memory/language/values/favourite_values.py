"""The reader for favourites: what is named after "my favourite colours are"."""

from __future__ import annotations

import re

from memory.language.values.activity_bounds import ALONE, with_company
from memory.language.values.compound_names import TITLES, pair
from memory.language.values.lists import MAX_ITEMS, VERB_ITEM
from memory.language.values.readers import Found, phrase
from memory.language.values.unusable import NOTHING, UNFIT


def favourite(text: str, start: int, end: int) -> list[Found]:
    """The value of "my favourite colour is blue"; the kind is added by the pattern."""
    fixed = TITLES.match(text, start, end) or pair(text, _after_determiner(text, start, end), end)
    if fixed:
        return [Found(fixed.start(), fixed.end(), fixed[0])]
    span = phrase(text, _after_determiner(text, start, end), end, 5, frozenset({"of", "the", "in"}))
    if span is None:
        return []
    done = ALONE.match(text, *span)
    stop = with_company(text, span, end, infinitive=False) if done else span[1]
    stop = span[1] if UNFIT.search(text, span[1], stop) else stop
    value = text[span[0] : stop]
    if value.lower().split()[0] in NOTHING or UNFIT.search(value):
        return []
    return [Found(span[0], stop, value), *_favoured_too(text, stop, end)]


# "Blue and red", "blue, red and also green": one is not enough. What follows must end as a list
# does, for "and" may also lead on to something else that is said.
_TOO = re.compile(
    r"\s*(?:,\s*(?:and\s+|or\s+)?|\s(?:and|or|&|as well as)\s+)(?:also\s+|maybe\s+|then\s+)?"
    r"(?:the\s+|an?\s+|my\s+)?(?!(?:i|it|we|you|my|that|this|they|he|she|so|but|because|what|how|"
    r"anything|everything|things?|stuff|yours|do|also|too|not|now|the|you|have|had|is|lol|haha|"
    r"all|any|some|its|just|though|thank|thanks|yes|no|who|which|when)\b)"
    r"(?P<one>[\w'&-]+(?:\s(?!(?:and|or|is|are|was)\b)[\w'&-]+){0,2})"
    r"(?=\s*(?:$|[.!?,]|and\s|or\s|too\b|as\s+well\b))",
    re.IGNORECASE,
)


def _favoured_too(text: str, at: int, end: int) -> list[Found]:
    """The things after the first of "my favourite colours are blue, red and green"."""
    result: list[Found] = []
    while len(result) < MAX_ITEMS - 1:
        more = _TOO.match(text, at, end)
        if more is None or (more[0].lstrip().startswith(",") and not _LISTED.match(text, at, end)):
            break
        one, at = more["one"], more.end()
        words_of = set(one.lower().split())
        if UNFIT.search(one) or words_of & NOTHING or VERB_ITEM.match(one) or len(one) < 3:
            break
        result.append(Found(*more.span("one"), one))
    return result


# After a comma another thing is named only if the list goes on or ends with it.
_LISTED = re.compile(
    r"\s*,\s*(?:(?:and|or)\s|[\w'&-]+(?:\s[\w'&-]+){0,2}?\s*(?:,|\s(?:and|or)\s))", re.IGNORECASE
)


def _after_determiner(text: str, start: int, end: int) -> int:
    found = re.compile(
        r"(?:(?:probably|definitely|by far|always|either|a|an|the|also|to|any|some)\s+)+",
        re.IGNORECASE,
    ).match(text, start, end)
    return found.end() if found else start
