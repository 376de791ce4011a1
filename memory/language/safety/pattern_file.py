"""TOML files of patterns that are composed of named parts and word lists."""

import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any

from memory.language.lazy_pattern import compile_lazily

_PLACE = re.compile(r"\{([A-Za-z_]+)(?: (\d+))?\}")
_LINE_BREAK = re.compile(r"\n *")


class PatternFile:
    """A file of patterns; the path is relative to this module.

    In a pattern, `{name}` is a word of that list, or the part of that name in any section; `{gap
    3}` is up to three words, `{within 40}` up to forty characters of one sentence. Line breaks and
    the blanks after them are ignored.
    """

    def __init__(self, name: str, **parts: str) -> None:
        """Read the file, with more parts by name. Raises OSError or tomllib.TOMLDecodeError."""
        text = (Path(__file__).parent / name).read_text(encoding="utf-8")
        self.sections: dict[str, dict[str, Any]] = {**tomllib.loads(text), "given": parts}

    @cached_property
    def _parts(self) -> dict[str, str]:
        return {
            name: part
            for section in self.sections.values()
            for name, part in section.items()
            if isinstance(part, str)
        }

    def any_of(self, name: str) -> str:
        """Return a pattern for any word of a list; `_` in a word is a blank."""
        return f"(?:{'|'.join(self.sections['lists'][name].split())})".replace("_", " ")

    def part(self, name: str) -> str:
        """Return the pattern of a name with its parts filled in."""
        return self.composed(self._parts[name])

    def compiled(self, name: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
        """Return the pattern of a name, compiled at first use."""
        return compile_lazily(self.part(name), flags)

    def composed(self, written: str) -> str:
        """Return a pattern as written in the file with its parts filled in."""
        return _PLACE.sub(self._in_place, _LINE_BREAK.sub("", written))

    def _in_place(self, match: re.Match[str]) -> str:
        name, number = match.groups()
        if name == "gap":
            # Possessive quantifiers: chains of hyphenated words are tried once.
            return rf"[^\w.!?\n]++(?:(?:\w++['-]++(?=\w)){{0,3}}\w++[^\w.!?\n]++){{0,{number}}}"
        if name == "within":
            return rf"[^.!?\n]{{0,{number}}}"
        return self.any_of(name) if name in self.sections.get("lists", ()) else self.part(name)
