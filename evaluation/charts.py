"""Bar charts of shares from 0 to 1, with targets as marks."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.template.loader import render_to_string

# Pixels: start and length of the axis, and start and height of the rows.
_LEFT, _LENGTH, _TOP, _ROW = 270, 360, 46, 34


class Bar(NamedTuple):
    """A named share from 0 to 1; `target` is None if there is none."""

    name: str
    value: float
    target: float | None
    high_is_good: bool


def chart(title: str, bars: Sequence[Bar]) -> str:
    """Return the chart as SVG, with a text alternative."""
    bottom = _TOP + _ROW * len(bars)
    context = {
        "title": title,
        "words": in_words(bars),
        "bottom": bottom,
        "height": bottom + 56,
        "ticks": [(f"{tick:g}", _at(tick)) for tick in (0.0, 0.25, 0.5, 0.75, 1.0)],
        "rows": [_row(bar, _TOP + _ROW * place) for place, bar in enumerate(bars)],
        "has_targets": any(bar.target is not None for bar in bars),
    }
    return render_to_string("evaluation/chart.svg", context)


def in_words(bars: Sequence[Bar]) -> str:
    """Return the content of the chart in words, a clause for each bar."""
    return " ".join(f"{bar.name}: {bar.value:.3f}{_aim(bar)}." for bar in bars)


def _aim(bar: Bar) -> str:
    if bar.target is None:
        return ", no target"
    return f", target {'at least' if bar.high_is_good else 'at most'} {bar.target:.2f}"


def _row(bar: Bar, y: int) -> dict[str, Any]:
    width = max(_LENGTH * min(max(bar.value, 0.0), 1.0), 1)
    return {
        "name": bar.name,
        "value": f"{bar.value:.3f}",
        "top": y + 9,
        "base": y + 22,
        "width": f"{width:.1f}",
        "mark": "" if bar.target is None else f"M{_at(bar.target)} {y + 4}v26",
    }


def _at(share: float) -> str:
    return f"{_LEFT + share * _LENGTH:.1f}"
