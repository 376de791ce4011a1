"""The timeline as shapes for a page to draw: lines, dots, forks and labels.

Horizontal positions are in percent of the width, vertical ones in pixels. Labels do not overlap at
the smallest width. Pure functions.
"""

import calendar
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from uuid import UUID

from accounts.support import formatting
from ledger.history.timeline import Rival, SlotHistory, Span

# Slot names are left of LEFT; open conflicts are drawn right of TODAY.
LEFT, TODAY, RIGHT = 16.0, 90.0, 100.0
# Width of a letter of a label in percent of the narrowest drawing, and the gap after a label.
_LETTER, _GAP = 1.15, 1.6
# How many labels may be stacked above one line, and the height of each in pixels.
_LEVELS, _LEVEL = 3, 20
_AXIS, _FLAG, _PADDING, _BETWEEN = 32, 36, 18, 14
_BRANCH = 11
_LONGEST = 34
# How many values of a slot are drawn among all slots, and on its own.
FEW, MANY = 6, 40
_LEAST = timedelta(days=7)
# The share of the axis for a value whose start is unknown.
_STUB = 0.06
_MOST_TICKS = 8


@dataclass(frozen=True)
class Label:
    """A text over a line."""

    x: str
    y: int
    text: str
    anchor: str = "start"
    shown: bool = False
    disputed: bool = False


@dataclass(frozen=True)
class Line:
    """A value from one day to another; thick if it is true on the day in view.

    If its start is unknown, it is a dashed line without a dot.
    """

    x1: str
    x2: str
    y: int
    shown: bool
    fades_in: bool = False


@dataclass(frozen=True)
class Fork:
    """A conflict: the line splits, up for the current value, down for the challenger."""

    x: str
    y: int
    top: int
    width: str


@dataclass(frozen=True)
class Row:
    """A slot: its name and its lanes (lines of values)."""

    name: str
    y: int
    more: str
    lanes: list[int]
    lines: list[Line]
    forks: list[Fork]
    labels: list[Label]


@dataclass(frozen=True)
class Tick:
    """A mark of the axis."""

    x: str
    label: str
    anchor: str = "middle"


@dataclass(frozen=True)
class Drawing:
    """The whole drawing. The flag marks the day in view."""

    height: int
    rows: list[Row]
    ticks: list[Tick]
    today: str
    flag: Tick

    @property
    def flag_width(self) -> int:
        """Return the width of the flag for its text, in pixels."""
        return 24 + 6 * len(self.flag.label)

    @property
    def flag_shift(self) -> int:
        """Return how many pixels left of its day the flag starts, to stay within the drawing."""
        return {"start": 0, "middle": -self.flag_width // 2, "end": -self.flag_width}[
            self.flag.anchor
        ]

    @property
    def flag_words(self) -> int:
        """Return how many pixels the middle of the flag is from its day."""
        return self.flag_shift + self.flag_width // 2

    @property
    def foot(self) -> int:
        """Return the vertical position of the axis labels, in pixels."""
        return self.height - 8

    @property
    def floor(self) -> int:
        """Return the vertical position where the grid lines end, in pixels."""
        return self.height - _AXIS + 4


@dataclass
class _Item:
    """Values with the same start and end, drawn together."""

    first: date
    end: date | None
    spans: list[Span] = field(default_factory=list)
    fork: list[str] = field(default_factory=list)
    opened: date | None = None

    @property
    def text(self) -> str:
        return ", ".join(span.value for span in self.spans)

    @property
    def fades_in(self) -> bool:
        return self.spans[0].begins_unknown


@dataclass(frozen=True)
class _Scale:
    """The scale of the axis, from the first day drawn to today."""

    start: date
    today: date

    def place(self, day: date) -> float:
        """Return the horizontal position of a day, in percent."""
        share = min(max((day - self.start).days / (self.today - self.start).days, 0.0), 1.0)
        return LEFT + (TODAY - LEFT) * share

    def ends(self, span: Span) -> tuple[date, date | None]:
        """Return the drawn start and end of a value; at the far left if only its end is known.

        If its start is unknown, a short line is drawn.
        """
        stub = _stub(self.start, self.today)
        if span.ends_unknown:
            return self.start, self.start + stub
        return (span.first - stub if span.begins_unknown else span.first), span.end


def draw(strands: Sequence[SlotHistory], day: date, today: date, most: int = FEW) -> Drawing:
    """Return the drawing of one or more slots for the day in view."""
    start, step = _axis(strands, today)
    scale = _Scale(start, today)
    rows: list[Row] = []
    y = _FLAG
    for strand in strands:
        row, y = _row(strand, day, y + (_BETWEEN if rows else 0), scale, most)
        rows.append(row)
    return Drawing(
        height=y + _AXIS,
        rows=rows,
        ticks=list(_ticks(start, step, today, scale.place)),
        today=_per_cent(TODAY),
        flag=_flag(day, today, scale.place),
    )


def _stub(start: date, today: date) -> timedelta:
    """Return the drawn length of a value with an unknown start."""
    return max((today - start) * _STUB, timedelta(days=1))


def _per_cent(x: float) -> str:
    return f"{x:.2f}%"


# --- The axis ------------------------------------------------------------------------------------


def _axis(strands: Sequence[SlotHistory], today: date) -> tuple[date, int]:
    """Return the first day drawn and the distance between marks: months, or days as a negative."""
    spans = [span for strand in strands for span in strand.spans]
    dated = (span.first for span in spans if not span.ends_unknown)
    earliest = min(dated, default=today)
    earliest = min(earliest, today - _LEAST)
    if any(span.begins_unknown for span in spans):
        earliest -= _stub(earliest, today) * 2
    days = (today - earliest).days
    for step in (1, 2, 7):
        if days // step <= _MOST_TICKS:
            return earliest, -step
    months = days / 30.4
    step = next((s for s in (1, 3, 12, 24, 60, 120) if months / s <= _MOST_TICKS), 240)
    if step < 12:
        return date(earliest.year, (earliest.month - 1) // step * step + 1, 1), step
    years = step // 12
    return date(earliest.year // years * years, 1, 1), step


def _ticks(start: date, step: int, today: date, place: Callable[[date], float]) -> Iterator[Tick]:
    at = start
    while at <= today:
        x = place(at)
        # The word 'today' is at the end of the axis; marks that would overlap it are omitted.
        if x < TODAY - 9:
            yield Tick(_per_cent(x), _tick_words(at, step), "start" if at == start else "middle")
        at = at + timedelta(days=-step) if step < 0 else _months_on(at, step)


def _tick_words(at: date, step: int) -> str:
    if step < 0:
        return f"{at.day} {calendar.month_abbr[at.month]}"
    return f"{at.year}" if step >= 12 else f"{at:%b} {at.year}"


def _months_on(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, 1)


def _flag(day: date, today: date, place: Callable[[date], float]) -> Tick:
    x = place(day)
    anchor = "start" if x < LEFT + 10 else "end" if x > RIGHT - 10 else "middle"
    return Tick(
        _per_cent(x), "Today" if day == today else formatting.plain_date(day, today), anchor
    )


# --- A slot --------------------------------------------------------------------------------------


def _row(strand: SlotHistory, day: date, top: int, scale: _Scale, most: int) -> tuple[Row, int]:
    items, left_out = _items(strand, most, scale)
    more = f"and {left_out} more" if left_out else ""
    row = Row(strand.label, 0, more, lanes=[], lines=[], forks=[], labels=[])
    y = top
    for lane in _lanes(items):
        y = _lane(row, lane, day, y, scale.place)
    return replace(row, y=(row.lanes[0] if row.lanes else top) + 4), y


def _items(strand: SlotHistory, most: int, scale: _Scale) -> tuple[list[_Item], int]:
    """Return the values to draw, earliest first; if there are too many, the current and latest."""
    rivals: dict[UUID, list[Rival]] = defaultdict(list)
    for rival in strand.rivals:
        rivals[rival.against.pk].append(rival)
    alike: dict[tuple[date, date | None, UUID | None], _Item] = {}
    drawn = [span for span in strand.spans if span.first != span.end or span.begins_unknown]
    for span in drawn:
        against = rivals.get(span.fact.pk, [])
        # A disputed value is drawn alone: the fork is about that value only.
        alone = span.fact.pk if against else None
        first, end = scale.ends(span)
        item = alike.setdefault((first, end, alone), _Item(first, end))
        item.spans.append(span)
        item.fork = [rival.value for rival in against]
        item.opened = min((rival.since for rival in against), default=None)
    ranked = sorted(alike.values(), key=lambda i: (bool(i.fork), i.end or date.max), reverse=True)
    kept = sorted(ranked[:most], key=lambda item: item.first)
    return kept, len(drawn) - sum(len(item.spans) for item in kept)


def _lanes(items: Sequence[_Item]) -> list[list[_Item]]:
    """Distribute values to lanes so that none overlap in one lane."""
    lanes: list[list[_Item]] = []
    for item in items:
        for lane in lanes:
            ended = lane[-1].end
            if ended is not None and ended <= item.first:
                lane.append(item)
                break
        else:
            lanes.append([item])
    return lanes


def _lane(
    row: Row, lane: Sequence[_Item], day: date, top: int, place: Callable[[date], float]
) -> int:
    """Add one lane to the row; return the top of the next one."""
    board = _Board()
    forked = next((item for item in lane if item.fork), None)
    if forked is not None:
        board.reserve_right(f"{forked.text}?")
    written = []
    for item in sorted(lane, key=lambda i: (not _holds(i, day), -i.first.toordinal())):
        position = board.find(place(item.first), item.text)
        if position is not None:
            written.append((item, *position))
    lift = _BRANCH if forked else 0
    y = top + _PADDING + board.levels * _LEVEL + lift
    row.lanes.append(y)
    for item in lane:
        x2 = RIGHT if item.end is None else place(item.end)
        if item.fork and item.opened is not None:
            x2 = place(max(item.opened, item.first))
            row.forks.append(Fork(_per_cent(x2), y, y - _BRANCH - 1, _per_cent(RIGHT - x2)))
        ends = _per_cent(place(item.first)), _per_cent(x2)
        row.lines.append(Line(*ends, y, _holds(item, day), item.fades_in))
    for item, x, anchor, level, text in written:
        above = y - 11 - lift * (level > 0) - level * _LEVEL
        row.labels.append(Label(_per_cent(x), above, text, anchor, _holds(item, day)))
    if forked is None:
        return y + 4
    row.labels.extend(_fork_labels(forked, y))
    return y + _BRANCH + 22


def _holds(item: _Item, day: date) -> bool:
    return item.spans[0].covers(day)


def _fork_labels(item: _Item, y: int) -> list[Label]:
    others = f"{item.fork[-1]}?"
    if len(item.fork) > 1:
        others += f" and {len(item.fork) - 1} more"
    return [
        Label(_per_cent(RIGHT), y - _BRANCH - 8, f"{_cut(item.text)}?", "end", disputed=True),
        Label(_per_cent(RIGHT), y + _BRANCH + 16, _cut(others), "end", disputed=True),
    ]


class _Board:
    """The occupied space above a line, by level."""

    def __init__(self) -> None:
        self.taken: list[list[tuple[float, float]]] = [[] for _ in range(_LEVELS)]

    @property
    def levels(self) -> int:
        return max([level + 1 for level, taken in enumerate(self.taken) if taken], default=1)

    def reserve_right(self, text: str) -> None:
        self.taken[0].append((RIGHT - len(_cut(text)) * _LETTER - _GAP, RIGHT))

    def find(self, x: float, text: str) -> tuple[float, str, int, str] | None:
        """Return a free place for a label: x, anchor, level, and the text, shortened if needed."""
        text = _cut(text)
        width = len(text) * _LETTER + _GAP
        start, anchor = (x, "start") if x + width <= RIGHT + _GAP else (RIGHT - width, "end")
        for level, taken in enumerate(self.taken):
            if all(start + width <= a or start >= b for a, b in taken):
                taken.append((start, start + width))
                return (x if anchor == "start" else RIGHT, anchor, level, text)
        return None


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip(" ,") + "…"
