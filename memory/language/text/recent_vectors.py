"""What was worked out of the last texts: a conversation asks of the same sentences again."""

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence

from memory.language.text.terms import Float32Array


class RecentVectors:
    """The vectors that were used last, by a digest of their text: nobody's words are kept."""

    def __init__(self, most: int) -> None:
        """Of so many texts."""
        self._most = most
        self._vectors: dict[bytes, Float32Array] = {}
        self._lock = threading.Lock()

    def find(
        self, texts: Sequence[str], make: Callable[[list[str]], Iterable[Float32Array]]
    ) -> list[Float32Array]:
        """A vector a text; `make` makes those that are not known, zeros where it cannot."""
        keys = [_key(text) for text in texts]
        known = {key: vector for key in keys if (vector := self._vectors.get(key)) is not None}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known |= zip(new, make(list(new.values())) if new else (), strict=True)
        # What failed is tried again the next time.
        self._put({key: vector for key, vector in known.items() if vector.any()})
        return [known[key] for key in keys]

    def _put(self, used: dict[bytes, Float32Array]) -> None:
        """Make these the last used; the longest unused go."""
        with self._lock:
            for key in used:
                self._vectors.pop(key, None)
            self._vectors |= used
            for key in list(self._vectors)[: max(0, len(self._vectors) - self._most)]:
                del self._vectors[key]


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
