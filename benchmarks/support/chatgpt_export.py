"""Exports of ChatGPT of any size, with every fault that such a file has had."""

import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Messages that a person would count in each conversation, whatever stands between them.
MESSAGES = 20
_BEGUN, _APART = 1_500_000_000.0, 20_000.0
_CITIES = ("Lisbon", "Porto", "Bern", "Oslo", "Leeds", "Turin", "Ghent", "Cork")
_FIRMS = ("Acme", "Globex", "Initech", "Umbrella", "Hooli", "Vandelay")
_ABOUT = ("a trip", "a letter", "the garden", "a recipe", "the budget", "a bicycle", "the choir")
Node = dict[str, Any]
Fault = Callable[[dict[str, Any], list[Node]], None]


def write(path: Path, conversations: int, *, seed: int = 7) -> Path:
    """Write an export as a ZIP, a conversation at a time; each of them has its own words."""
    rng = random.Random(seed)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("conversations.json", "w", force_zip64=True) as file,
    ):
        for number in range(conversations):
            file.write(b",\n" if number else b"[")
            file.write(json.dumps(_conversation(number, rng)).encode())
        file.write(b"]")
    return path


def _conversation(number: int, rng: random.Random) -> dict[str, Any]:
    nodes = list(_nodes(number, rng))
    conversation: dict[str, Any] = {
        "title": f"About {rng.choice(_ABOUT)} {number}",
        "create_time": _BEGUN + number * _APART,
        "update_time": _BEGUN + number * _APART + 3_600,
        "mapping": {},
        "current_node": nodes[-1]["id"],
        "conversation_id": f"conversation-{number}",
    }
    FAULTS[number % len(FAULTS)](conversation, nodes)
    conversation["mapping"] = {node["id"]: node for node in nodes}
    return conversation


def _nodes(number: int, rng: random.Random) -> Iterator[Node]:
    parent = f"{number}-root"
    yield {"id": parent, "parent": None, "children": [f"{number}-0"], "message": None}
    for place in range(MESSAGES):
        role = "assistant" if place % 2 else "user"
        key, child = f"{number}-{place}", f"{number}-{place + 1}"
        at = _BEGUN + number * _APART + place * 60
        message = _message(key, role, _words(number, place, rng), at)
        yield {"id": key, "parent": parent, "children": [child], "message": message}
        parent = key


def _message(key: str, role: str, text: str, at: float) -> dict[str, Any]:
    return {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "metadata": {"model_slug": "gpt-4o", "timestamp_": "absolute"},
        "recipient": "all",
    }


def _words(number: int, place: int, rng: random.Random) -> str:
    about = rng.choice(_ABOUT)
    if place == 0 and number % 10 == 0:
        return f"I live in {rng.choice(_CITIES)} and work at {rng.choice(_FIRMS)}."
    if place % 2:
        return f"Here is a thought about {about}, in {rng.randint(2, 9)} short steps. " * 3
    return f"What would you do about {about} on day {number} at {rng.randint(1, 12)} o'clock?"


# --- Faults ---------------------------------------------------------------------------------------


def _none(_: dict[str, Any], __: list[Node]) -> None:
    """A conversation as it should be."""


def _dangling(conversation: dict[str, Any], _: list[Node]) -> None:
    conversation["current_node"] = "gone"


def _without_current(conversation: dict[str, Any], _: list[Node]) -> None:
    del conversation["current_node"]


def _without_children(_: dict[str, Any], nodes: list[Node]) -> None:
    for node in nodes:
        del node["children"]


def _without_moments(conversation: dict[str, Any], nodes: list[Node]) -> None:
    conversation["create_time"] = None
    for node in nodes[2::3]:
        node["message"]["create_time"] = None


def _without_metadata(_: dict[str, Any], nodes: list[Node]) -> None:
    for node in nodes[1:]:
        node["message"].pop("metadata")


def _put_between(nodes: list[Node], *messages: dict[str, Any] | None) -> None:
    """Put nodes between the root and what was said first."""
    parent, first = nodes[0], nodes[1]
    for message in messages:
        key = f"{first['id']}-{len(nodes)}"
        between = {"id": key, "parent": parent["id"], "children": [], "message": message}
        nodes.insert(-1, between)
        parent = between
    first["parent"] = parent["id"]


def _hidden(_: dict[str, Any], nodes: list[Node]) -> None:
    context = _message("context", "user", "", _BEGUN)
    context["content"] = {"content_type": "user_editable_context", "user_profile": "I am Ada."}
    shown = _message("hidden", "system", "Be brief.", _BEGUN)
    shown["metadata"] = {"is_visually_hidden_from_conversation": True}
    _put_between(nodes, None, context, shown)


def _tools(_: dict[str, Any], nodes: list[Node]) -> None:
    output = _message("tool", "tool", "42", _BEGUN)
    output["content"] = {"content_type": "execution_output", "text": "42"}
    _put_between(nodes, _message("system", "system", "Be brief.", _BEGUN), output)


def _code(_: dict[str, Any], nodes: list[Node]) -> None:
    nodes[2]["message"]["content"] = {"content_type": "code", "language": "python", "text": "1+1"}


def _parts(_: dict[str, Any], nodes: list[Node]) -> None:
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "file://x"}, "Look", None]
    nodes[1]["message"]["content"] = {"content_type": "multimodal_text", "parts": parts}


def _branches(conversation: dict[str, Any], nodes: list[Node]) -> None:
    other = _message("other", "assistant", "Another answer.", _BEGUN)
    nodes.append({"id": "other", "parent": nodes[1]["id"], "children": [], "message": other})
    conversation["current_node"] = nodes[-2]["id"]


FAULTS: tuple[Fault, ...] = (
    _none,
    _dangling,
    _without_current,
    _without_children,
    _without_moments,
    _without_metadata,
    _hidden,
    _tools,
    _code,
    _parts,
    _branches,
)
