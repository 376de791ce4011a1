"""The measured times as a page (results.md) and as a picture."""

import math
import os
import platform
from collections.abc import Sequence
from pathlib import Path

from benchmarks.support.markdown import table
from benchmarks.support.timing import SHORTEST, Times

# One picture: bars of medians, thin lines up to the 95th percentile.
_WIDTH, _BAR, _LEFT, _RIGHT = 720, 22, 250, 90


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
            one.what,
            f"{one.size:,}",
            f"{one.at(50):.2f}",
            f"{one.at(95):.2f}",
            f"{one.multiple(50):.1f}",
            f"{one.multiple(95):.1f}",
        )
        for one in times
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
    most = max(one.at(95) for one in times)
    height = _BAR * len(times) + 2 * _BAR
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
        ' font-family="sans-serif" font-size="11" role="img">',
        "<title>Medians in milliseconds, thin lines up to the 95th percentile</title>",
    ]
    for position, one in enumerate(times):
        y = _BAR * (position + 1)
        median, p95 = _reach(one.at(50), most), _reach(one.at(95), most)
        parts += [
            f'<text x="{_LEFT - 8}" y="{y + 13}" text-anchor="end" fill="#777">'
            f"{one.what.split(',')[0]}, {one.size:,}</text>",
            f'<rect x="{_LEFT}" y="{y + 4}" width="{median:.1f}" height="{_BAR - 10}"'
            ' fill="#b4552d"/>',
            f'<path d="M{_LEFT} {y + 10}h{p95:.1f}" stroke="#777"/>',
            f'<text x="{_LEFT + p95 + 6:.1f}" y="{y + 13}" fill="#777">{one.at(50):.2f} ms</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def _reach(milliseconds: float, most: float) -> float:
    """How far a time reaches in the picture: a tenfold time is one step further."""
    least = 0.02
    share = math.log(max(milliseconds, least) / least) / math.log(most / least)
    return share * (_WIDTH - _LEFT - _RIGHT)
