"""Private matters, however they are told: past, denied, of somebody else, in passing.

The grammar recognises what a person states about their own health or love. That is not all they
would not want to hear again elsewhere: "I'm not gay", "my wife has cancer" and "I was raped" state
nothing for a profile and are nobody's business all the same. So here single words are enough. What
is recognised makes the message confidential: it is quoted in its own conversation only, and no fact
or note is taken from the sentence. Rather too much than too little: it costs a note, not a trust.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import load_lexicon
from memory.language.safety import health_terms

if TYPE_CHECKING:
    from memory.language.reading import Reading

_OF_KIND = {
    slot: compile_lazily(rf"(?<!\w)(?:{health_terms.WORDS.part(slot)})(?!\w)", re.IGNORECASE)
    for slot in health_terms.WORDS.sections["themes"]
}
_PRIVATE = compile_lazily("|".join(one.pattern for one in _OF_KIND.values()), re.IGNORECASE)
# A sentence that begins with a pet and names no person.
_ONLY_OF_A_PET = compile_lazily(
    rf"\W*(?:our|my|the)\s+(?:[\w-]+\s+)?(?:{'|'.join(sorted(load_lexicon('pet_words')))})\b"
    r"(?:(?!\b(?:i|i'm|we|me|us|my|he|his|him)\b)[^.!?\n])*[.!?]?\s*",
    re.IGNORECASE,
)


def is_private_text(text: str) -> bool:
    """Whether a text touches what nobody should hear again in another conversation."""
    return bool(_PRIVATE.search(_plain(text)))


def private_stretches(reading: "Reading") -> list[tuple[int, int]]:
    """The sentences of a text that do, as [start, end) in characters."""
    plain = _plain(reading.text)
    return [
        (start, end)
        for start, end, _ in reading.all_sentences
        if _PRIVATE.search(plain, start, end)
    ]


def told_in(reading: "Reading") -> Iterator[tuple[int, int, str]]:
    """Every sentence as [start, end), with the private slot that it touches, '' for none."""
    for start, end, _ in reading.all_sentences:
        yield start, end, kind_of(reading.text[start:end])


def kind_of(sentence: str) -> str:
    """The slot of the first theme that a sentence touches; '' for none."""
    plain = _plain(sentence)
    if not _PRIVATE.search(plain):
        return ""
    return next(slot for slot, words in _OF_KIND.items() if words.search(plain))


def find_private_slots(text: str) -> set[str]:
    """Every private slot that a text touches."""
    plain = _plain(text)
    return {slot for slot, words in _OF_KIND.items() if words.search(plain)}


def _plain(text: str) -> str:
    """With straight marks, and without what somebody may not eat; no character is moved. What is
    said of a pet and of nobody else is nobody's secret.
    """
    plain = text.replace("’", "'")
    return "" if _ONLY_OF_A_PET.fullmatch(plain) else health_terms.without_food(plain)
