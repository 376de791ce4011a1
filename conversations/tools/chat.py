"""What a language model is offered while it chats: a few tools of the table, in few words.

It pays for each definition with every request. Whatever is not listed here it may still call by
name, and other software is told of all tools with all their arguments.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from conversations.tools import registry
from conversations.tools.tool import OfferedTo
from personas.models import Persona


@dataclass(frozen=True)
class ChatTool:
    """A tool as it is offered: its purpose, and of its arguments those that a chat needs, with what
    their names do not say.
    """

    name: str
    purpose: str
    arguments: Mapping[str, str]

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments as JSON schema."""
        made = registry.find(self.name).offered()
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
            "Find facts (past ones too), notes, and what was said word for word. Use it whenever "
            "the notes do not hold the answer.",
            {
                "query": "A question or a few words. Leave it out for all of a time.",
                "kind": "",
                "from": "First day: 2025-03-14, or 'last week'.",
                "to": "Last day.",
                "conversation": "Id of a conversation, or of a message in it.",
                "speaker": "person, assistant or a name.",
                "limit": "",
            },
        ),
        ChatTool(
            "get_upcoming_plans",
            "Find what the person said of days to come.",
            {"when": "'Friday', 'next week'. Left out: thirty days."},
        ),
        ChatTool(
            "get_user_conversations",
            "List and count the person's conversations, the latest first.",
            {"when": "'last week', 'March 2025'.", "title": "Words in the title."},
        ),
        ChatTool(
            "get_conversation_summary",
            "Sum up a conversation.",
            {"conversation_id": "Left out: this one."},
        ),
        ChatTool(
            "forget_fact", "Propose to forget a fact or note.", {"fact_id": "Id from a search."}
        ),
        ChatTool(
            "forget_message",
            "Propose to take out a message and what was learned from it.",
            {"message_id": "Id from a search. Left out: the last thing that was told."},
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
            "Propose other words in a memory block of the person's own.",
            {"label": "", "old": "Words that stand there once.", "new": ""},
        ),
    ),
}


def offered(audiences: Collection[OfferedTo]) -> list[ChatTool]:
    """Return what a language model is offered that answers these."""
    return [
        tool for audience in CHAT_TOOLS if audience in audiences for tool in CHAT_TOOLS[audience]
    ]
