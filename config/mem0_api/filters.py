"""mem0's filters: whose memories are asked for, and which of them."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.timezone import is_naive, make_aware
from rest_framework.exceptions import ValidationError

_DEEPEST = 10
_EVERYTHING = "*"
# Nothing is kept apart by them here, so that nothing could be found by them.
_NOT_KEPT = ("agent_id", "app_id", "run_id", "metadata")
_TIMES = ("created_at", "updated_at")
_FIELDS = ("user_id", "categories", "memory_ids", "keywords", *_TIMES)
_OTHER_NAMES = {"categories": "categories", "memory_ids": "id", "keywords": "memory"}
Row = Mapping[str, Any]


def user_named(filters: Any) -> str | None:
    """The one person that filters name; None where they name nobody. Raises ValidationError."""
    named = {str(name) for name in _users(filters, 0)} - {_EVERYTHING}
    if len(named) > 1:
        raise _refused("Ask for one user_id at a time.")
    return named.pop() if named else None


def matching(filters: Any) -> Callable[[Row], bool]:
    """A test of memories, in the shape in which they are sent. Raises ValidationError."""
    if not filters:
        return lambda _: True
    if not isinstance(filters, dict):
        raise _refused("This must be an object.")
    tests = [_test(name, wanted) for name, wanted in filters.items()]
    return lambda row: all(test(row) for test in tests)


def _users(filters: Any, depth: int) -> Iterator[Any]:
    if depth > _DEEPEST:
        raise _refused("This is nested too deeply.")
    if isinstance(filters, list):
        for inner in filters:
            yield from _users(inner, depth + 1)
    elif isinstance(filters, dict):
        for name, wanted in filters.items():
            if name == "user_id":
                yield from _names(wanted)
            elif name == "NOT":
                if any(_users(wanted, depth + 1)):
                    raise _refused("A user_id can’t be excluded. Ask for one user_id instead.")
            else:
                yield from _users(wanted, depth + 1)


def _names(wanted: Any) -> list[Any]:
    if isinstance(wanted, dict) and wanted.keys() <= {"in", "eq"}:
        wanted = wanted.get("in", wanted.get("eq"))
    names = wanted if isinstance(wanted, list) else [wanted]
    if not all(isinstance(name, str) for name in names):
        raise _refused("user_id must be a string.")
    return names


def _test(name: str, wanted: Any) -> Callable[[Row], bool]:
    if name in {"AND", "OR", "NOT"}:
        tests = [matching(one) for one in (wanted if isinstance(wanted, list) else [wanted])]
        if name == "AND":
            return lambda row: all(test(row) for test in tests)
        if name == "OR":
            return lambda row: any(test(row) for test in tests)
        return lambda row: not any(test(row) for test in tests)
    if wanted == _EVERYTHING:
        return lambda _: True
    if name in _NOT_KEPT:
        raise _refused(f"Memories here can’t be filtered by {name}. Leave it out.")
    if name not in _FIELDS:
        raise _refused(
            f"There is no filter called {name[:40]!r}. Use one of: {', '.join(_FIELDS)}."
        )
    if name == "user_id":
        # Whose they are is settled already: the rows are those of one person.
        return lambda _: True
    if not isinstance(wanted, dict):
        wanted = {"in" if isinstance(wanted, list) else "eq": wanted}
    tests = [_compared(name, operator, value) for operator, value in wanted.items()]
    return lambda row: all(test(row) for test in tests)


def _compared(name: str, operator: str, value: Any) -> Callable[[Row], bool]:
    column = _OTHER_NAMES.get(name, name)
    compare = _OPERATORS.get(operator)
    if compare is None:
        known = ", ".join(_OPERATORS)
        raise _refused(f"There is no operator called {operator[:40]!r}. Use one of: {known}.")
    if name in _TIMES and operator in (*_OF_TIMES, "eq", "ne"):
        value = _time(value)
    elif (
        name in _TIMES or operator in _OF_TIMES or not isinstance(value, _TAKES.get(operator, str))
    ):
        raise _refused(f"{name} cannot be compared like this.")

    def test(row: Row) -> bool:
        held = row[column]
        if name in _TIMES:
            held = parse_datetime(held)
        if isinstance(held, list):
            return any(compare(one, value) for one in held)
        return held is not None and bool(compare(held, value))

    return test


def _time(value: Any) -> datetime:
    day = None
    try:
        at = parse_datetime(value)
        day = parse_date(value)
    except (TypeError, ValueError):
        at = None
    if at is None and day is not None:
        at = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - made aware below
    if at is None:
        raise _refused("Use a time in ISO 8601 format.")
    return make_aware(at) if is_naive(at) else at


_OF_TIMES = ("gt", "gte", "lt", "lte")
_TAKES = {"in": list}
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda held, value: held == value,
    "ne": lambda held, value: held != value,
    "in": lambda held, value: held in value,
    "gt": lambda held, value: held > value,
    "gte": lambda held, value: held >= value,
    "lt": lambda held, value: held < value,
    "lte": lambda held, value: held <= value,
    "contains": lambda held, value: value in held,
    "icontains": lambda held, value: value.casefold() in held.casefold(),
}


def _refused(sentence: str) -> ValidationError:
    return ValidationError({"filters": [sentence]})
