"""Chats and memories of Open WebUI: a chat is a tree of messages by id (`chat.history`)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from privacy.importing import shapes
from privacy.importing.formats.mem0 import memory_of
from privacy.importing.formats.trees import active_branch
from privacy.importing.shapes import (
    ImportedConversation,
    ImportedMemory,
    ImportedMessage,
    Reader,
    Unreadable,
)


def read_chat(item: Mapping[str, Any]) -> ImportedConversation:
    """Return one chat: its active branch, or its list of messages. Raises Unreadable."""
    chat = item.get("chat")
    if not isinstance(chat, dict):
        raise Unreadable(shapes.BROKEN)
    history = shapes.mapping_of(chat.get("history"))
    nodes = history.get("messages")
    branch = chat.get("messages")
    if isinstance(nodes, dict):
        branch = active_branch(nodes, "parentId", history.get("currentId"), _moment_of)
    told = map(shapes.mapping_of, branch if isinstance(branch, list) else [])
    messages = [message for one in told if (message := _message(one))]
    title = item.get("title") or chat.get("title")
    started_at = item.get("created_at") or chat.get("timestamp")
    return shapes.conversation(item.get("id") or chat.get("id"), title, started_at, messages)


def read_memory(item: Mapping[str, Any]) -> ImportedMemory:
    """Return one memory. Raises Unreadable."""
    return memory_of(item, item.get("content"))


def _moment_of(told: Mapping[str, Any]) -> datetime | None:
    return shapes.moment(told.get("timestamp"))


def _message(told: Mapping[str, Any]) -> ImportedMessage | None:
    role, text = told.get("role"), shapes.text_of_parts(told.get("content"))
    if role not in ("user", "assistant") or not text:
        return None
    return ImportedMessage(role, text, _moment_of(told), str(told.get("id") or ""))


CHATS = Reader("open_webui", lambda item: "chat" in item, read_chat)
MEMORIES = Reader(
    "open_webui",
    lambda item: "user_id" in item and "content" in item and "role" not in item,
    read_memory,
)
