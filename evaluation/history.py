"""What earlier runs measured, a line of JSON each, and how the figures went from run to run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.figures import PARTS, Figure

# So many runs are shown, this one among them; the file has all.
SHOWN = 6
# Figures are shown to three digits: less is no change.
_SAME = 0.0005


class Run(NamedTuple):
    """One run: when it began, by which version, and each figure by its part and path."""

    at: str
    version: str
    figures: Mapping[str, float]


def key_of(part: str, figure: Figure) -> str:
    """What a figure is called in the history."""
    return ".".join((part, *figure.path))


def record(file: Path, run: Run) -> list[Run]:
    """Put a run into the file, once however often it is told; returns all, the oldest first."""
    runs = [each for each in _read(file) if each.at != run.at] + [run]
    written = file.with_suffix(".new")
    lines = (json.dumps(each._asdict()) + "\n" for each in runs)
    written.write_text("".join(lines), encoding="utf-8")
    written.replace(file)
    return runs


def _read(file: Path) -> Iterator[Run]:
    """A line that is no run is passed over."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    for line in lines:
        with suppress(ValueError, TypeError):
            yield Run(**json.loads(line))


def figures_of(found: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """All figures that were measured."""
    measured = {
        key_of(name, figure): figure.of(result)
        for name, result in found.items()
        for figure in PARTS[name].figures
    }
    return {key: value for key, value in measured.items() if value is not None}


def courses(part: str, runs: Sequence[Run]) -> Iterator[str]:
    """A table of the figures of a part that an earlier run has too; what got worse is marked."""
    lines = [line for figure in PARTS[part].figures for line in _course(part, figure, runs)]
    if lines:
        yield from ("From run to run, the oldest first:", "")
        yield from ("| figure | course | since the run before |", "|---|---|---|")
        yield from (*lines, "")


def _course(part: str, figure: Figure, runs: Sequence[Run]) -> Iterator[str]:
    key = key_of(part, figure)
    values = [run.figures[key] for run in runs if key in run.figures]
    if len(values) > 1 and key in runs[-1].figures:
        shown = " → ".join(f"{value:.3f}" for value in values[-SHOWN:])
        yield f"| {figure.name} | {shown} | {_change(figure, values[-1] - values[-2])} |"


def _change(figure: Figure, change: float) -> str:
    if abs(change) < _SAME:
        return "the same"
    better = (change > 0) == figure.high_is_good
    return f"better by {abs(change):.3f}" if better else f"**worse by {abs(change):.3f}**"
