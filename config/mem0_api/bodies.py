"""What clients of mem0 send, as far as it is read here."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError
from rest_framework import exceptions

from config.mem0_api.filters import user_named
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


class _Body(BaseModel):
    # Clients send settings of their own service.
    model_config = ConfigDict(extra="ignore")


class _Filtered(_Body):
    user_id: str | None = None
    filters: dict[str, Any] | None = None

    @property
    def named(self) -> str | None:
        """Whom it names, beside its filters or in them. Raises a ValidationError of the API."""
        names = {self.user_id, user_named(self.filters)} - {None}
        if len(names) > 1:
            raise exceptions.ValidationError({"user_id": ["The filters name a different one."]})
        return names.pop() if names else None


Expiry = Annotated[Any, BeforeValidator(_no_expiry)]


class AddRequest(_Filtered):
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
        """When it was said, where that is told."""
        return None if self.timestamp is None else datetime.fromtimestamp(self.timestamp, UTC)

    @property
    def said(self) -> list[ChatMessageIn]:
        """The messages of the user and of an assistant, without those that say nothing."""
        roles = ("user", "assistant")
        return [one for one in self.messages if one.role in roles and one.content.strip()]


class SearchRequest(_Filtered):
    """A search."""

    query: Annotated[str, Field(min_length=1, max_length=_LONGEST_QUERY)]
    top_k: Annotated[int, Field(ge=1, le=1000)] | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] | None = None
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None


class ListRequest(_Filtered):
    """A list of all memories."""


class UpdateRequest(_Body):
    """Another wording."""

    text: Annotated[str, Field(min_length=1, max_length=CONTENT_LENGTH)]
    expiration_date: Expiry = None


class BatchItem(_Body):
    """A memory of a batch."""

    memory_id: str


class BatchUpdateItem(UpdateRequest):
    """A memory of a batch, with another wording."""

    memory_id: str


class BatchDelete(_Body):
    """Memories to remove."""

    memories: Annotated[list[BatchItem], Field(min_length=1, max_length=_MOST_MEMORIES)]


class BatchUpdate(_Body):
    """Memories to reword."""

    memories: Annotated[list[BatchUpdateItem], Field(min_length=1, max_length=_MOST_MEMORIES)]


def read(shape: type[B], body: Any) -> B:
    """Return a body in its shape. Raises a ValidationError of the API, by field."""
    try:
        return shape.model_validate(body if isinstance(body, Mapping) else {"body": body})
    except ValidationError as wrong:
        first = wrong.errors()[0]
        name = ".".join(map(str, first["loc"])) or "body"
        raise exceptions.ValidationError({name: [first["msg"]]}) from None
