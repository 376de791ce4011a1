"""Request bodies of mem0's clients; invalid ones raise the API's ValidationError."""

import operator as operators
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.timezone import is_naive, make_aware
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError
from pydantic_core import PydanticCustomError
from rest_framework import exceptions

from conversations.web.openai_api.chat_request import ChatMessageIn
from memory.models import CONTENT_LENGTH

_MOST_MESSAGES, _MOST_MEMORIES = 1000, 1000
_LONGEST_RUN, _LONGEST_QUERY = 80, 2000
_FAR_FUTURE = 253_402_300_799
B = TypeVar("B", bound=BaseModel)


def _no_expiry(date: Any) -> Any:
    if date is not None:
        raise PydanticCustomError(
            "unsupported_value", "Memories do not expire here. Leave expiration_date out."
        )
    return date


def _moment(seconds: float | None) -> float | None:
    if seconds is not None and seconds > datetime.now(UTC).timestamp():
        raise PydanticCustomError("invalid_value", "This is in the future.")
    return seconds


def _one_list(messages: Any) -> Any:
    if isinstance(messages, str):
        messages = {"role": "user", "content": messages}
    return [messages] if isinstance(messages, dict) else messages


class ListRequest(BaseModel):
    """A request for all memories. Unknown settings for mem0's service are ignored."""

    user_id: str | None = None
    filters: dict[str, Any] | None = None

    @property
    def named(self) -> str | None:
        """Return the user id in the request or its filters. Raises the API's ValidationError."""
        names = {self.user_id, user_named(self.filters)} - {None}
        if len(names) > 1:
            raise exceptions.ValidationError({"user_id": ["The filters name a different one."]})
        return names.pop() if names else None


Expiry = Annotated[Any, BeforeValidator(_no_expiry)]


class AddRequest(ListRequest):
    """Messages to remember."""

    messages: Annotated[
        list[ChatMessageIn],
        BeforeValidator(_one_list),
        Field(min_length=1, max_length=_MOST_MESSAGES),
    ]
    run_id: Annotated[str, Field(max_length=_LONGEST_RUN)] | None = None
    infer: bool | None = None
    timestamp: Annotated[float, Field(ge=0, le=_FAR_FUTURE), AfterValidator(_moment)] | None = None
    expiration_date: Expiry = None

    @property
    def said_at(self) -> datetime | None:
        """Return when the messages were said, None if not given."""
        return None if self.timestamp is None else datetime.fromtimestamp(self.timestamp, UTC)

    @property
    def said(self) -> list[ChatMessageIn]:
        """Return the messages of user and assistant, without empty ones."""
        roles = ("user", "assistant")
        return [
            message
            for message in self.messages
            if message.role in roles and message.content.strip()
        ]


class SearchRequest(ListRequest):
    """A search for memories."""

    query: Annotated[str, Field(min_length=1, max_length=_LONGEST_QUERY)]
    top_k: Annotated[int, Field(ge=1, le=1000)] | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] | None = None
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None


class UpdateRequest(BaseModel):
    """A new text for a memory."""

    text: Annotated[str, Field(min_length=1, max_length=CONTENT_LENGTH)]
    expiration_date: Expiry = None


class BatchItem(BaseModel):
    """The id of a memory in a batch."""

    memory_id: str


class BatchUpdateItem(UpdateRequest):
    """A new text for a memory in a batch."""

    memory_id: str


class BatchDelete(BaseModel):
    """Memories to remove."""

    memories: Annotated[list[BatchItem], Field(min_length=1, max_length=_MOST_MEMORIES)]


class BatchUpdate(BaseModel):
    """Memories to change."""

    memories: Annotated[list[BatchUpdateItem], Field(min_length=1, max_length=_MOST_MEMORIES)]


def read(shape: type[B], body: Any) -> B:
    """Validate a body. Raises the API's ValidationError, by field."""
    try:
        return shape.model_validate(body if isinstance(body, Mapping) else {"body": body})
    except ValidationError as wrong:
        first = wrong.errors()[0]
        name = ".".join(map(str, first["loc"])) or "body"
        raise exceptions.ValidationError({name: [first["msg"]]}) from None


# --- Filters -------------------------------------------------------------------------------------

_DEEPEST = 10
_EVERYTHING = "*"
# Fields that this site does not store, so filters on them never match.
_NOT_KEPT = ("agent_id", "app_id", "run_id", "metadata")
_TIMES = ("created_at", "updated_at")
_FIELDS = ("user_id", "categories", "memory_ids", "keywords", *_TIMES)
_OTHER_NAMES = {"categories": "categories", "memory_ids": "id", "keywords": "memory"}
Row = Mapping[str, Any]


def user_named(filters: Any) -> str | None:
    """Return the user id in mem0's filters; None if there is none."""
    named = {str(name) for name in _users(filters, 0)} - {_EVERYTHING}
    if len(named) > 1:
        raise _refused("Ask for one user_id at a time.")
    return named.pop() if named else None


def matching(filters: Any) -> Callable[[Row], bool]:
    """Return a predicate that applies mem0's filters to a memory in mem0's format."""
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
        tests = [matching(inner) for inner in (wanted if isinstance(wanted, list) else [wanted])]
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
        # The user is resolved already: all rows belong to one.
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
            return any(compare(entry, value) for entry in held)
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
    "eq": operators.eq,
    "ne": operators.ne,
    "in": lambda held, value: held in value,
    "gt": operators.gt,
    "gte": operators.ge,
    "lt": operators.lt,
    "lte": operators.le,
    "contains": operators.contains,
    "icontains": lambda held, value: value.casefold() in held.casefold(),
}


def _refused(sentence: str) -> exceptions.ValidationError:
    return exceptions.ValidationError({"filters": [sentence]})
