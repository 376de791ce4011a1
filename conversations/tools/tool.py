"""The definition of a tool: a function of a context and of validated arguments."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, model_validator

from accounts.support import formatting

# How many characters of each item a preview shows.
_LONGEST_NAME, _MOST_NAMED = 2_000, 20


@dataclass(frozen=True)
class ToolContext:
    """The user, the time, and the conversation of a call; a tool gets nothing else of the request.
    Data private to a conversation is found only from inside that conversation.
    """

    user_id: UUID
    asked_at: datetime
    conversation_id: UUID | None = None
    message_id: UUID | None = None


class Arguments(BaseModel):
    """The arguments of a tool; unknown names are refused."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _leave_out_what_is_empty(cls, values: Any) -> Any:
        """Drop empty arguments: models send null or '' for arguments that they do not need."""
        if not isinstance(values, Mapping):
            return values
        return {name: value for name, value in values.items() if value not in (None, "")}


class Result(BaseModel):
    """The result of a tool: ids, titles, links and dates, of bounded size."""

    def in_words(self) -> str:
        """Return the result in a few words: '3 conversations', 'nothing found'."""
        raise NotImplementedError

    def for_model(self) -> dict[str, Any]:
        """Return the result as a language model gets it; see `conversations.turns.tool_results`."""
        return self.model_dump()

    def named(self) -> str:
        """Return the result as text with the items concerned, for an approval."""
        # `arguments` would only repeat the same items.
        texts = list(_texts(self.model_dump(mode="json", exclude={"arguments"})))
        shown = [
            f"“{text[:_LONGEST_NAME]}{'…' * (len(text) > _LONGEST_NAME)}”"
            for text in texts[:_MOST_NAMED]
        ]
        if len(texts) > len(shown):
            shown.append(f"{len(texts) - len(shown)} more")
        return f"{self.in_words()}: {formatting.listed(shown)}" if shown else self.in_words()


# Nested items are shown by their text only.
_GO_ALONG = ("also", "learned")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            yield value["text"]
        for name in _GO_ALONG:
            yield from (text for text in value.get(name) or () if text != value.get("text"))
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)


class ToolRefused(ValueError):
    """The call is impossible; the message says in plain words why, and what to do."""


class UnknownTool(ToolRefused):
    """Raised where there is no tool of this name."""


class NotThere(ToolRefused):
    """Raised where the user has nothing with this id."""


class OfferedTo(Enum):
    """The users to whom a tool is offered: each offered tool costs tokens."""

    EVERYBODY = "everybody"
    # Users who mention their work and belong to no persona.
    NEWCOMERS = "newcomers"
    MEMBERS = "members of a persona"


@dataclass(frozen=True)
class Tool:
    """A tool: its name, purpose, arguments and function.

    asks_first: whether the user must approve each call, because it deletes something or changes
    every later answer. foresee: returns a preview without changing anything.
    """

    name: str
    purpose: str
    arguments: type[Arguments]
    run: Callable[[ToolContext, Any], Result]
    asks_first: bool = False
    foresee: Callable[[ToolContext, Any], Result] | None = None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments: one flat object without other properties."""
        made = self.arguments.model_json_schema()
        for name in ("title", "description"):
            made.pop(name, None)
        for argument in made["properties"].values():
            argument.pop("title", None)
            if argument.get("default") in (None, ""):
                argument.pop("default", None)
        return made

    def offered(self) -> dict[str, Any]:
        """Return the schema for a language model, without bounds; errors will name these."""
        made = self.schema()
        made.pop("additionalProperties", None)
        for argument in made["properties"].values():
            for bound in _BOUNDS:
                argument.pop(bound, None)
            # A model uses the short ids of results.
            if argument.get("format") == "uuid":
                argument.pop("format")
        return made


# Bounds; a call that violates one is refused with an explanation.
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default")
