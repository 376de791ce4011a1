"""Shares, means and progress, as every part of the evaluation counts and shows them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from conversations.messages import UnfitText, fit

T = TypeVar("T")
Result = dict[str, Any]
Progress = Callable[[int, int, str], None]


def share(part: float, whole: float) -> float:
    """A share from 0 to 1; nothing of nothing is 0."""
    return round(part / whole, 4) if whole else 0.0


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return share(sum(values), len(values))


def share_of(items: Sequence[T], holds: Callable[[T], object]) -> float:
    """The share of the items for which it holds."""
    return share(sum(bool(holds(item)) for item in items), len(items))


def shown(items: Sequence[T], progress: Progress, what: str, every: int) -> Iterator[T]:
    """The items, with the progress told after so many of them and at the end."""
    for done, item in enumerate(items, start=1):
        yield item
        if done % every == 0 or done == len(items):
            progress(done, len(items), what)


def fitting(text: str) -> str:
    """The text as a message may hold it; a dot in place of nothing, so that numbers stay."""
    try:
        return fit(text)
    except UnfitText as unfit:
        return unfit.mended.strip() or "."
