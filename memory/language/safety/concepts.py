"""Words for one thing in nine languages, out of a data file: what some rules are composed of."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from memory.language.safety import obfuscation

# What ends a sentence; the dot of an address and of a figure does not.
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?]*")
_STROKES = str.maketrans("łøđħ", "lodh")
_NEVER = re.compile(r"(?!)")
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru")
_FILE = Path(__file__).with_name("concepts.toml")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences and lines of a text stand, each with the mark that ends it."""
    for match in _SENTENCE.finditer(text):
        if match[0].strip():
            yield match.span()


def folded(sentence: str) -> str:
    """A sentence as the concepts are written: no case, no accents, no curly quotes."""
    return without_strokes(obfuscation.fold_text(sentence))


def without_strokes(folded_text: str) -> str:
    """The strokes through letters, which are no accents to Unicode, taken away too."""
    return folded_text.translate(_STROKES)


def holds(folded_sentence: str, *concepts: str) -> bool:
    """Whether a folded sentence has a word for each of these concepts, all in one language: what
    hides in French is stored in English.
    """
    if not all(pattern(concept).search(folded_sentence) for concept in concepts):
        return False
    return len(concepts) == 1 or any(
        all(pattern(concept, language).search(folded_sentence) for concept in concepts)
        for language in LANGUAGES
    )


def without(folded_sentence: str, *concepts: str) -> str:
    """What is left of a folded sentence without the words for these concepts."""
    for concept in concepts:
        folded_sentence = pattern(concept).sub(" ", folded_sentence)
    return folded_sentence.strip()


@cache
def pattern(concept: str, language: str = "") -> re.Pattern[str]:
    """The words for a concept in one language or all, whole ones. Made when first asked for."""
    words = _all()[concept]
    spoken = (language, "any") if language else words.keys()
    entries = {entry for each in spoken for entry in words.get(each, ())}
    if not entries:
        return _NEVER
    longest_first = sorted(entries, key=lambda entry: (-len(entry), entry))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_as_pattern, longest_first))})(?!\w)")


def _as_pattern(entry: str) -> str:
    """A star ends a word, or stands for one alone, a stroke parts two words for one place; blanks
    are of any length.
    """
    return r"\s+".join(_one_of(word.split("|")) for word in folded(entry).split())


def _one_of(words: list[str]) -> str:
    either = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words)
    return either if len(words) == 1 else f"(?:{either})"


@cache
def _all() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
