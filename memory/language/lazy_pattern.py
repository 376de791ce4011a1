"""Regular expressions that are compiled when they are first used.

The rules about language are hundreds of patterns; a message needs some of them, and most processes
none. Compiling them all takes longer than everything else at the start together.
"""

import re
import threading
from typing import Any, cast

# Composing one pattern may need another.
_LOCK = threading.RLock()


def compile_lazily(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern like `re.compile` does, compiled at its first use.

    A pattern with a mistake in it raises `re.error` then, and not here. The functions of `re` take
    no such pattern in place of a text: call its methods.
    """
    lazy = _LazyPattern(pattern, flags)
    _MADE.append(lazy)
    return cast("re.Pattern[str]", lazy)


def compile_patterns() -> None:
    """Compile every pattern created so far, for processes that will need them."""
    for pattern in tuple(_MADE):
        pattern.compile()


class _LazyPattern:
    """Looks like `re.Pattern`; its text and its flags are there without compiling."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags | re.UNICODE.value
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        """Return a missing attribute from the compiled pattern, and cache it."""
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self.compile(), name)
        setattr(self, name, value)
        return value

    def compile(self) -> re.Pattern[str]:
        """Return the compiled pattern, the same to all threads."""
        with _LOCK:
            if self._compiled is None:
                self._compiled = re.compile(self.pattern, self.flags)
            return self._compiled


_MADE: list[_LazyPattern] = []
