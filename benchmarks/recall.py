"""How long recall takes on a site of any size: make a site, fill it, time recall on it, report."""

import argparse
import math
import os
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.support import load
from benchmarks.support.markdown import table
from benchmarks.support.measure import measure
from benchmarks.support.timing import SHORTEST, Times

# The people who are timed, by how many passages they have; everybody else has ORDINARY.
SMALL, ORDINARY = 50, 2_500
LARGE = (5_000, 25_000, 500_000)
# One picture: bars of medians, thin lines up to the 95th percentile.
_WIDTH, _BAR, _LEFT, _RIGHT = 720, 22, 250, 90
QUICK = ("--rows=100", "--rounds=1")


def add_arguments(reader: argparse.ArgumentParser) -> None:
    """`--out` names a folder: the report comes as a page and as a picture."""
    reader.add_argument("--rows", type=int, default=1_500_000, help="passages on the whole site")
    reader.add_argument("--rounds", type=int, default=15, help="how often each question is asked")
    reader.set_defaults(out=Path("results"))


def report(namespace: argparse.Namespace) -> Iterator[str]:
    """Time two people on a tenth of the site, then everybody on all of it."""
    before, rows = perf_counter(), namespace.rows
    yield f"Filling a tenth of the site: {rows // 10:,} passages ..."
    ordinary = min(ORDINARY, rows)
    few = load.fill([SMALL, ordinary, *_ordinary(rows // 10 - SMALL - ordinary)])[:2]
    small = [times for person in few for times in measure(person, namespace.rounds)]
    rest = rows - rows // 10
    large = [count for count in LARGE if count <= rest // 2]
    yield f"Filling the rest: {rest:,} passages ..."
    counts = [*large, *_ordinary(rest - sum(large))]
    many = load.fill(counts)[: len(large)] if counts else []
    whole = []
    for person in (*few, *many):
        yield f"Timing the person with {person.passages:,} ..."
        whole += measure(person, namespace.rounds)
    yield write(namespace.out, small, whole, rows)
    yield f"All of it took {perf_counter() - before:.0f} s; the results are in {namespace.out}."


def _ordinary(rows: int) -> list[int]:
    """As many ordinary people as it takes."""
    return [ORDINARY] * (rows // ORDINARY)


# --- The report ----------------------------------------------------------------------------------


def write(folder: Path, small: Sequence[Times], whole: Sequence[Times], rows: int) -> str:
    """Write both; returns the page. `small` was measured on a tenth of the site."""
    folder.mkdir(parents=True, exist_ok=True)
    page = in_words(small, whole, rows)
    (folder / "results.md").write_text(page)
    (folder / "recall.svg").write_text(picture(whole))
    return page


def in_words(small: Sequence[Times], whole: Sequence[Times], rows: int) -> str:
    """Two tables: everybody on the whole site, and the same small accounts before it grew."""
    machine = f"{os.cpu_count()} cores, {platform.system()}, load {os.getloadavg()[1]:.1f}"
    return "\n".join(
        [
            "# How long recall takes",
            "",
            f"{rows:,} passages on the site; {machine}. Milliseconds, median and 95 %, and how many"
            f" times as long as a `{SHORTEST}` timed before each.",
            "",
            table(
                (
                    "what",
                    "passages of the person",
                    "median",
                    "95 %",
                    "times `select 1`: median",
                    "95 %",
                ),
                _rows(whole),
            ),
            "",
            "## When the site grows tenfold",
            "",
            table(
                ("what", "passages of the person", "a tenth of the site", "the whole site"),
                _growth(small, whole),
            ),
            "",
        ]
    )


def _rows(times: Sequence[Times]) -> list[tuple[str, ...]]:
    return [
        (
            timed.what,
            f"{timed.size:,}",
            f"{timed.at(50):.2f}",
            f"{timed.at(95):.2f}",
            f"{timed.multiple(50):.1f}",
            f"{timed.multiple(95):.1f}",
        )
        for timed in times
    ]


def _growth(small: Sequence[Times], whole: Sequence[Times]) -> list[tuple[str, ...]]:
    after = {(times.what, times.size): times for times in whole}
    return [
        (
            times.what,
            f"{times.size:,}",
            f"{times.at(50):.2f} / {times.at(95):.2f}",
            f"{grown.at(50):.2f} / {grown.at(95):.2f}",
        )
        for times in small
        if (grown := after.get((times.what, times.size)))
    ]


def picture(times: Sequence[Times]) -> str:
    """A bar a figure, as long as the logarithm of its median: half a millisecond and fifty fit."""
    most = max(timed.at(95) for timed in times)
    height = _BAR * len(times) + 2 * _BAR
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
        ' font-family="sans-serif" font-size="11" role="img">',
        "<title>Medians in milliseconds, thin lines up to the 95th percentile</title>",
    ]
    for position, timed in enumerate(times):
        y = _BAR * (position + 1)
        median, p95 = _reach(timed.at(50), most), _reach(timed.at(95), most)
        parts += [
            f'<text x="{_LEFT - 8}" y="{y + 13}" text-anchor="end" fill="#777">'
            f"{timed.what.split(',')[0]}, {timed.size:,}</text>",
            f'<rect x="{_LEFT}" y="{y + 4}" width="{median:.1f}" height="{_BAR - 10}"'
            ' fill="#b4552d"/>',
            f'<path d="M{_LEFT} {y + 10}h{p95:.1f}" stroke="#777"/>',
            f'<text x="{_LEFT + p95 + 6:.1f}" y="{y + 13}" fill="#777">'
            f"{timed.at(50):.2f} ms</text>",
        ]
    return "\n".join([*parts, "</svg>", ""])


def _reach(milliseconds: float, most: float) -> float:
    """How far a time reaches in the picture: a tenfold time is one step further."""
    least = 0.02
    share = math.log(max(milliseconds, least) / least) / math.log(most / least)
    return share * (_WIDTH - _LEFT - _RIGHT)
