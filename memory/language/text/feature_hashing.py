"""Parts of a text as counts of fixed length, whatever the text's: the hashing trick."""

import zlib
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

_LETTERS = (3, 4, 5)


def word_pieces(words: Iterable[str]) -> Iterator[str]:
    """Three to five letters in a row of each word; a misspelled one shares most of its own."""
    for word in words:
        marked = f"<{word}>"
        for letters in _LETTERS:
            yield from (
                marked[index : index + letters] for index in range(len(marked) - letters + 1)
            )


def hashed_counts(parts: Iterable[str], places: int) -> npt.NDArray[np.float64]:
    """How many of the parts fall on each of so many places."""
    found = [zlib.crc32(part.encode()) % places for part in parts]
    return np.bincount(found, minlength=places).astype(np.float64) if found else np.zeros(places)
