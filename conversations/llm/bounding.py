"""Bounding the length of what a model writes, whether or not its server does."""

from collections.abc import Iterable, Iterator

from memory.language.text.token_count import count_tokens

# The bound where the settings name none, in tokens.
MOST_TOKENS = 32_768
# The model's own tokenizer is not known, so a fifth more is let through. Text is too long when the
# tokenizer used here says so, and when it has more characters a token than text mostly has; with so
# many, whatever the tokenizer says.
_MORE, _USUAL, _MOST_A_TOKEN = 1.2, 4, 16
# Characters that are looked at together.
_BLOCK = 256


class TokenBound:
    """Counts what a model writes; `full` once it is more than `most` tokens, 0 for MOST_TOKENS."""

    def __init__(self, most: int) -> None:
        self.full = False
        self._most = _MORE * (most if most > 0 else MOST_TOKENS)
        self._characters = self._tokens = 0
        self._uncounted: list[str] = []

    def fitting(self, text: str) -> Iterator[str]:
        """Yield the beginning of a text, in blocks, up to the one that fills it."""
        for start in range(0, len(text), _BLOCK):
            if self.full:
                return
            block = text[start : start + _BLOCK]
            self.count([block])
            yield block

    def count(self, texts: Iterable[str]) -> None:
        """Count texts that are not given out."""
        for text in texts:
            self._uncounted.append(text)
            self._characters += len(text)
        if self._characters > _MOST_A_TOKEN * self._most:
            self.full = True
        elif self._characters > _USUAL * self._most:
            self._tokens += count_tokens("".join(self._uncounted))
            self._uncounted.clear()
            self.full = self._tokens > self._most
