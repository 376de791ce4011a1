"""Conversations of a ChatGPT export: each a tree of messages by id (`mapping`)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from privacy.importing import shapes
from privacy.importing.formats.trees import active_branch
from privacy.importing.shapes import ImportedConversation, ImportedMessage, Reader, Unreadable

# What ChatGPT writes for itself or for its tools, and custom instructions.
_NOT_SAID = {
    "user_editable_context",
    "model_editable_context",
    "thoughts",
    "reasoning_recap",
    "execution_output",
    "system_error",
    "tether_quote",
    "tether_browsing_display",
}


def read(item: Mapping[str, Any]) -> ImportedConversation:
    """Return one conversation: its active branch. Raises Unreadable."""
    nodes = item.get("mapping")
    if not isinstance(nodes, dict):
        raise Unreadable(shapes.BROKEN)
    branch = active_branch(nodes, "parent", item.get("current_node"), _moment_of)
    messages = [message for node in branch if (message := _message(node)) is not None]
    key = item.get("conversation_id") or item.get("id")
    return shapes.conversation(key, item.get("title"), item.get("create_time"), messages)


def _moment_of(node: Mapping[str, Any]) -> datetime | None:
    return shapes.moment(shapes.mapping_of(node.get("message")).get("create_time"))


def _message(node: Mapping[str, Any]) -> ImportedMessage | None:
    """What was said in a node; None where nothing was, or nothing that is shown."""
    message = shapes.mapping_of(node.get("message"))
    role = shapes.mapping_of(message.get("author")).get("role")
    hidden = shapes.mapping_of(message.get("metadata")).get("is_visually_hidden_from_conversation")
    if hidden or role not in ("user", "assistant"):
        return None
    text = _text(shapes.mapping_of(message.get("content")))
    key = str(message.get("id") or node.get("id") or "")
    return ImportedMessage(role, text, _moment_of(node), key) if text else None


def _text(content: Mapping[str, Any]) -> str:
    kind = str(content.get("content_type") or "text")
    if kind in _NOT_SAID:
        return ""
    text = shapes.text_of(content.get("text"))
    if kind == "code":
        language = content.get("language")
        name = language if isinstance(language, str) and language != "unknown" else ""
        return f"```{name}\n{text}\n```" if text else ""
    return shapes.text_of_parts(content.get("parts")) or text


CHATGPT = Reader("chatgpt", lambda item: "mapping" in item, read)
