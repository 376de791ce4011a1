"""The shape of a tool, and the one way to call one.

A tool is a function of who asks and of checked arguments. The same table is offered to a language
model, used by the assistant without one, and open to other software.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError


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


class ToolRefused(ValueError):
    """The call cannot be done as it is; the message says why and what to do, in plain words."""


class UnknownTool(ToolRefused):
    """There is no tool of this name."""


@dataclass(frozen=True)
class Tool:
    """One row of the table. `asks_first`: it takes something away, so its owner is asked before."""

    name: str
    purpose: str
    arguments: type[Arguments]
    run: Callable[[Asking, Any], BaseModel]
    asks_first: bool = False

    def schema(self) -> dict[str, Any]:
        """Its arguments as JSON schema."""
        return self.arguments.model_json_schema()


def call(asking: Asking, name: str, arguments: Mapping[str, Any]) -> BaseModel:
    """Call a tool in the person's open block.

    Raises UnknownTool, and ToolRefused for arguments that do not fit or a deed that cannot be done.
    """
    tool = tools().get(name)
    if tool is None:
        raise UnknownTool(f"There is no tool called {name}. There are: {', '.join(tools())}.")
    return tool.run(asking, _checked(tool, arguments))


def _checked(tool: Tool, arguments: Mapping[str, Any]) -> Arguments:
    try:
        return tool.arguments.model_validate(arguments)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
            for one in error.errors(include_input=False, include_url=False)
        )
        raise ToolRefused(f"{tool.name} cannot be called like this. {wrong}.") from None


@cache
def tools() -> dict[str, Tool]:
    """Every tool by its name, in the order in which they are offered."""
    from conversations.tools import talks

    return {tool.name: tool for tool in talks.TOOLS}
