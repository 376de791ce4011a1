"""What an erasure searches for, and the parts that it finds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from memory.deletion.redaction_terms import RedactionTerms, plain

# Sentences with fewer words or characters are not distinctive.
_FEWEST_WORDS, _SHORTEST = 5, 24


@dataclass(frozen=True)
class ErasureTarget:
    """What is searched for: wordings of a value, distinctive sentences, and ids of rows."""

    words: Sequence[RedactionTerms] = ()
    sentences: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()

    def is_in(self, *texts: str) -> bool:
        """Return whether one of the texts contains a wording or a sentence."""
        if any(words.occur_in(*texts) for words in self.words):
            return True
        bare = [plain(text) for text in texts if text] if self.sentences else []
        return any(sentence in text for text in bare for sentence in self.sentences)

    def names(self, *texts: str) -> bool:
        """Return whether one of the texts contains an id."""
        return any(key in text for text in texts if text for key in self.keys)

    @cached_property
    def fragments(self) -> list[str]:
        """LIKE patterns, of which every matching ASCII text matches at least one."""
        phrases = [*self.sentences, *(phrase for words in self.words for phrase in words.phrases)]
        return sorted({*self.keys, *("%".join(phrase.split()) for phrase in phrases)})


@dataclass(frozen=True)
class ErasurePart:
    """The found data of one kind: how many, and a function that deletes them."""

    kind: str
    count: int
    delete: Callable[[], object]


def distinctive_sentences(texts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the `most` longest distinctive sentences of some texts, normalised by `plain`."""
    candidates = {plain(line) for text in texts for line in _sentences(text)}
    telling = [
        sentence
        for sentence in candidates
        if len(sentence) >= _SHORTEST and sentence.count(" ") >= _FEWEST_WORDS
    ]
    return tuple(sorted(telling, key=lambda sentence: (-len(sentence), sentence))[:most])


def texts_in_json(value: Any) -> Iterator[str]:
    """Yield every string in JSON data, without field names."""
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
