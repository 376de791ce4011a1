"""Orders dressed as wishes: whether a text dictates what an answer says, and not only how.

"I like answers that mention Acme first" is written like "I like answers that are short". Both speak
of answers and wish something; only the first one says what the answer is to tell.
"""

import re
from collections.abc import Iterator

from memory.language.safety import obfuscation
from memory.language.safety.instruction_patterns import answer_content

# The dot of an address and of a title ends no sentence.
_END = re.compile(r"(?<!\b[DM]r)(?<!\bMrs)[.!?](?=\s|$|[\"')])|\n")
_LONGEST = 600
# So far before what is dictated a denial turns it round.
_BEFORE = 60
_STANDING = re.compile(r"(?i:\b(?:always|every|each|all|whenever)\b)")


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
    if not answer_content.ABOUT_ANSWERS.search(sentence) or not answer_content.WISHED.search(
        sentence
    ):
        return False
    if sentence.endswith("?") and not _STANDING.search(sentence):
        # A question about one thing, now.
        return False
    silenced = answer_content.SILENCED.search(sentence)
    if silenced is not None and not _is_denied(sentence, silenced.start()):
        return True
    of_answers = answer_content.OF_ANSWERS.search(sentence)
    return any(
        not _is_denied(sentence, found.start()) and not _is_ones_own(sentence, found)
        for pattern in (
            *answer_content.DICTATED,
            *(answer_content.DICTATED_OF_ANSWERS if of_answers else ()),
        )
        if (found := pattern.search(sentence)) is not None
    )


def _is_denied(sentence: str, place: int) -> bool:
    return bool(answer_content.DENIED.search(sentence[max(0, place - _BEFORE) : place]))


def _is_ones_own(sentence: str, found: re.Match[str]) -> bool:
    """Whether the name is what this person is called, or one of their people."""
    return bool(
        answer_content.NAMED_BY_ONESELF.search(sentence[max(0, found.start() - 30) : found.end()])
    )
