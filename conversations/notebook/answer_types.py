"""What kind of thing a question asks for, and whether a sentence tells one.

"How old is Max?" is answered by a number of years and seldom by the word "old"; "where" by a place.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from memory.language import AGE_PATTERN, DIET_PATTERN, load_lexicon, split_words, stem_id

_NUMBER = r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MONEY = re.compile(
    r"[£€$]|\b\d+(?:[.,]\d+)? ?(?:euros?|pounds?|dollars?|quid|eur|usd)\b", re.IGNORECASE
)
_JOB = re.compile(
    r"\b(?:works?|working|employed|runs?|(?:is|was|as|'s) (?:an?|the) (?:\w+ ){0,2}\w+)\b",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:cho[os]\w*|decid\w+|pick\w*|opt\w* for|(?:go|went) with)\b", re.IGNORECASE
)
_NAMED_PLACE = re.compile(
    r"\b(?:[Ii]n|[Aa]t|[Tt]o|[Ff]rom|[Nn]ear|[Tt]hrough|[Vv]isit\w*|[Ss]aw) (?:the )?[A-Z]"
)
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|on|by|behind|under|next door|here|there|home|abroad|street|road)\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"\b(?:i|we|my|our|i'm|we're)\b", re.IGNORECASE)
# A name within a sentence, or somebody of the family.
_SOMEBODY = re.compile(r"(?<=[\w,'’] )[A-Z][\w'-]+")
_HELD_BEFORE = re.compile(
    r"\b(?:used to|old|former\w*|ex|previous\w*|before|earlier|from|was|were|had|\w+ed)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(rf"\d|\b(?:{_NUMBER}|an?|both|couple|dozen|none|no)\b", re.IGNORECASE)

Tells = Callable[[str], object]
_BY_WORD: dict[str, Tells] = {
    **dict.fromkeys(("old", "age"), AGE_PATTERN.search),
    **dict.fromkeys(
        ("eat", "cook", "food", "diet", "allergic", "allergy", "allergies"), DIET_PATTERN.search
    ),
    **dict.fromkeys(("cost", "costs", "price", "pay"), _MONEY.search),
    **dict.fromkeys(("living", "job", "work", "profession"), _JOB.search),
    **dict.fromkeys(("choose", "decide", "pick", "chosen", "decided"), _DECIDED.search),
    **dict.fromkeys(
        ("city", "cities", "town", "country", "countries", "place", "places"), _NAMED_PLACE.search
    ),
    **dict.fromkeys(("sport", "sports", "hobby", "hobbies"), lambda text: _has("pastimes", text)),
    **dict.fromkeys(("language", "languages"), lambda text: _has("languages", text)),
}
# The kinds that questions ask for; of a strict one nothing else is an answer.
_STRICTLY: tuple[tuple[re.Pattern[str], Tells], ...] = (
    (re.compile(r"\bhow old\b", re.IGNORECASE), AGE_PATTERN.search),
    (re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE), _FIGURE.search),
    (
        re.compile(r"\bbefore\W*$|\b(?:previously|formerly|used to)\b", re.IGNORECASE),
        _HELD_BEFORE.search,
    ),
)
_MOSTLY: tuple[tuple[re.Pattern[str], Tells], ...] = (
    (re.compile(r"\bwho\b", re.IGNORECASE), lambda text: _SOMEBODY.search(text) or _kin(text)),
    (re.compile(r"\bwhere\b", re.IGNORECASE), _PLACE.search),
)
_WHO_IS = re.compile(r"\bwho(?:'s| is| was) (?:my )?(?P<whom>[\w'-]+)", re.IGNORECASE)
# Only where the thing ends the question: a "favourite book series" may be told by its name alone.
_FAVOURITE = re.compile(r"\bfavou?rite (?P<what>[\w-]+)\W*$", re.IGNORECASE)


def word_is_told(word: str, text: str) -> bool:
    """Whether a text tells what a word of a question asks for: "old" by a number of years."""
    tells = _BY_WORD.get(word)
    return tells is not None and bool(tells(text))


def of_its_kind(question: str, texts: Sequence[str]) -> list[bool]:
    """Which of the texts tell the kind of thing that is asked for.

    Where none does, all may; but nothing tells an age, an amount or a favourite that has none.
    """
    tells, strict = _expected(question)
    told = [bool(tells(text)) for text in texts]
    return told if strict or any(told) else [True] * len(told)


def is_of_another(question: str, text: str) -> bool:
    """Whether a text speaks of somebody of the family, and the question of who asks alone."""
    return _kin(text) and _OF_ONESELF.search(question) is not None and not _kin(question)


def _expected(question: str) -> tuple[Tells, bool]:
    """What tells the kind of thing that a question asks for, and whether nothing else answers."""
    for asks, tells in _STRICTLY:
        if asks.search(question):
            return tells, True
    if favourite := _FAVOURITE.search(question):
        what = {stem_id(favourite["what"].lower())}
        return lambda text: not what.isdisjoint(map(stem_id, split_words(text))), True
    if who_is := _WHO_IS.search(question):
        return _introduces(who_is["whom"]).search, False
    return next((tells for asks, tells in _MOSTLY if asks.search(question)), bool), False


def _introduces(whom: str) -> re.Pattern[str]:
    """What says who somebody is: "Anna is ...", "my cousin Ben", "... is my landlord"."""
    name = re.escape(whom)
    return re.compile(
        rf"\b{name}(?:'s)? (?:is|was|are)\b|\b{name},|\bmy (?:\w+ ){{1,2}}{name}\b"
        rf"|\b(?:is|called|named) (?:my )?{name}\b|\b{name}(?:'s)? (?:called|name)",
        re.IGNORECASE,
    )


@cache
def _entries(name: str) -> frozenset[str]:
    return load_lexicon(name)


def _has(lexicon: str, text: str) -> bool:
    said = split_words(text)
    pairs = map(" ".join, pairwise(said))
    return not _entries(lexicon).isdisjoint([*said, *pairs])


def _kin(text: str) -> bool:
    return _has("kin", text)
