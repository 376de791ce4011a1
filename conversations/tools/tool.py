"""The definition of a tool: a function of a context and of validated arguments."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, model_validator

from accounts.support import formatting

# How much is shown of each thing that a call is about.
_LONGEST_NAME, _MOST_NAMED = 2_000, 20


@dataclass(frozen=True)
class ToolContext:
    """Who asks, when, and from which conversation: a tool knows nothing else of a request.

    What is private to a conversation is found from inside it alone.
    """

    user_id: UUID
    asked_at: datetime
    conversation_id: UUID | None = None
    message_id: UUID | None = None


class Arguments(BaseModel):
    """What a tool is called with; a name that it does not have is refused."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _leave_out_what_is_empty(cls, values: Any) -> Any:
        """Leave out arguments that are empty: models fill what they do not mean with null or ''."""
        if not isinstance(values, Mapping):
            return values
        return {name: value for name, value in values.items() if value not in (None, "")}


class Result(BaseModel):
    """What a tool answers with: ids, titles, links and dates, of a bounded size."""

    def in_words(self) -> str:
        """Return the result in a few words: '3 conversations', 'nothing found'."""
        raise NotImplementedError

    def for_model(self) -> dict[str, Any]:
        """Return what a language model reads of it: see `conversations.turns.tool_results`."""
        return self.model_dump()

    def named(self) -> str:
        """Return the same with the words of what it is about: nobody approves a bare number."""
        # What it is called again with says the same once more.
        texts = list(_texts(self.model_dump(mode="json", exclude={"arguments"})))
        shown = [
            f"“{text[:_LONGEST_NAME]}{'…' * (len(text) > _LONGEST_NAME)}”"
            for text in texts[:_MOST_NAMED]
        ]
        if len(texts) > len(shown):
            shown.append(f"{len(texts) - len(shown)} more")
        return f"{self.in_words()}: {formatting.listed(shown)}" if shown else self.in_words()


# What goes along is told by its words alone.
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
    """The call cannot be done as it is; the message says why and what to do, in plain words."""


class UnknownTool(ToolRefused):
    """Raised where there is no tool of this name."""


class NotThere(ToolRefused):
    """Raised where nothing of this person's has the id."""


class OfferedTo(Enum):
    """Whom a tool is of use to: a model pays for each that it is offered."""

    EVERYBODY = "everybody"
    # Who says what they do for a living, and belongs to no persona.
    NEWCOMERS = "newcomers"
    MEMBERS = "members of a persona"


@dataclass(frozen=True)
class Tool:
    """One row of the table.

    `asks_first`: it takes something away, or writes what every later answer reads, so its owner is
    asked before; `foresee` says what a call would do, and does nothing.
    """

    name: str
    purpose: str
    arguments: type[Arguments]
    run: Callable[[ToolContext, Any], Result]
    asks_first: bool = False
    foresee: Callable[[ToolContext, Any], Result] | None = None

    def schema(self) -> dict[str, Any]:
        """Return its arguments as JSON schema: one flat object without other names."""
        made = self.arguments.model_json_schema()
        for name in ("title", "description"):
            made.pop(name, None)
        for argument in made["properties"].values():
            argument.pop("title", None)
            if argument.get("default") in (None, ""):
                argument.pop("default", None)
        return made

    def offered(self) -> dict[str, Any]:
        """Return the schema for a language model, without bounds; a wrong call is told of those."""
        made = self.schema()
        made.pop("additionalProperties", None)
        for argument in made["properties"].values():
            for bound in _BOUNDS:
                argument.pop(bound, None)
            # A model knows what a result names by a short id, and says that.
            if argument.get("format") == "uuid":
                argument.pop("format")
        return made


# What a checked call refuses in words.
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default")
