"""Exports of other assistants, made as small as a test needs them."""

import io
import json
import zipfile
from typing import Any

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from privacy.importing import reading, requests
from privacy.importing.shapes import ImportedItem
from privacy.models import Import


def node(
    key: str,
    parent: str | None,
    role: str = "user",
    text: str = "Hello there",
    at: float | None = 1_710_000_000.0,
    **changes: Any,
) -> dict[str, Any]:
    """A node of ChatGPT's tree; `changes` are those of its message."""
    message = {
        "id": key,
        "author": {"role": role},
        "create_time": at,
        "content": {"content_type": "text", "parts": [text]},
        "metadata": {},
        "recipient": "all",
    }
    return {"id": key, "parent": parent, "message": message | changes}


def chatgpt(*nodes: dict[str, Any], current: str | None = None, **changes: Any) -> dict[str, Any]:
    """A conversation of ChatGPT."""
    return {
        "title": "A trip",
        "create_time": 1_710_000_000.0,
        "mapping": {one["id"]: one for one in nodes},
        "current_node": current,
        "conversation_id": "c-1",
    } | changes


def talk(key: str, *texts: str, at: float = 1_710_000_000.0) -> dict[str, Any]:
    """A conversation of ChatGPT in which both speak in turns."""
    nodes = [
        node(
            f"{key}-{number}",
            f"{key}-{number - 1}" if number else None,
            "assistant" if number % 2 else "user",
            text,
            at + number,
        )
        for number, text in enumerate(texts)
    ]
    last = nodes[-1]["id"]
    return chatgpt(*nodes, current=last, conversation_id=key, title=f"Talk {key}", create_time=at)


def claude(*messages: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A conversation of Claude."""
    return {
        "uuid": "k-1",
        "name": "A trip",
        "created_at": "2024-03-14T10:00:00Z",
        "chat_messages": list(messages),
    } | changes


def as_json(value: Any) -> bytes:
    """The file of a JSON value."""
    return json.dumps(value).encode()


def zipped(**members: Any) -> bytes:
    """A ZIP of JSON files, by their names without the ending."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            data = value if isinstance(value, bytes) else as_json(value)
            archive.writestr(f"{name}.json", data)
    return made.getvalue()


def read(data: bytes) -> list[tuple[str, ImportedItem]]:
    """Everything in a file, with where it is from."""
    return list(reading.items(io.BytesIO(data)))


def brought(user: User, data: bytes) -> Import:
    """The file, looked at and waiting for a yes."""
    with acting_as(user):
        return requests.bring(user, io.BytesIO(data))


def accepted(user: User, data: bytes) -> Import:
    """The file, with a yes to it and nothing of it done."""
    key = brought(user, data).pk
    with acting_as(user):
        made = requests.accept(user, key)
    assert made is not None
    return made


def imported(user: User, data: bytes) -> Import:
    """The file, brought, accepted and taken in by the worker, or refused by it."""
    row = accepted(user, data)
    work.do_waiting_work()
    return now_of(row)


def now_of(row: Import) -> Import:
    """An import as it is by now."""
    with acting_as(row.user_id):
        return Import.objects.get(pk=row.pk)
