"""Bounding the length of what a model writes, even if its server does not."""

from collections.abc import Iterable, Iterator

from memory.language.text.token_count import count_tokens

# The bound if the settings give none, in tokens.
MOST_TOKENS = 32_768
# Factor on the bound, because the model's own tokenizer is unknown; characters per token below
# which tokens are not counted; and above which a text is always too long.
_MORE, _USUAL, _MOST_A_TOKEN = 1.2, 4, 16
# Characters that are counted together.
_BLOCK = 256


class TokenBound:
    """Counts the tokens that a model writes; `full` above `most` (0: MOST_TOKENS)."""

    def __init__(self, most: int) -> None:
        self.full = False
        self._most = _MORE * (most if most > 0 else MOST_TOKENS)
        self._characters = self._tokens = 0
        self._uncounted: list[str] = []

    def fitting(self, text: str) -> Iterator[str]:
        """Yield a text in blocks and count it, up to the block that reaches the bound."""
        for start in range(0, len(text), _BLOCK):
            if self.full:
                return
            block = text[start : start + _BLOCK]
            self.count([block])
            yield block

    def count(self, texts: Iterable[str]) -> None:
        """Count texts that are not shown, such as arguments of calls."""
        for text in texts:
            self._uncounted.append(text)
            self._characters += len(text)
        if self._characters > _MOST_A_TOKEN * self._most:
            self.full = True
        elif self._characters > _USUAL * self._most:
            self._tokens += count_tokens("".join(self._uncounted))
            self._uncounted.clear()
            self.full = self._tokens > self._most
