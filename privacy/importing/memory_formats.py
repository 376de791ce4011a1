"""Readers of other assistants' memories, one function per format; each raises Unreadable."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from privacy.importing import shapes
from privacy.importing.shapes import (
    ImportedMemory,
    Skipped,
    Unreadable,
    lines_of,
    mapping_of,
    moment,
    text_of,
)

Item = Mapping[str, Any]
# Memories as lines of text, as assistants export them: the date may be in brackets; a line
# may be an item of a list.
_LINE = re.compile(
    r"\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?\[?(\d{4}-\d{2}-\d{2}|unknown)\]?\s*[-–—:]\s*(\S.*)",
    re.IGNORECASE,
)


def memory_of(item: Item, content: Any) -> ImportedMemory:
    """Return a memory with the id and the dates of its item."""
    text = text_of(content)
    if not text:
        raise Unreadable(shapes.WITHOUT_TEXT)
    said_at = moment(item.get("created_at")) or moment(item.get("updated_at"))
    return ImportedMemory(text, said_at, str(item.get("id") or text))


def read_letta(item: Item) -> Iterator[ImportedMemory]:
    """Yield each line of a Letta memory block, from an agent file or a response of its API."""
    # Instructions about the assistant itself are skipped.
    if text_of(item.get("label")).casefold() in {"persona", "system"}:
        raise Unreadable("it’s about the assistant")
    yield from lines_of(memory_of(item, item.get("value")))


def read_claude_memories(item: Item) -> Iterator[ImportedMemory]:
    """Yield Claude's memories: one text for all conversations and one for each project."""
    texts = {"": item.get("conversations_memory"), **mapping_of(item.get("project_memories"))}
    is_empty = True
    for key, content in texts.items():
        for memory in lines_of(ImportedMemory(text_of(content), None, key or "conversations")):
            is_empty = False
            yield memory
    if is_empty:
        raise Unreadable(shapes.WITHOUT_TEXT)


def is_dated_line(line: str) -> bool:
    """Return whether a line is a memory with its date."""
    return _LINE.match(line) is not None


def read_lines(lines: Iterable[str]) -> Iterator[ImportedMemory | Skipped]:
    """Yield a memory for each dated line; headings are ignored, undated lines yield Skipped."""
    for line in lines:
        match = _LINE.match(line)
        if match is not None:
            text = match[2].strip()
            yield ImportedMemory(text, moment(match[1]), f"{match[1]}:{text}")
        elif line.strip() and not line.lstrip().startswith("#") and not line.rstrip().endswith(":"):
            yield Skipped("it has no date")
