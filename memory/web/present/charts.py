"""Charts as shapes in a box of 100 by 100, which the page stretches, with labels as text.

No styles or scripts: the template draws them as SVG and repeats the numbers in a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from accounts.support import formatting
from memory.maintenance.note_statistics import DayCounts

# Maximum values of charts; all are even.
_STEPS = (4, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200)
# With more points than this only the last is marked, as marks would overlap.
_MOST_MARKED = 16
# The width of a bar relative to its place.
_BAR = 0.72


@dataclass(frozen=True)
class Point:
    """A value with its position in the box and its label."""

    x: float
    y: float
    count: int
    label: str
    last: bool
    marked: bool


@dataclass(frozen=True)
class Bar:
    """A bar that stands on the bottom of the box."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Bars:
    """Bars with a common maximum; `ticks` are the labels below."""

    bars: list[Bar]
    top: int
    ticks: list[str]

    @property
    def middle(self) -> int:
        """Half of the maximum."""
        return self.top // 2


@dataclass(frozen=True)
class Line:
    """A line through points, with a maximum."""

    points: list[Point]
    path: str
    top: int

    @property
    def middle(self) -> int:
        """Half of the maximum."""
        return self.top // 2

    @property
    def ticks(self) -> list[str]:
        """The labels below the line: start, middle if there are five points or more, and end."""
        labels = [point.label for point in self.points]
        if len(labels) < 5:
            return [labels[0], labels[-1]]
        return [labels[0], labels[len(labels) // 2], labels[-1]]


def draw_line(moments: Sequence[DayCounts], today: date, now_words: str) -> Line:
    """Return a line through two or more points in time; the last is labelled `now_words`."""
    top = _ceiling(max(moment.count for moment in moments))
    last = len(moments) - 1
    points = [
        Point(
            x=round(100 * position / last, 2),
            y=round(100 - 100 * moment.count / top, 2),
            count=moment.count,
            label=now_words if position == last else formatting.plain_date(moment.day, today),
            last=position == last,
            marked=position == last or last < _MOST_MARKED,
        )
        for position, moment in enumerate(moments)
    ]
    path = "M" + "L".join(f"{point.x} {point.y}" for point in points)
    return Line(points, path, top)


def draw_bars(counts: Sequence[int], ticks: Sequence[str]) -> Bars:
    """Return one or more counts as bars from left to right; zero has no bar."""
    top, place = _ceiling(max(counts)), 100 / len(counts)
    drawn = [
        Bar(
            x=round(number * place + place * (1 - _BAR) / 2, 2),
            y=round(100 - 100 * count / top, 2),
            width=round(place * _BAR, 2),
            height=round(100 * count / top, 2),
        )
        for number, count in enumerate(counts)
        if count
    ]
    return Bars(drawn, top, list(ticks))


def _ceiling(most: int) -> int:
    step = next((step for step in _STEPS if most <= step), 0)
    return step or _round_up(most)


def _round_up(most: int) -> int:
    """Return the next even number with two significant digits."""
    unit = 2 * int(10 ** (len(str(most)) - 2))
    return -(-most // unit) * unit
