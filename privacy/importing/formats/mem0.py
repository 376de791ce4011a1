"""Memories of mem0, as its clients return them: `{"id", "memory", "created_at", ...}`."""

from collections.abc import Mapping
from typing import Any

from privacy.importing import shapes
from privacy.importing.shapes import ImportedMemory, Reader, Unreadable


def read(item: Mapping[str, Any]) -> ImportedMemory:
    """Return one memory. Raises Unreadable."""
    return memory_of(item, item.get("memory"))


def memory_of(item: Mapping[str, Any], told: Any) -> ImportedMemory:
    """Return a memory with the id and the moments of its item. Raises Unreadable without a text."""
    text = shapes.text_of(told)
    if not text:
        raise Unreadable(shapes.WITHOUT_TEXT)
    said_at = shapes.moment(item.get("created_at")) or shapes.moment(item.get("updated_at"))
    return ImportedMemory(text, said_at, str(item.get("id") or text))


MEM0 = Reader("mem0", lambda item: "memory" in item, read)
