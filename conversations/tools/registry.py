"""The registry of tools, and calling a tool by name.

The notebook and the API use all tools. A chat model is offered those in `CHAT_TOOLS` only, because
each definition costs tokens in every request, but may call the others by name.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from conversations.tools import remembering, roles, upcoming
from conversations.tools.deletion import delete_turn, forgetting
from conversations.tools.lookup import (
    conversation_search,
    export,
    facts,
    recall,
    search_memory,
    statistics,
    talks,
    topics,
)
from conversations.tools.tool import (
    Arguments,
    OfferedTo,
    Result,
    Tool,
    ToolContext,
    ToolRefused,
    UnknownTool,
)
from personas.models import Persona

_TOOL_MODULES = (
    search_memory,
    remembering,
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
    """Return all tools by name, in the order in which they are listed."""
    return _TOOLS


def call(context: ToolContext, name: str, arguments: Mapping[str, Any]) -> Result:
    """Return the result of calling a tool, in the user's transaction (`acting_as`). Raises
    UnknownTool, and ToolRefused for invalid arguments or an action that is impossible.
    """
    tool = find(name)
    return tool.run(context, _checked(tool, arguments))


def foresee(context: ToolContext, name: str, arguments: Mapping[str, Any]) -> Result:
    """Return a preview of a call that needs approval; nothing is changed. Its `arguments` are those
    of the call to approve. Raises the same exceptions as `call`.
    """
    tool = find(name)
    if tool.foresee is None:
        raise ToolRefused(f"{tool.name} deletes nothing, so it has no preview. Call it directly.")
    return tool.foresee(context, _checked(tool, arguments))


def asks_first(name: str) -> bool:
    """Return whether a tool needs approval; False if the tool does not exist."""
    tool = tools().get(name)
    return tool is not None and tool.asks_first


def find(name: str) -> Tool:
    """Return the tool with this name. Raises UnknownTool."""
    tool = tools().get(name)
    if tool is None:
        raise UnknownTool(
            f"There is no tool called {name[:64]}. Choose from: {', '.join(tools())}."
        )
    return tool


def in_words(result: BaseModel) -> str:
    """Return a result in a few words: '3 conversations', 'nothing found'."""
    return result.in_words() if isinstance(result, Result) else "done"


def _checked(tool: Tool, arguments: Mapping[str, Any]) -> Arguments:
    try:
        return tool.arguments.model_validate(arguments)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
            for problem in error.errors(include_input=False, include_url=False)
        )
        raise ToolRefused(f"{tool.name} cannot be called like this. {wrong}.") from None


# --- Tools offered to a chat model ---------------------------------------------------------------


@dataclass(frozen=True)
class ChatTool:
    """A tool as offered to a chat model: its purpose and the arguments needed in a chat, with
    descriptions that their names do not give.
    """

    name: str
    purpose: str
    arguments: Mapping[str, str]

    @property
    def parameters(self) -> dict[str, Any]:
        """The JSON schema of the arguments."""
        made = find(self.name).offered()
        offered = {}
        for name, description in self.arguments.items():
            argument = {**made["properties"][name]}
            argument.pop("description", None)
            offered[name] = argument | ({"description": description} if description else {})
        required = [name for name in made.get("required", ()) if name in offered]
        return {"type": "object", "properties": offered} | (
            {"required": required} if required else {}
        )


CHAT_TOOLS: Mapping[OfferedTo, tuple[ChatTool, ...]] = {
    OfferedTo.EVERYBODY: (
        ChatTool(
            "search_memory",
            "Find facts (past ones too), notes, and what was said. Use it whenever the notes do "
            "not hold the answer.",
            {
                "query": "Omit for all of a period.",
                "kind": "",
                "from": "First day: 2025-03-14, or 'last week'.",
                "to": "Last day.",
                "conversation": "Id of a conversation, or of a message in it.",
                "speaker": "person, assistant or a name.",
                "limit": "",
            },
        ),
        ChatTool(
            "remember",
            "Save what the person asks you to remember. What is merely mentioned is saved without "
            "you.",
            {"quote": "Their exact words in this message.", "text": "One plain sentence."},
        ),
        ChatTool(
            "update_memory",
            "Change a fact or note that has changed or ended.",
            {
                "id": "Id from a search.",
                "quote": "Their exact words in this message.",
                "value": "Empty if it has ended.",
                "reason": "",
            },
        ),
        ChatTool(
            "get_upcoming_plans",
            "Find plans for the coming days.",
            {"when": "'Friday', 'next week'. Omit for thirty days."},
        ),
        ChatTool(
            "forget_fact", "Propose to forget a fact or note.", {"fact_id": "Id from a search."}
        ),
        ChatTool(
            "forget_message",
            "Propose to delete a message.",
            {"message_id": "Omit for the last thing said."},
        ),
    ),
    OfferedTo.NEWCOMERS: (
        ChatTool("list_available_personas", "List the professional personas.", {}),
        ChatTool(
            "update_user_persona_profile_in_db",
            "Propose the persona that fits the person's work.",
            {"persona_handle": "A listed handle.", "confidence_score": "0 to 1."},
        ),
    ),
    OfferedTo.MEMBERS: (
        ChatTool(
            "append_memory_block",
            "Propose a line for a memory block.",
            {
                "label": f"human, user_persona_profile, or {Persona.block_label_of('<handle>')}.",
                "text": "One or two sentences; in a shared block a general lesson only.",
            },
        ),
        ChatTool(
            "replace_memory_block",
            "Propose to replace words in the person's own memory block.",
            {"label": "", "old": "Words that occur there exactly once.", "new": ""},
        ),
    ),
}


def offered(audiences: Collection[OfferedTo]) -> list[ChatTool]:
    """Return the tools that are offered to a language model for these audiences."""
    return [
        tool for audience in CHAT_TOOLS if audience in audiences for tool in CHAT_TOOLS[audience]
    ]
