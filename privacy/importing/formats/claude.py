"""Conversations of a Claude export: each a list of messages in their order (`chat_messages`); and
what Claude remembered, as a text for all conversations and one for each project (`memories.json`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from privacy.importing import shapes
from privacy.importing.shapes import (
    ImportedConversation,
    ImportedMemory,
    ImportedMessage,
    Reader,
    Role,
    Unreadable,
)

_ROLES: dict[str, Role] = {"human": "user", "assistant": "assistant"}
# What was thought and looked up on the way is no part of what was said.
_NOT_SAID = {"thinking", "tool_use", "tool_result", "token_budget"}


def read(item: Mapping[str, Any]) -> ImportedConversation:
    """Return one conversation. Raises Unreadable."""
    told = item.get("chat_messages")
    if not isinstance(told, list):
        raise Unreadable(shapes.BROKEN)
    messages = [message for one in told if (message := _message(shapes.mapping_of(one)))]
    return shapes.conversation(item.get("uuid"), item.get("name"), item.get("created_at"), messages)


def _message(told: Mapping[str, Any]) -> ImportedMessage | None:
    role = _ROLES.get(str(told.get("sender")))
    text = _text(told)
    if role is None or not text:
        return None
    return ImportedMessage(
        role, text, shapes.moment(told.get("created_at")), str(told.get("uuid") or "")
    )


def _text(told: Mapping[str, Any]) -> str:
    """The blocks of its content where it has some, because `text` may repeat what tools said."""
    blocks = told.get("content")
    blocks = blocks if isinstance(blocks, list) else []
    said = [block for block in blocks if shapes.mapping_of(block).get("type") not in _NOT_SAID]
    text = shapes.text_of_parts(said) or shapes.text_of(told.get("text"))
    files = [name for key in ("attachments", "files") for name in _names(told.get(key))]
    return "\n".join(filter(None, [text, *files]))


def _names(files: Any) -> list[str]:
    """A word in brackets for each file that came with a message."""
    if not isinstance(files, list):
        return []
    names = (shapes.text_of(shapes.mapping_of(file).get("file_name")) for file in files)
    return [f"[attachment: {name}]" if name else "[attachment]" for name in names]


def read_memories(item: Mapping[str, Any]) -> Iterator[ImportedMemory]:
    """Yield what is remembered, each line a memory. Raises Unreadable where there is none."""
    projects = shapes.mapping_of(item.get("project_memories"))
    texts = {"": item.get("conversations_memory"), **projects}
    there = False
    for key, told in texts.items():
        if text := shapes.text_of(told):
            for memory in shapes.lines_of(ImportedMemory(text, None, key or "conversations")):
                there = True
                yield memory
    if not there:
        raise Unreadable(shapes.WITHOUT_TEXT)


MEMORIES = Reader(
    "claude",
    lambda item: "conversations_memory" in item or "project_memories" in item,
    read_memories,
)
CLAUDE = Reader("claude", lambda item: "chat_messages" in item, read)
