"""A chart of shares: a bar each on an axis from 0 to 1, the target as a mark across it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

_WIDTH, _LEFT, _RIGHT, _TOP = 720, 270, 90, 46
_ROW, _BAR = 34, 16
_PAPER, _INK, _QUIET, _FILL, _MARK = "#fdfbf7", "#2b2926", "#6b655d", "#b4552d", "#1f4e5f"
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Bar(NamedTuple):
    """A share from 0 to 1 under its name; `target` is None where none is set."""

    name: str
    value: float
    target: float | None
    high_is_good: bool


def chart(title: str, bars: Sequence[Bar]) -> str:
    """The picture as a file of its own; its words say all that it shows."""
    bottom = _TOP + _ROW * len(bars)
    height = bottom + 56
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
        f' height="{height}" font-family="sans-serif" font-size="13" role="img"'
        ' aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(in_words(bars))}</desc>',
        f'<rect width="{_WIDTH}" height="{height}" fill="{_PAPER}"/>',
        f'<text x="16" y="26" font-size="15" font-weight="bold" fill="{_INK}">'
        f"{escape(title)}</text>",
        *_axis(bottom),
    ]
    for position, bar in enumerate(bars):
        parts += _row(bar, _TOP + _ROW * position)
    has_targets = any(bar.target is not None for bar in bars)
    parts += [*_legend(bottom + 44, with_target=has_targets), "</svg>", ""]
    return "\n".join(parts)


def in_words(bars: Sequence[Bar]) -> str:
    """What the chart shows, a clause a bar."""
    return " ".join(f"{bar.name}: {bar.value:.3f}{_aim(bar)}." for bar in bars)


def _aim(bar: Bar) -> str:
    if bar.target is None:
        return ", no target"
    return f", target {'at least' if bar.high_is_good else 'at most'} {bar.target:.2f}"


def _axis(bottom: int) -> Iterator[str]:
    for tick in _TICKS:
        x = _at(tick)
        yield f'<path d="M{x:.1f} {_TOP - 4}V{bottom}" stroke="{_QUIET}" stroke-opacity="0.35"/>'
        yield (
            f'<text x="{x:.1f}" y="{bottom + 17}" text-anchor="middle" font-size="12"'
            f' fill="{_QUIET}">{tick:g}</text>'
        )


def _row(bar: Bar, y: int) -> Iterator[str]:
    top = y + (_ROW - _BAR) // 2
    base = top + _BAR - 3
    end = _at(min(max(bar.value, 0.0), 1.0))
    yield (
        f'<text x="{_LEFT - 12}" y="{base}" text-anchor="end" fill="{_INK}">'
        f"{escape(bar.name)}</text>"
    )
    yield (
        f'<rect x="{_LEFT}" y="{top}" width="{max(end - _LEFT, 1):.1f}" height="{_BAR}" rx="2"'
        f' fill="{_FILL}"/>'
    )
    if bar.target is not None:
        yield _mark(_at(bar.target), top - 5, _BAR + 10)
    # In a column of their own: beside its mark a value would read as the target's.
    yield f'<text x="{_at(1) + 20}" y="{base}" fill="{_INK}">{bar.value:.3f}</text>'


def _mark(x: float, y: int, length: int) -> str:
    """Lighter at its edge, so that it is seen across a bar too."""
    line = f'd="M{x:.1f} {y}v{length}"'
    return (
        f'<path {line} stroke="{_PAPER}" stroke-width="5"/>'
        f'<path {line} stroke="{_MARK}" stroke-width="3"/>'
    )


def _legend(y: int, *, with_target: bool) -> Iterator[str]:
    yield f'<rect x="{_LEFT}" y="{y - 10}" width="22" height="10" rx="2" fill="{_FILL}"/>'
    yield f'<text x="{_LEFT + 30}" y="{y}" font-size="12" fill="{_QUIET}">measured</text>'
    if not with_target:
        return
    yield _mark(_LEFT + 120, y - 13, 16)
    yield f'<text x="{_LEFT + 130}" y="{y}" font-size="12" fill="{_QUIET}">target</text>'


def _at(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)
