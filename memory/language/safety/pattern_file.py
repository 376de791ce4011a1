"""Patterns kept as data: a TOML file of patterns that are made of named parts and word lists."""

import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any

from memory.language.lazy_pattern import compile_lazily

_PLACE = re.compile(r"\{([A-Za-z_]+)(?: (\d+))?\}")
_LINE_BREAK = re.compile(r"\n *")


class PatternFile:
    """The sections of such a file, its path from here, by name, and what their patterns stand for.

    In a pattern `{name}` stands for one of the words of that list, or for the part of that name in
    any section; `{gap 3}` for up to three words and `{within 40}` for up to forty characters of one
    sentence. A line break and the blanks after it mean nothing.
    """

    def __init__(self, name: str, **parts: str) -> None:
        """Read the file, with more parts by name; raises `OSError` or `tomllib.TOMLDecodeError`
        where that fails.
        """
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
        """Return one of the words of a list, as a part of a pattern; `_` in it is a blank."""
        return f"(?:{'|'.join(self.sections['lists'][name].split())})".replace("_", " ")

    def part(self, name: str) -> str:
        """Return the pattern of that name with all that it is made of."""
        return self.composed(self._parts[name])

    def compiled(self, name: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
        """Return the pattern of that name, compiled when it is first used."""
        return compile_lazily(self.part(name), flags)

    def composed(self, written: str) -> str:
        """Return a pattern as it is written in the file, with all that it is made of."""
        return _PLACE.sub(self._in_place, _LINE_BREAK.sub("", written))

    def _in_place(self, match: re.Match[str]) -> str:
        name, number = match.groups()
        if name == "gap":
            # Each word is read in one go: of a chain of hyphens no share is tried after the other.
            return rf"[^\w.!?\n]++(?:(?:\w++['-]++(?=\w)){{0,3}}\w++[^\w.!?\n]++){{0,{number}}}"
        if name == "within":
            return rf"[^.!?\n]{{0,{number}}}"
        return self.any_of(name) if name in self.sections.get("lists", ()) else self.part(name)
