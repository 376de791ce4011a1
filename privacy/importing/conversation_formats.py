"""Readers of conversations of other assistants, one function per format; each raises Unreadable."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from html import unescape
from typing import Any

from privacy.importing import shapes
from privacy.importing.shapes import (
    ImportedConversation,
    ImportedMessage,
    Role,
    Unreadable,
    later,
    list_of,
    mapping_of,
    moment,
    text_of,
    text_of_parts,
)

Item = Mapping[str, Any]
MomentOf = Callable[[Item], datetime | None]


def _message(role: Any, text: str, at: Any, key: Any) -> ImportedMessage | None:
    """Return a message; None without text or if its role is neither user nor assistant."""
    if role not in ("user", "assistant") or not text:
        return None
    return ImportedMessage(role, text, moment(at), str(key or ""))


# --- Trees: the branch that the user saw last -----------------------------------------------------


def _active_branch(nodes: Item, parent: str, current: Any, moment_of: MomentOf) -> list[Item]:
    """Return the nodes from the root to `current`, following `parent` links; to the newest leaf if
    `current` is missing. Each node of a cycle is returned once.
    """
    key = current if isinstance(current, str) and current in nodes else None
    if key is None:
        key = _newest_leaf(nodes, parent, moment_of)
    branch: list[Item] = []
    seen: set[str] = set()
    while isinstance(key, str) and key in nodes and key not in seen:
        seen.add(key)
        node = mapping_of(nodes[key])
        branch.append(node)
        key = node.get(parent)
    return branch[::-1]


def _newest_leaf(nodes: Item, parent: str, moment_of: MomentOf) -> str | None:
    """Return the id of the newest leaf; of equally new leaves, the last in the file."""
    parents = {
        key for node in nodes.values() if isinstance(key := mapping_of(node).get(parent), str)
    }
    leaves = [key for key in nodes if key not in parents] or list(nodes)
    at = {
        key: (later(moment_of(mapping_of(nodes[key]))), place) for place, key in enumerate(leaves)
    }
    return max(at, key=lambda key: at[key], default=None)


# --- ChatGPT: a tree of messages by id ------------------------------------------------------------

# What ChatGPT writes for itself or its tools, and custom instructions.
_NOT_SAID_BY_CHATGPT = {
    *("user_editable_context", "model_editable_context", "thoughts", "reasoning_recap"),
    *("execution_output", "system_error", "tether_quote", "tether_browsing_display"),
}


def read_chatgpt(item: Item) -> ImportedConversation:
    """Return the active branch of a ChatGPT conversation."""
    nodes = item.get("mapping")
    if not isinstance(nodes, dict):
        raise Unreadable(shapes.BROKEN)
    branch = _active_branch(
        nodes,
        "parent",
        item.get("current_node"),
        lambda node: moment(mapping_of(node.get("message")).get("create_time")),
    )
    key = item.get("conversation_id") or item.get("id")
    messages = map(_chatgpt_message, branch)
    return shapes.conversation(key, item.get("title"), item.get("create_time"), messages)


def _chatgpt_message(node: Item) -> ImportedMessage | None:
    message = mapping_of(node.get("message"))
    if mapping_of(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        return None
    role = mapping_of(message.get("author")).get("role")
    text = _chatgpt_text(mapping_of(message.get("content")))
    return _message(role, text, message.get("create_time"), message.get("id") or node.get("id"))


def _chatgpt_text(content: Item) -> str:
    kind = str(content.get("content_type") or "text")
    if kind in _NOT_SAID_BY_CHATGPT:
        return ""
    text = text_of(content.get("text"))
    if kind == "code":
        language = content.get("language")
        name = language if isinstance(language, str) and language != "unknown" else ""
        return f"```{name}\n{text}\n```" if text else ""
    return text_of_parts(content.get("parts")) or text


# --- Claude: a list of messages in their order ----------------------------------------------------

# Thinking and tool use are not part of the conversation.
_NOT_SAID_BY_CLAUDE = {"thinking", "tool_use", "tool_result", "token_budget"}


def read_claude(item: Item) -> ImportedConversation:
    """Return a Claude conversation."""
    messages = item.get("chat_messages")
    if not isinstance(messages, list):
        raise Unreadable(shapes.BROKEN)
    key, title = item.get("uuid"), item.get("name")
    read = (_claude_message(mapping_of(message)) for message in messages)
    return shapes.conversation(key, title, item.get("created_at"), read)


def _claude_message(message: Item) -> ImportedMessage | None:
    """Return a message from its content blocks if it has any: `text` may repeat tool output."""
    role = {"human": "user", "assistant": "assistant"}.get(str(message.get("sender")))
    said = [
        block
        for block in list_of(message.get("content"))
        if mapping_of(block).get("type") not in _NOT_SAID_BY_CLAUDE
    ]
    text = text_of_parts(said) or text_of(message.get("text"))
    files = [*list_of(message.get("attachments")), *list_of(message.get("files"))]
    names = (text_of(mapping_of(file).get("file_name")) for file in files)
    attached = [f"[attachment: {name}]" if name else "[attachment]" for name in names]
    whole = "\n".join(filter(None, [text, *attached]))
    return _message(role, whole, message.get("created_at"), message.get("uuid"))


# --- LibreChat: a list of messages with the id of their parent, or nested trees -------------------


def read_librechat(item: Item) -> ImportedConversation:
    """Return the latest branch of a LibreChat conversation."""
    tree = item.get("messagesTree") or item.get("messages")
    if not isinstance(tree, list):
        raise Unreadable(shapes.BROKEN)
    nodes = dict(_librechat_nodes(tree))
    branch = _active_branch(
        nodes, "parentMessageId", None, lambda node: moment(node.get("createdAt"))
    )
    # If no message names a parent, the list is in reading order.
    linear = not any(node.get("parentMessageId") in nodes for node in nodes.values())
    messages = map(_librechat_message, nodes.values() if linear else branch)
    started_at = item.get("createdAt") or item.get("exportAt")
    return shapes.conversation(item.get("conversationId"), item.get("title"), started_at, messages)


def _librechat_nodes(tree: list[Any]) -> Iterator[tuple[str, Item]]:
    """Yield every message by id, with its parent's id, at any depth of nesting."""
    waiting: list[tuple[Any, str | None]] = [(node, None) for node in reversed(tree)]
    place = 0
    while waiting:
        node, parent = waiting.pop()
        message, place = dict(mapping_of(node)), place + 1
        key = str(message.get("messageId") or f"#{place}")
        message["parentMessageId"] = message.get("parentMessageId") or parent
        children = list_of(message.pop("children", None))
        yield key, message
        waiting += [(child, key) for child in reversed(children)]


def _librechat_message(message: Item) -> ImportedMessage | None:
    by_user = message.get("isCreatedByUser")
    if not isinstance(by_user, bool):
        by_user = str(message.get("sender")).casefold() == "user"
    said = [
        part
        for part in list_of(message.get("content"))
        if mapping_of(part).get("type") not in ("think", "tool_call")
    ]
    text = text_of(message.get("text")) or text_of_parts(said)
    role: Role = "user" if by_user else "assistant"
    return _message(role, text, message.get("createdAt"), message.get("messageId"))


# --- Open WebUI: a tree of messages by id, or a list ----------------------------------------------


def read_open_webui(item: Item) -> ImportedConversation:
    """Return the active branch of an Open WebUI chat, or its list of messages."""
    chat = item.get("chat")
    if not isinstance(chat, dict):
        raise Unreadable(shapes.BROKEN)
    history = mapping_of(chat.get("history"))
    nodes, branch = history.get("messages"), list_of(chat.get("messages"))
    if isinstance(nodes, dict):
        branch = _active_branch(
            nodes, "parentId", history.get("currentId"), lambda node: moment(node.get("timestamp"))
        )
    messages = (
        _message(
            node.get("role"),
            text_of_parts(node.get("content")),
            node.get("timestamp"),
            node.get("id"),
        )
        for node in map(mapping_of, branch)
    )
    title = item.get("title") or chat.get("title")
    started_at = item.get("created_at") or chat.get("timestamp")
    return shapes.conversation(item.get("id") or chat.get("id"), title, started_at, messages)


# --- Gemini: prompts in Google's "My Activity", each an entry with its answer as HTML -------------
# Entries do not name their conversation, so each becomes one.

# Prefixes of titles that are prompts, and of titles that are not.
_PROMPTED = ("Prompted ", "Asked ", "Said ")
_OTHER = ("Created ", "Used ", "Gave ", "Added ", "Shared ", "Deleted ", "Selected ")
# A tag, comment or declaration; matched in linear time even for hostile text.
_TAG = re.compile(r"<(?:(/?)([a-zA-Z][a-zA-Z0-9]*+)|[!?])[^<>]*+>")
_BLOCKS = frozenset({"p", "br", "div", "li", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6"})
_TITLE = 60


def read_gemini(item: Item) -> ImportedConversation:
    """Return a prompt to Gemini with its answer."""
    names = [
        text_of(name).casefold() for name in (item.get("header"), *list_of(item.get("products")))
    ]
    if not any(product in name for name in names for product in ("gemini", "bard")):
        raise Unreadable("it’s from another product")
    title, answer = text_of(item.get("title")), _gemini_answer(item.get("safeHtmlItem"))
    verb = next((verb for verb in _PROMPTED if title.startswith(verb)), None)
    # In other languages the title starts differently; a prompt has an answer.
    if not title or title.startswith(_OTHER) or (verb is None and not answer):
        raise Unreadable("it isn’t a message to Gemini")
    prompt, at = title.removeprefix(verb or "").strip(), item.get("time")
    messages = [_message("user", prompt, at, "1"), _message("assistant", answer, at, "2")]
    words = " ".join(prompt.split())
    name = words if len(words) <= _TITLE else words[:_TITLE].rsplit(" ", 1)[0] + " …"
    # The time has milliseconds, and serves as the id.
    return shapes.conversation(f"{at}:{prompt[:200]}", name, at, messages)


def _gemini_answer(items: Any) -> str:
    """Return the text of the answer, given as HTML or a list of HTML."""
    parts = map(mapping_of, items if isinstance(items, list) else [items])
    return "\n".join(
        filter(None, (_words(part.get("html") or part.get("htmlValue")) for part in parts))
    )


def _words(html: Any) -> str:
    """Return the visible text of HTML, each block element on its own line."""
    text = unescape(_TAG.sub(_between, text_of(html)))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(filter(None, lines))


def _between(tag: re.Match[str]) -> str:
    """Return the text that replaces an HTML tag: a newline, a space or nothing."""
    closes, name = tag[1], (tag[2] or "").lower()
    if name not in _BLOCKS:
        return ""
    return "\n- " if name == "li" and not closes else "\n"
