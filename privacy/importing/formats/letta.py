"""Memory blocks of Letta: those of an agent file (`blocks`), or as its API lists them."""

from collections.abc import Iterator, Mapping
from typing import Any

from privacy.importing import shapes
from privacy.importing.formats.mem0 import memory_of
from privacy.importing.shapes import ImportedMemory, Reader, Unreadable

# What the assistant is told of itself.
_OF_THE_ASSISTANT = {"persona", "system"}
NOT_ABOUT_YOU = "it’s about the assistant"


def recognises(item: Mapping[str, Any]) -> bool:
    """Whether it is a block: how long it may be is part of each."""
    return all(name in item for name in ("label", "value", "limit"))


def read(item: Mapping[str, Any]) -> Iterator[ImportedMemory]:
    """Yield each line of a block as a memory. Raises Unreadable where it has none."""
    label = shapes.text_of(item.get("label"))
    if label.casefold() in _OF_THE_ASSISTANT:
        raise Unreadable(NOT_ABOUT_YOU)
    yield from shapes.lines_of(memory_of(item, item.get("value")))


LETTA = Reader("letta", recognises, read)
