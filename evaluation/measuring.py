"""Reading recorded data, and the shares, means and progress that every part shows."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from conversations.messages import UnfitText, fit
from conversations.replay import NotADialogue

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


# --- Files: whatever is wrong with one is said with its name --------------------------------------

_LONGEST = 200


class Unreadable(ValueError):
    """A file of the data that nothing can be measured with."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """While a file is read and taken apart. Raises Unreadable."""
    try:
        yield
    except Unreadable:
        raise
    except OSError as error:
        raise Unreadable(f"{error.filename or path} cannot be read: {error.strerror}.") from error
    except NotADialogue as error:
        raise Unreadable(f"{path}: {error}"[:_LONGEST]) from error
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"{path} is not a JSON file: {error}") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__}, {error}"[:_LONGEST]
        raise Unreadable(f"{path} holds a record of a shape I do not know: {why}.") from error


def read_json(path: Path) -> Any:
    """What a JSON file holds. Raises Unreadable."""
    with reading(path):
        return json.loads(path.read_text(encoding="utf-8"))


def read_lines(path: Path) -> list[Any]:
    """What a JSONL file holds, a record a line. Raises Unreadable."""
    with reading(path):
        lines = path.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
