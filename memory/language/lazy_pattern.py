"""Regular expressions that are compiled at first use.

There are hundreds of patterns; a message needs some of them, and most processes none. Compiling all
takes longer than the rest of the start-up.
"""

import re
import threading
from typing import Any, cast

# Reentrant, because compiling one pattern may compile another.
_LOCK = threading.RLock()


def compile_lazily(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern like `re.compile`, compiled at its first use.

    An invalid pattern raises `re.error` only then. Functions of `re` do not accept such a pattern:
    call its methods.
    """
    lazy = _LazyPattern(pattern, flags)
    _MADE.append(lazy)
    return cast("re.Pattern[str]", lazy)


def compile_patterns() -> None:
    """Compile all patterns created so far, for processes that will need them."""
    for pattern in tuple(_MADE):
        pattern.compile()


class _LazyPattern:
    """A stand-in for `re.Pattern`; `pattern` and `flags` are available without compiling."""

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
        """Return the compiled pattern; thread-safe."""
        with _LOCK:
            if self._compiled is None:
                self._compiled = re.compile(self.pattern, self.flags)
            return self._compiled


_MADE: list[_LazyPattern] = []
