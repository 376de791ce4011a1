"""Every tool by its name, and the one way to call one.

The assistant without a language model uses the same table, and it is open to other software; what a
model is offered of it stands in `conversations.tools.chat`.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from conversations.tools import (
    conversation_search,
    export,
    facts,
    recall,
    roles,
    search_memory,
    statistics,
    talks,
    topics,
    upcoming,
)
from conversations.tools.deletion import delete_turn, forgetting
from conversations.tools.tool import (
    Arguments,
    Result,
    Tool,
    ToolContext,
    ToolRefused,
    UnknownTool,
)

_TOOL_MODULES = (
    search_memory,
    facts,
    statistics,
    export,
    recall,
    upcoming,
    conversation_search,
    talks,
    topics,
    forgetting,
    delete_turn,
    roles,
)
_TOOLS = {tool.name: tool for room in _TOOL_MODULES for tool in room.TOOLS}


def tools() -> dict[str, Tool]:
    """Every tool by its name, in the order in which they are offered."""
    return _TOOLS


def call(context: ToolContext, name: str, arguments: Mapping[str, Any]) -> Result:
    """Call a tool in the person's open block.

    Raises UnknownTool, and ToolRefused for arguments that do not fit or a deed that cannot be done.
    """
    tool = find(name)
    return tool.run(context, _checked(tool, arguments))


def foresee(context: ToolContext, name: str, arguments: Mapping[str, Any]) -> Result:
    """What a call of a tool that asks first would do; nothing is done.

    Its `arguments` are those of the call that does just this. Raises what `call` raises.
    """
    tool = find(name)
    if tool.foresee is None:
        raise ToolRefused(f"{tool.name} takes nothing away: call it as it is.")
    return tool.foresee(context, _checked(tool, arguments))


def asks_first(name: str) -> bool:
    """Whether a tool of this name waits for a yes; False for one that is no more."""
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
