"""The shape of a tool, and the one way to call one.

A tool is a function of who asks and of checked arguments. The same table is offered to a language
model, used by the assistant without one, and open to other software.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from accounts import words
from accounts.made_once import made_once

# How much is shown of each thing that a call is about.
_LONGEST_NAME = 50


@dataclass(frozen=True)
class Asking:
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
    def _leave_out_what_is_empty(cls, given: Any) -> Any:
        """A language model fills in what it does not mean with null or ''."""
        if not isinstance(given, Mapping):
            return given
        return {name: value for name, value in given.items() if value not in (None, "")}


class Result(BaseModel):
    """What a tool answers with: ids, titles, links and dates, of a bounded size."""

    def in_words(self) -> str:
        """It in a few words: '3 conversations', 'nothing found'."""
        raise NotImplementedError

    def named(self) -> str:
        """The same with the words of what it is about: nobody says yes to a number."""
        texts = list(_texts(self.model_dump(mode="json")))
        shown = [
            f"“{text[:_LONGEST_NAME]}{'…' * (len(text) > _LONGEST_NAME)}”" for text in texts[:4]
        ]
        if len(texts) > len(shown):
            shown.append(f"{len(texts) - len(shown)} more")
        return f"{self.in_words()}: {words.listed(shown)}" if shown else self.in_words()


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            yield value["text"]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _texts(one)


class ToolRefused(ValueError):
    """The call cannot be done as it is; the message says why and what to do, in plain words."""


class UnknownTool(ToolRefused):
    """There is no tool of this name."""


class NotThere(ToolRefused):
    """Nothing of this person's has the id that was named."""


@dataclass(frozen=True)
class Tool:
    """One row of the table.

    `asks_first`: it takes something away, so its owner is asked before; `foresee` says what a call
    would do, and does nothing.
    """

    name: str
    purpose: str
    arguments: type[Arguments]
    run: Callable[[Asking, Any], Result]
    asks_first: bool = False
    foresee: Callable[[Asking, Any], Result] | None = None

    def schema(self) -> dict[str, Any]:
        """Its arguments as JSON schema: one object, flat, no name but those that it has."""
        made = self.arguments.model_json_schema()
        for name in ("title", "description"):
            made.pop(name, None)
        for argument in made["properties"].values():
            argument.pop("title", None)
            if argument.get("default") in (None, ""):
                argument.pop("default", None)
        return made

    def offered(self) -> dict[str, Any]:
        """The same for a language model, which pays for each word of it: without the bounds that a
        wrong call is told of, and without what a name says already.
        """
        made = self.schema()
        made.pop("additionalProperties", None)
        for name, argument in made["properties"].items():
            for bound in _BOUNDS:
                argument.pop(bound, None)
            if name in _PLAIN:
                argument.pop("description", None)
        return made


# What a checked call refuses in words, and arguments whose names say all.
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default")
_PLAIN = frozenset({"limit", "page"})


def call(asking: Asking, name: str, arguments: Mapping[str, Any]) -> Result:
    """Call a tool in the person's open block.

    Raises UnknownTool, and ToolRefused for arguments that do not fit or a deed that cannot be done.
    """
    tool = find(name)
    return tool.run(asking, _checked(tool, arguments))


def foresee(asking: Asking, name: str, arguments: Mapping[str, Any]) -> Result:
    """What a call of a tool that asks first would do; nothing is done.

    Its `arguments` are those of the call that does just this. Raises what `call` raises.
    """
    tool = find(name)
    if tool.foresee is None:
        raise ToolRefused(f"{tool.name} takes nothing away: call it as it is.")
    return tool.foresee(asking, _checked(tool, arguments))


def asks_first(name: str) -> bool:
    """Whether a tool of this name takes something away; False for one that is no more."""
    tool = tools().get(name)
    return tool is not None and tool.asks_first


def find(name: str) -> Tool:
    """The tool of this name. Raises UnknownTool."""
    tool = tools().get(name)
    if tool is None:
        raise UnknownTool(f"There is no tool called {name[:64]}. There are: {', '.join(tools())}.")
    return tool


def in_words(result: BaseModel) -> str:
    """What came back, in a few words: '3 conversations', 'nothing found'."""
    return result.in_words() if isinstance(result, Result) else "done"


def _checked(tool: Tool, arguments: Mapping[str, Any]) -> Arguments:
    try:
        return tool.arguments.model_validate(arguments)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
            for one in error.errors(include_input=False, include_url=False)
        )
        raise ToolRefused(f"{tool.name} cannot be called like this. {wrong}.") from None


@made_once
def tools() -> dict[str, Tool]:
    """Every tool by its name, in the order in which they are offered."""
    from conversations.tools import (
        delete_turn,
        export,
        facts,
        forgetting,
        recall,
        statistics,
        talks,
        topics,
    )

    rooms = (facts, statistics, export, recall, talks, topics, forgetting, delete_turn)
    return {tool.name: tool for room in rooms for tool in room.TOOLS}
