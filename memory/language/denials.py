"""Whether one sentence denies having what another takes for granted. Pure.

It is told by the form of the two: "I have no brother" beside "my brother", "never been married"
beside "my ex-husband". What came or ended since the earlier of the two is a change, and no
contradiction.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

from memory.language.text import terms

# Without one of these nothing is denied.
_NEGATIVE = re.compile(
    r"\b(?:no|not|never|\w+n't|dont|cant|havent|cannot|only child|single|child-?free|childless"
    r"|unmarried)\b",
    re.IGNORECASE,
)
# What came about since an earlier sentence, and what ended since.
_CAME = re.compile(
    r"\b(?:got|get|bought|adopted|new|just|finally|now|expecting|born|since|joined|moved|found"
    r"|started|starting|learn\w*|lessons?|signed)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:any ?more|any longer|no longer|sold|died|passed|dead|gone|lost|left|split|divorced|since"
    r"|now|stopped|quit|gave up|given up|this (?:week|month|year))\b",
    re.IGNORECASE,
)
# What is only wished for, supposed, of long ago or somebody else's.
_NOT_HELD = re.compile(
    r"\b(?:if|wish\w*|would|want\w*|dream\w*|looking for|used to|when i was|as a (?:kid|child)"
    r"|years ago|once|one day|someday|future|died|passed away|late|was|were|wasn't|in[- ]laws?"
    r"|neighbou?r\w*|next door|borrow\w*|hired?|rent(?:ed|al))\b",
    re.IGNORECASE,
)
_HAS_NONE = re.compile(
    r"\b(?:i|we)(?:'ve| have)?\s+(?:(?:have|got|own|keep|ve)\s+no"
    r"|(?:do not|don'?t|never|have not|haven'?t)\s+(?:have|had|own|owned|got|keep|kept)"
    r"(?:\s+(?:an?|any))?)\s+(?!to\b)(?P<thing>[\w-]+)",
    re.IGNORECASE,
)
# How having none of a kind is told, whatever the kind.
_NONE_OF = r"(?:no|(?:\w+n'?t|not|never) (?:have|had|own|owned|got|keep|kept)(?: an?| any)?)"
_HAS = re.compile(
    r"\b(?:(?:my|our)|(?:i|we)(?:'ve got| have(?: got)?| own| keep)(?: an?| two| three)?)\s+"
    r"(?!to\b)(?P<things>[\w-]+(?:\s+(?!to\b)[\w-]+){0,2})",
    re.IGNORECASE,
)


def denies(new: str, old: str) -> bool:
    """Whether `new` denies what `old`, which was said before, takes for granted, or the reverse."""
    if not (_NEGATIVE.search(new) or _NEGATIVE.search(old)):
        return False
    if _denies_having(new, old):
        return not _ENDED.search(new)
    return _denies_having(old, new) and not _CAME.search(new)


def _denies_having(denial: str, claim: str) -> bool:
    if _NOT_HELD.search(claim):
        return False
    held = " ".join(match["things"] for match in _HAS.finditer(claim))
    named = {terms.stem_id(word) for word in terms.split_words(held)}
    lacking = {terms.stem_id(match["thing"].lower()) for match in _HAS_NONE.finditer(denial)}
    if named & lacking:
        return True
    return any(none.search(denial) and any_of.search(held) is not None for none, any_of in _kinds())


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """How having nobody or nothing of a kind is told, and the words for whoever is of it."""
    read = tomllib.loads(Path(__file__).with_name("denials.toml").read_text("utf-8"))
    return tuple(
        (
            re.compile(rf"\b(?:{kind['none']}|{_NONE_OF} (?:{kind['noun']}))\b", re.IGNORECASE),
            re.compile(rf"\b(?:{kind['any']})\b", re.IGNORECASE),
        )
        for kind in read.values()
    )
