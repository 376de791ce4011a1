"""Finding the contributor's own content in a lesson: values, names, and quoted words."""

import re
from collections.abc import Collection, Iterator

# This many words in a row from a message are a quotation.
_QUOTED = 6
_WORD = re.compile(r"[^\W_]+")
_LEAST = 3


def values_in(words: list[str], private: Collection[str], terms: Collection[str]) -> Iterator[str]:
    """Yield the private values in a text, or a name that is part of one."""
    padded = f" {' '.join(words)} "
    for value in private:
        own = words_of(value)
        if own and not set(own) <= set(terms) and f" {' '.join(own)} " in padded:
            yield value
            continue
        for part in _WORD.findall(value):
            named = part[:1].isupper() and len(part) >= _LEAST and len(own) > 1
            if named and part.lower() not in terms and f" {part.lower()} " in padded:
                yield part


def quotations_in(words: list[str], messages: Collection[str]) -> Iterator[str]:
    """Yield runs of words that also occur in one of the contributor's messages."""
    runs = {tuple(words[at : at + _QUOTED]) for at in range(len(words) - _QUOTED + 1)}
    if not runs:
        return
    for message in messages:
        own = words_of(message)
        for index in range(len(own) - _QUOTED + 1):
            if (run := tuple(own[index : index + _QUOTED])) in runs:
                yield " ".join(run)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return [word.lower() for word in _WORD.findall(text)]
