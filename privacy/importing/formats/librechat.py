"""Conversations of LibreChat: a list of messages with the id of their parent, or nested trees."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from privacy.importing import shapes
from privacy.importing.formats.trees import active_branch
from privacy.importing.shapes import ImportedConversation, ImportedMessage, Reader, Role, Unreadable


def read(item: Mapping[str, Any]) -> ImportedConversation:
    """Return one conversation: the branch that was written last. Raises Unreadable."""
    told = item.get("messagesTree") or item.get("messages")
    if not isinstance(told, list):
        raise Unreadable(shapes.BROKEN)
    nodes = dict(_nodes(told))
    branch = active_branch(nodes, "parentMessageId", None, _moment_of)
    # A list in which no message names the one before it is a conversation as it stands.
    linear = not any(node.get("parentMessageId") in nodes for node in nodes.values())
    messages = [_message(node) for node in (nodes.values() if linear else branch)]
    started_at = item.get("createdAt") or item.get("exportAt")
    key, title = item.get("conversationId"), item.get("title")
    return shapes.conversation(key, title, started_at, [one for one in messages if one])


def _nodes(told: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every message by its id, with its parent's; without recursion, however deep they nest."""
    waiting: list[tuple[Any, str | None]] = [(one, None) for one in reversed(told)]
    place = 0
    while waiting:
        one, parent = waiting.pop()
        message, place = dict(shapes.mapping_of(one)), place + 1
        key = str(message.get("messageId") or f"#{place}")
        message["parentMessageId"] = message.get("parentMessageId") or parent
        children = message.pop("children", None)
        yield key, message
        waiting += [
            (child, key) for child in reversed(children if isinstance(children, list) else [])
        ]


def _moment_of(told: Mapping[str, Any]) -> datetime | None:
    return shapes.moment(told.get("createdAt"))


def _message(told: Mapping[str, Any]) -> ImportedMessage | None:
    by_user = told.get("isCreatedByUser")
    if not isinstance(by_user, bool):
        by_user = str(told.get("sender")).casefold() == "user"
    parts = told.get("content")
    said = [
        part
        for part in (parts if isinstance(parts, list) else [])
        if shapes.mapping_of(part).get("type") not in ("think", "tool_call")
    ]
    text = shapes.text_of(told.get("text")) or shapes.text_of_parts(said)
    role: Role = "user" if by_user else "assistant"
    key = str(told.get("messageId") or "")
    return ImportedMessage(role, text, _moment_of(told), key) if text else None


LIBRECHAT = Reader(
    "librechat",
    lambda item: "conversationId" in item and ("messages" in item or "messagesTree" in item),
    read,
)
