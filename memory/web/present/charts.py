"""Charts as shapes in a box of 100 by 100 that a page stretches, with their labels as text.

No style and no script: the page draws them with attributes, and says them again in a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from accounts.support import formatting
from memory.maintenance.note_statistics import DayCounts

# Ceilings that divide in two without a remainder.
_STEPS = (4, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200)
# Of more points than these only the last is marked: the others would run into each other.
_MOST_MARKED = 16
# How much of its place a bar takes.
_BAR = 0.72


@dataclass(frozen=True)
class Point:
    """One value: its place in the box, and what it says."""

    x: float
    y: float
    count: int
    label: str
    last: bool
    marked: bool


@dataclass(frozen=True)
class Bar:
    """One value as a bar that stands on the floor of the box."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Bars:
    """Bars side by side, under a ceiling; `ticks` are the words under them."""

    bars: list[Bar]
    top: int
    ticks: list[str]

    @property
    def middle(self) -> int:
        """The value half way up."""
        return self.top // 2


@dataclass(frozen=True)
class Line:
    """A line through its points, under a ceiling."""

    points: list[Point]
    path: str
    top: int

    @property
    def middle(self) -> int:
        """The value half way up."""
        return self.top // 2

    @property
    def ticks(self) -> list[str]:
        """The labels under the line: its beginning, its middle where there is one, its end."""
        labels = [point.label for point in self.points]
        if len(labels) < 5:
            return [labels[0], labels[-1]]
        return [labels[0], labels[len(labels) // 2], labels[-1]]


def draw_line(moments: Sequence[DayCounts], today: date, now_words: str) -> Line:
    """Draw moments from left to right; the last one is called `now_words`. Takes two or more."""
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
    """Draw counts from left to right, each as a bar; nothing stands for 0. Takes one or more."""
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
    """The next number of two figures and noughts, even in its half."""
    unit = 2 * int(10 ** (len(str(most)) - 2))
    return -(-most // unit) * unit
