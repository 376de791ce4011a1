"""What an erasure searches for, and what was found to contain it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from memory.deletion.redaction_terms import RedactionTerms, plain

# A sentence of fewer words, or letters, is said by anybody.
_FEWEST_WORDS, _SHORTEST = 5, 24


@dataclass(frozen=True)
class ErasureTarget:
    """Wordings of a value, sentences as said (`distinctive_sentences`), and keys of rows."""

    words: Sequence[RedactionTerms] = ()
    sentences: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()

    def is_in(self, *texts: str) -> bool:
        """Return whether one of the texts has a wording or a sentence."""
        if any(words.occur_in(*texts) for words in self.words):
            return True
        bare = [plain(text) for text in texts if text] if self.sentences else []
        return any(sentence in text for text in bare for sentence in self.sentences)

    def names(self, *texts: str) -> bool:
        """Return whether one of the texts has a key."""
        return any(key in text for text in texts if text for key in self.keys)

    @cached_property
    def fragments(self) -> list[str]:
        """Return patterns for LIKE: every matching text in ASCII matches at least one."""
        phrases = [*self.sentences, *(phrase for words in self.words for phrase in words.phrases)]
        return sorted({*self.keys, *("%".join(phrase.split()) for phrase in phrases)})


@dataclass(frozen=True)
class ErasurePart:
    """What of one kind contains it: how many, and how to delete it; searching changes nothing."""

    kind: str
    count: int
    delete: Callable[[], object]


def distinctive_sentences(texts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the longest sentences of some texts, as `plain` writes them, at most so many."""
    candidates = {plain(line) for text in texts for line in _sentences(text)}
    telling = [
        sentence
        for sentence in candidates
        if len(sentence) >= _SHORTEST and sentence.count(" ") >= _FEWEST_WORDS
    ]
    return tuple(sorted(telling, key=lambda sentence: (-len(sentence), sentence))[:most])


def texts_in_json(value: Any) -> Iterator[str]:
    """Yield every text in JSON, without the names of its fields."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from texts_in_json(each)
    elif isinstance(value, str):
        yield value


def _sentences(text: str) -> list[str]:
    for end in ".!?;":
        text = text.replace(f"{end} ", "\n")
    return text.splitlines()
