"""Helpers of all parts: reading data, shares, means and progress."""

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
    """Return the share of part in whole, from 0 to 1; 0 if whole is 0."""
    return round(part / whole, 4) if whole else 0.0


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 without values."""
    return share(sum(values), len(values))


def share_of(items: Sequence[T], holds: Callable[[T], object]) -> float:
    """Return the share of the items for which `holds` is true."""
    return share(sum(bool(holds(item)) for item in items), len(items))


def shown(items: Sequence[T], progress: Progress, what: str, every: int) -> Iterator[T]:
    """Yield the items, reporting progress after every `every` items and at the end."""
    for done, item in enumerate(items, start=1):
        yield item
        if done % every == 0 or done == len(items):
            progress(done, len(items), what)


def fitting(text: str) -> str:
    """Return the text as a valid message; '.' for an empty one, so that numbers do not shift."""
    try:
        return fit(text)
    except UnfitText as unfit:
        return unfit.mended.strip() or "."


# --- Files: errors name the file ------------------------------------------------------------------

_LONGEST = 200


class Unreadable(ValueError):
    """Raised for a data file that cannot be used."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Context manager that turns errors of reading and parsing a file into Unreadable."""
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
    """Return the content of a JSON file. Raises Unreadable."""
    with reading(path):
        return json.loads(path.read_text(encoding="utf-8"))


def read_lines(path: Path) -> list[Any]:
    """Return the records of a JSONL file. Raises Unreadable."""
    with reading(path):
        lines = path.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
