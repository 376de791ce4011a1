"""Reading recorded data: whatever is wrong with a file is said with its name."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conversations.replay import NotADialogue

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
