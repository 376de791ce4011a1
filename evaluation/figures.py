"""The tracked figures from `figures.toml`: their meaning, and whether higher is better."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A figure in the result of a part; `key` is its name in report.json."""

    path: tuple[str, ...]
    name: str
    means: str
    target: float | None = None
    high_is_good: bool = True
    key: str = ""
    is_share: bool = True

    def of(self, result: Mapping[str, Any]) -> float | None:
        """Return the figure's value in a part's result; None if it was not measured."""
        value: Any = result
        for step in self.path:
            value = value.get(step) if isinstance(value, Mapping) else None
        return value if isinstance(value, int | float) else None

    def is_reached(self, value: float) -> bool | None:
        """Return whether the target is reached; None without a target."""
        if self.target is None:
            return None
        return value >= self.target if self.high_is_good else value <= self.target


@dataclass(frozen=True)
class Part:
    """Figures measured together, and the folders with their data."""

    title: str
    about: str
    folders: tuple[str, ...]
    figures: tuple[Figure, ...]


def _read() -> dict[str, Part]:
    parts = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {name: _part(**told) for name, told in parts.items()}


def _part(title: str, about: str, folders: list[str], figures: list[dict[str, Any]]) -> Part:
    made = (Figure(**(figure | {"path": tuple(figure["path"])})) for figure in figures)
    return Part(title, about, tuple(folders), tuple(made))


_FILE = Path(__file__).with_suffix(".toml")
PARTS = _read()
