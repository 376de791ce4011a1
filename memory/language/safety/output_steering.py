"""Orders dressed as wishes: whether a text dictates what an answer says, and not only how.

"I like answers that mention Acme first" is written like "I like answers that are short". Both speak
of answers and wish something; only the first one says what the answer is to tell: a name to praise,
an address, a claim, a text to carry, a risk to be silent about.
"""

import re
from collections.abc import Iterator

from memory.language.safety import obfuscation
from memory.language.safety.instruction_patterns import pattern, patterns

# The dot of an address and of a title ends no sentence.
_END = re.compile(r"(?<!\b[DM]r)(?<!\bMrs)[.!?](?=\s|$|[\"')])|\n")
_LONGEST = 600
# So far before what is dictated a denial turns it round.
_BEFORE = 60
_ABOUT_ANSWERS, _OF_ANSWERS = pattern("about_answers"), pattern("of_answers")
_WISHED, _EVERY_TIME = pattern("wished"), pattern("every_time")
_SILENCED, _DENIED = pattern("silenced"), pattern("denied")
_DICTATED = patterns("dictated")
_DICTATED_OF_ANSWERS = patterns("dictated_of_answers")
_NAMED_BY_ONESELF = pattern("named_by_oneself")


def dictates(text: str) -> bool:
    """Whether a sentence of it orders what answers shall say. Pure, and never raises."""
    return any(_dictates(sentence) for sentence in _sentences(obfuscation.straight(text)))


def _sentences(text: str) -> Iterator[str]:
    """Each with the mark that ends it, in stretches that are quick to read."""
    start = 0
    for match in _END.finditer(text):
        yield from _stretches(text[start : match.end()])
        start = match.end()
    yield from _stretches(text[start:])


def _stretches(sentence: str) -> Iterator[str]:
    for start in range(0, len(sentence), _LONGEST):
        yield sentence[start : start + _LONGEST].strip()


def _dictates(sentence: str) -> bool:
    if not _ABOUT_ANSWERS.search(sentence) or not _WISHED.search(sentence):
        return False
    if sentence.endswith("?") and not _EVERY_TIME.search(sentence):
        # A question about one thing, now.
        return False
    silenced = _SILENCED.search(sentence)
    if silenced is not None and not _is_denied(sentence, silenced.start()):
        return True
    dictated = _DICTATED + (_DICTATED_OF_ANSWERS if _OF_ANSWERS.search(sentence) else ())
    return any(
        not _is_denied(sentence, match.start()) and not _is_ones_own(sentence, match)
        for one in dictated
        if (match := one.search(sentence)) is not None
    )


def _is_denied(sentence: str, position: int) -> bool:
    return bool(_DENIED.search(sentence[max(0, position - _BEFORE) : position]))


def _is_ones_own(sentence: str, match: re.Match[str]) -> bool:
    """Whether the name is what this person is called, or one of their people."""
    return bool(_NAMED_BY_ONESELF.search(sentence[max(0, match.start() - 30) : match.end()]))
