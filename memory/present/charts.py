"""Charts as shapes: a line in a box of 100 by 100 that a page stretches, with its labels as text.

No style and no script: the page draws them with attributes, and says them again in a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from accounts import words
from memory.overview import Moment

# Ceilings that divide in two without a remainder.
_STEPS = (4, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200)


@dataclass(frozen=True)
class Point:
    """One value: its place in the box, and what it says."""

    x: float
    y: float
    count: int
    label: str
    last: bool


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


def line(moments: Sequence[Moment], today: date, now_words: str) -> Line:
    """Draw moments from left to right; the last one is called `now_words`. Takes two or more."""
    top = _ceiling(max(moment.count for moment in moments))
    last = len(moments) - 1
    points = [
        Point(
            x=round(100 * place / last, 2),
            y=round(100 - 100 * moment.count / top, 2),
            count=moment.count,
            label=now_words if place == last else words.plain_date(moment.day, today),
            last=place == last,
        )
        for place, moment in enumerate(moments)
    ]
    path = "M" + "L".join(f"{point.x} {point.y}" for point in points)
    return Line(points, path, top)


def _ceiling(most: int) -> int:
    step = next((step for step in _STEPS if most <= step), 0)
    return step or -(-most // 200) * 200
