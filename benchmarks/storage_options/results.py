"""What was measured as a page of Markdown and as JSON."""

import json
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.storage_options.designs import ProfileAndThreads
from benchmarks.storage_options.estimates import WITHIN, Operation, verdict
from benchmarks.storage_options.measuring import BLOCK, NAME, Figure, Measured, Size
from benchmarks.storage_options.pictures import picture
from benchmarks.support.markdown import table
from benchmarks.support.timing import SHORTEST

# The design that the study recommends; the others are told as multiples of it.
BASE = ProfileAndThreads.name
_HEAD = (
    "threads",
    "design",
    "least",
    "median",
    "95 %",
    f"times `{SHORTEST}`",
    "estimate",
    "holds",
    "times design 5",
    "estimate",
    "holds",
)


def write(folder: Path, measured: Measured) -> None:
    """Write options.md, options.json and options.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "options.md").write_text(page(measured) + "\n", encoding="utf-8")
    (folder / "options.svg").write_text(picture(measured), encoding="utf-8")
    data = json.dumps(as_data(measured), indent=1)
    (folder / "options.json").write_text(data + "\n", encoding="utf-8")


def page(measured: Measured) -> str:
    """A table an operation and one of sizes."""
    shortest = [each for figure in measured.figures for each in figure.times.shortest]
    parts = [
        f"{_machine()}. Milliseconds; a `{SHORTEST}` took {np.median(shortest):.3f} at the median."
        f" An estimate holds within {WITHIN:.0f} times either way: the median is not less than a"
        " third, and the fastest round not more than three times.",
    ]
    parts += ["", "## At a glance", "", "Medians (estimate: whether it holds).", ""]
    parts += [_at_a_glance(measured.figures, _absolute)]
    parts += ["", "Times design 5 (estimate: whether it holds).", ""]
    parts += [_at_a_glance(measured.figures, _relative)]
    for operation in Operation:
        figures = [figure for figure in measured.figures if figure.operation == operation]
        parts += ["", f"## {operation.capitalize()}", "", table(_HEAD, _rows(figures))]
    columns = ("threads", "operation", "what", "median", "times a block", "95 %", "times a block")
    parts += ["", f"## Beside {BLOCK}", "", table(columns, _beside_a_block(measured.figures))]
    head = ("threads", "design", "rows", "estimate", "MB", "estimate", "holds", "kB a memory")
    parts += ["", "## Size", "", table(head, map(_size, measured.sizes))]
    return "\n".join(parts)


def as_data(measured: Measured) -> dict[str, Any]:
    """The same for other programs: every single time, in milliseconds."""
    return {
        "machine": _machine(),
        "figures": [
            {
                "operation": figure.operation.value,
                "threads": figure.threads,
                "design": figure.who,
                "least": figure.times.at(0),
                "median": figure.times.at(50),
                "p95": figure.times.at(95),
                "expected": figure.expected,
                "milliseconds": figure.times.milliseconds,
                "select_1": figure.times.shortest,
            }
            for figure in measured.figures
        ],
        "sizes": [vars(size) for size in measured.sizes],
    }


def _machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()}, load {os.getloadavg()[1]:.1f}"


Told = Callable[[Figure, Figure], tuple[float, float | None, str]]
"""What is told of a figure and the recommended design's: what was measured, its estimate, and
whether that holds.
"""


def _absolute(figure: Figure, base: Figure) -> tuple[float, float | None, str]:
    median, expected = figure.times.at(50), figure.expected
    return median, expected, verdict(median, expected, figure.times.at(0))


def _relative(figure: Figure, base: Figure) -> tuple[float, float | None, str]:
    ratio = figure.times.at(50) / base.times.at(50)
    if figure is base or figure.expected is None or base.expected is None:
        return ratio, None, ""
    expected = figure.expected / base.expected
    return ratio, expected, verdict(ratio, expected)


def _at_a_glance(figures: Sequence[Figure], tell: Told) -> str:
    """A row an operation and design, a column a number of threads."""
    counts = sorted({figure.threads for figure in figures})
    cells: dict[tuple[str, str], dict[int, str]] = {}
    for operation in Operation:
        some = [figure for figure in figures if figure.operation == operation]
        for figure, base in _beside_the_base(some):
            number, expected, holds = tell(figure, base)
            in_brackets = f" ({_short(expected)}: {holds.partition(',')[0]})" if holds else ""
            cell = _short(number) + in_brackets
            cells.setdefault((operation, figure.who), {})[figure.threads] = cell
    head = ("", "design", *(f"{threads:,}" for threads in counts))
    return table(
        head, [[*names, *(row.get(n, "") for n in counts)] for names, row in cells.items()]
    )


def _beside_the_base(figures: Sequence[Figure]) -> Iterator[tuple[Figure, Figure]]:
    """Each figure of an operation, with the recommended design's at as many threads."""
    bases = {figure.threads: figure for figure in figures if figure.who == BASE}
    return ((figure, bases[figure.threads]) for figure in figures)


def _beside_a_block(figures: Sequence[Figure]) -> Iterator[list[str]]:
    """What the product reads, as multiples of the least that reading a row of a person's costs."""
    blocks = {(each.threads, each.operation): each for each in figures if each.who == BLOCK}
    for figure in figures:
        block = blocks.get((figure.threads, figure.operation))
        if block is None or not figure.who.startswith(NAME):
            continue
        cells = [f"{figure.threads:,}", figure.operation, figure.who]
        for percent in (50, 95):
            taken, least = figure.times.at(percent), block.times.at(percent)
            cells += [_short(taken), _short(taken / least)]
        yield cells


def _rows(figures: Sequence[Figure]) -> Iterator[list[str]]:
    shortest = shortest_by_threads(figures)
    for figure, base in _beside_the_base(figures):
        median, expected, holds = _absolute(figure, base)
        ratio, expected_ratio, ratio_holds = _relative(figure, base)
        yield [
            f"{figure.threads:,}",
            figure.who,
            _short(figure.times.at(0)),
            _short(median),
            _short(figure.times.at(95)),
            f"{median / shortest[figure.threads]:,.0f}",
            _short(expected),
            holds,
            _short(ratio),
            _short(expected_ratio),
            ratio_holds,
        ]


def shortest_by_threads(figures: Sequence[Figure]) -> dict[int, float]:
    """The median of the shortest statement, in milliseconds, of all that was timed in these rounds:
    one for all designs, because it takes longer when the processor has slept.
    """
    taken: dict[int, list[float]] = {}
    for figure in figures:
        taken.setdefault(figure.threads, []).extend(figure.times.shortest)
    return {threads: float(np.median(each)) for threads, each in taken.items()}


def _size(size: Size) -> list[str]:
    expected = size.expected_bytes
    return [
        f"{size.threads:,}",
        size.who,
        f"{size.rows:,}",
        f"{size.expected_rows:,}" if size.expected_rows else "",
        _short(size.bytes / 1e6),
        _short(expected / 1e6 if expected else None),
        verdict(size.bytes, expected),
        f"{size.bytes / (size.threads * 50) / 1e3:.1f}",
    ]


def _short(number: float | None) -> str:
    """With two telling digits or a little more; '' for none."""
    if number is None:
        return ""
    return f"{number:.2f}" if number < 10 else f"{number:,.0f}"
