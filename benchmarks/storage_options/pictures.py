"""The figures as one SVG: a field an operation and one of sizes, a line a design."""

import math
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.storage_options.estimates import Operation
from benchmarks.storage_options.measuring import Measured

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 300, 190, 50, 34, 70
_COLUMNS = 2
_COLOURS = (
    "#4c78a8", "#72a34f", "#c0392b", "#8e6bb0", "#b4552d", "#8a8a8a", "#2a9d8f", "#d4a017",
)  # fmt: skip

Point = tuple[float, float]


@dataclass(frozen=True)
class Field:
    """Lines by what they are called, each of points (threads, amount); and what was expected."""

    title: str
    lines: dict[str, list[Point]]
    expected: dict[str, list[Point]]


def picture(measured: Measured) -> str:
    """Both axes go by tenfold steps; rings are the estimates, in the colours of their designs."""
    fields = [field for field in (*_of_times(measured), _of_sizes(measured)) if field.lines]
    rows = math.ceil(len(fields) / _COLUMNS)
    width, height = _COLUMNS * (_WIDTH + _GAP) + _LEFT, rows * (_HEIGHT + _GAP) + _TOP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="11" role="img">',
        "<title>Medians and sizes by the number of threads; rings are the estimates</title>",
    ]
    for position, field in enumerate(fields):
        x = _LEFT + position % _COLUMNS * (_WIDTH + _GAP)
        y = _TOP + position // _COLUMNS * (_HEIGHT + _GAP)
        parts += [f'<g transform="translate({x} {y})">', *_drawn(field), "</g>"]
    x, y = _LEFT + (_WIDTH + _GAP), _TOP + (rows - 1) * (_HEIGHT + _GAP)
    parts += [f'<g transform="translate({x} {y})">', *_legend(fields), "</g>", "</svg>", ""]
    return "\n".join(parts)


def draw(svg: Path, png: Path) -> None:
    """Draw an SVG file as a PNG, where Chromium is installed."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 1000})
        page.goto(svg.absolute().as_uri())
        page.locator("svg").screenshot(path=png)
        browser.close()


def _of_times(measured: Measured) -> Iterable[Field]:
    for operation in Operation:
        lines: dict[str, list[Point]] = {}
        expected: dict[str, list[Point]] = {}
        for figure in measured.figures:
            if figure.operation == operation:
                lines.setdefault(figure.who, []).append((figure.threads, figure.times.at(50)))
                if figure.expected is not None:
                    ring = (figure.threads, figure.expected)
                    expected.setdefault(figure.who, []).append(ring)
        yield Field(f"{operation}, ms", lines, expected)


def _of_sizes(measured: Measured) -> Field:
    lines: dict[str, list[Point]] = {}
    expected: dict[str, list[Point]] = {}
    for size in measured.sizes:
        lines.setdefault(size.who, []).append((size.threads, size.bytes / 1e6))
        if size.expected_bytes is not None:
            ring = (size.threads, size.expected_bytes / 1e6)
            expected.setdefault(size.who, []).append(ring)
    return Field("size, MB", lines, expected)


def _drawn(field: Field) -> Iterable[str]:
    points = [
        point for each in (field.lines, field.expected) for ps in each.values() for point in ps
    ]
    across = _Scale([x for x, _ in points], 0, _WIDTH)
    up = _Scale([y for _, y in points], _HEIGHT, 0)
    yield f'<text y="-12" fill="#777" font-weight="bold">{escape(field.title)}</text>'
    for step in up.steps():
        y = up(step)
        yield f'<path d="M0 {y:.1f}h{_WIDTH}" stroke="#777" stroke-opacity=".25"/>'
        yield f'<text x="-6" y="{y + 4:.1f}" text-anchor="end" fill="#777">{step:g}</text>'
    for threads in sorted({x for x, _ in points}):
        yield (
            f'<text x="{across(threads):.1f}" y="{_HEIGHT + 16}" text-anchor="middle"'
            f' fill="#777">{threads:,}</text>'
        )
    for who, line in field.lines.items():
        colour = _colour(who, field)
        path = "L".join(f"{across(x):.1f} {up(y):.1f}" for x, y in line)
        yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for x, y in line:
            yield f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="2.5" fill="{colour}"/>'
        for x, y in field.expected.get(who, ()):
            yield (
                f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="4" fill="none"'
                f' stroke="{colour}"/>'
            )


def _legend(fields: Sequence[Field]) -> Iterable[str]:
    """The names; those of the product differ from operation to operation."""
    names = dict.fromkeys(who for field in fields[:-1] for who in field.lines)
    shown: dict[str, str] = {}
    for who in names:
        colour = next(_colour(who, field) for field in fields[:-1] if who in field.lines)
        shown[who] = colour
    for position, (who, colour) in enumerate(shown.items()):
        y = position * 18
        yield f'<path d="M0 {y}h18" stroke="{colour}" stroke-width="2"/>'
        yield f'<text x="24" y="{y + 4}" fill="#777">{escape(who)}</text>'
    y = len(shown) * 18
    yield f'<circle cx="9" cy="{y}" r="4" fill="none" stroke="#777"/>'
    yield f'<text x="24" y="{y + 4}" fill="#777">estimate</text>'


def _colour(who: str, field: Field) -> str:
    """By its place among the lines of its field: designs first, then what the product does."""
    return _COLOURS[list(field.lines).index(who) % len(_COLOURS)]


class _Scale:
    """Places amounts between two ends of an axis, each tenfold step as long as the others."""

    def __init__(self, amounts: Sequence[float], start: float, end: float) -> None:
        self._least = math.log10(min(amounts))
        self._reach = (math.log10(max(amounts)) - self._least) or 1.0
        self._start, self._length = start, end - start

    def __call__(self, amount: float) -> float:
        return self._start + self._length * (math.log10(amount) - self._least) / self._reach

    def steps(self) -> list[float]:
        """The powers of ten within."""
        first, last = math.ceil(self._least), math.floor(self._least + self._reach)
        return [10.0**power for power in range(first, last + 1)]
