"""Recognising the format of a file by its content, and reading it item by item within limits.

JSON is streamed one item of the outermost list at a time, ZIP members are read in place: memory use
is that of the largest item, which is limited.
"""

import io
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import chain, islice
from typing import IO, Any

import ijson
from ijson.common import ObjectBuilder

from privacy.importing import conversation_formats, memory_formats, shapes
from privacy.importing.shapes import (
    ImportedConversation,
    ImportedItem,
    ImportedMemory,
    NotAnImport,
    Reader,
    Skipped,
    Unreadable,
)
from privacy.restoring import opening

READERS = (
    Reader("chatgpt", lambda item: "mapping" in item, conversation_formats.read_chatgpt),
    Reader("claude", lambda item: "chat_messages" in item, conversation_formats.read_claude),
    Reader(
        "claude",
        lambda item: "conversations_memory" in item or "project_memories" in item,
        memory_formats.read_claude_memories,
    ),
    Reader("open_webui", lambda item: "chat" in item, conversation_formats.read_open_webui),
    Reader(
        "librechat",
        lambda item: "conversationId" in item and ("messages" in item or "messagesTree" in item),
        conversation_formats.read_librechat,
    ),
    Reader(
        "mem0",
        lambda item: "memory" in item,
        lambda item: memory_formats.memory_of(item, item.get("memory")),
    ),
    Reader(
        "open_webui",
        lambda item: "user_id" in item and "content" in item and "role" not in item,
        lambda item: memory_formats.memory_of(item, item.get("content")),
    ),
    # The maximum length of a block is part of each.
    Reader(
        "letta",
        lambda item: all(name in item for name in ("label", "value", "limit")),
        memory_formats.read_letta,
    ),
    Reader(
        "gemini",
        lambda item: "header" in item and "title" in item and "time" in item,
        conversation_formats.read_gemini,
    ),
)
# The lists of an object that are read; others are ignored.
_LISTS = ("results", "memories", "conversations", "chats", "data", "blocks", "core_memory")
# How many items are tried to recognise the format, since the first ones may be damaged.
_LOOKED_AT = 20
# Maximum nesting depth and length in bytes of an item.
_DEEPEST, _LONGEST = 200, 48 * 1024 * 1024
_PIECE, _HEAD = 64 * 1024, 64 * 1024
_BOM, _ZIP = b"\xef\xbb\xbf", b"PK\x03\x04"
_ANEW = "Download the export again and upload it unchanged."
_TAKEN = (
    "Choose an export from ChatGPT or Claude (a ZIP or its conversations.json), a JSON file from"
    " Gemini, mem0, Letta, Open WebUI or LibreChat, or a text with lines like"
    " [2024-03-14] - I live in Lisbon."
)
_STARTS, _ENDS = ("start_map", "start_array"), ("end_map", "end_array")

Sourced = tuple[str, ImportedItem]
_Open = Callable[[], AbstractContextManager[IO[bytes]]]


def items(file: IO[bytes]) -> Iterator[Sourced]:
    """Yield all items of a file with their source, damaged ones as Skipped. Raises NotAnImport."""
    file.seek(0)
    head = file.read(_HEAD)
    if not head.strip():
        raise NotAnImport(f"This file is empty. {_TAKEN}")
    if head.startswith(_ZIP):
        yield from _of_a_zip(file)
    elif any(map(memory_formats.is_dated_line, head.decode("utf-8-sig", "ignore").splitlines())):
        yield from _of_a_list(file)
    else:
        reader = yield from _of_json(partial(_from_the_start, file))
        if reader is None:
            raise NotAnImport(f"I don’t recognise what’s in this file. {_TAKEN}")


def _of_a_zip(file: IO[bytes]) -> Iterator[Sourced]:
    known = False
    with opening.opened(file, _BOUNDS) as archive:
        for name in archive.namelist():
            if name.casefold().endswith(".json"):
                try:
                    reader = yield from _of_json(partial(archive.open, name))
                except NotAnImport:
                    raise
                except opening.DAMAGED:
                    raise NotAnImport(f"{name[:80]} is damaged in this ZIP. {_ANEW}") from None
                known = known or reader is not None
    if not known:
        raise NotAnImport(f"There are no conversations or memories in this ZIP. {_TAKEN}")


def _any_name(name: str) -> bool:
    return opening.is_plain_path(name.rstrip("/"))


_BOUNDS = opening.ZipBounds(NotAnImport, "an export", _ANEW, _any_name)


def _of_a_list(file: IO[bytes]) -> Iterator[Sourced]:
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace")
    try:
        for memory in memory_formats.read_lines(iter(lambda: text.readline(_PIECE), "")):
            yield "list", memory
    finally:
        # The caller goes on using the file.
        text.detach()


def _from_the_start(file: IO[bytes]) -> AbstractContextManager[IO[bytes]]:
    file.seek(0)
    return nullcontext(file)


def _of_json(open_it: _Open) -> Generator[Sourced, None, Reader | None]:
    """Yield the items of a JSON text; return their reader, None if no format was recognised."""
    try:
        with open_it() as stream:
            level, wanted = _where(_Bounded(stream))
        with open_it() as stream:
            values = _values(_Bounded(stream), level, wanted)
            first = list(islice(values, _LOOKED_AT))
            reader = _reader_of(first)
            if reader is not None:
                for value in chain(first, values):
                    yield from ((reader.source, item) for item in _read(reader, value))
    except ijson.JSONError as error:
        if isinstance(error, ijson.IncompleteJSONError) and "lexical" not in str(error):
            raise NotAnImport(f"This file is incomplete or damaged. {_ANEW}") from None
        raise NotAnImport(f"This isn’t a JSON file, or it’s damaged. {_TAKEN}") from None
    return reader


def _reader_of(values: list[Any]) -> Reader | None:
    objects = [value for value in values if isinstance(value, dict)]
    matching = (each for value in objects for each in READERS if each.recognises(value))
    return next(matching, None)


def _read(reader: Reader, value: Any) -> Iterator[ImportedItem]:
    """Yield the contents of one item; a failure yields Skipped and does not affect other items."""
    if not isinstance(value, dict):
        yield Skipped(shapes.BROKEN)
        return
    try:
        read = reader.read(value)
        if isinstance(read, ImportedConversation | ImportedMemory):
            yield read
        else:
            yield from read
    except Unreadable as error:
        yield Skipped(str(error))
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError):
        yield Skipped(shapes.BROKEN)


# --- The stream -----------------------------------------------------------------------------------


class _Bounded:
    """A stream that raises NotAnImport if an item is too long; `begin` starts the next item."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._read, self._first = stream, 0, True

    def read(self, size: int = _PIECE) -> bytes:
        """Return the next bytes, without a byte order mark at the start."""
        data = self._stream.read(size)
        self._read += len(data)
        if self._read > _LONGEST:
            raise NotAnImport(f"A conversation in this file is longer than I can read. {_ANEW}")
        if self._first and size:
            self._first = False
            data = data.removeprefix(_BOM)
        return data

    def begin(self) -> None:
        """Start counting the bytes of the next item."""
        self._read = 0


def _where(stream: _Bounded) -> tuple[int, str]:
    """Return the depth of the items (0 for a single object) and the name of their list."""
    depth, key = 0, ""
    for event, value in ijson.basic_parse(stream, use_float=True):
        if depth == 0:
            if event != "start_map":
                return 1, ""
        elif depth == 1 and event == "map_key":
            key = str(value)
            if any(each.recognises({key: None}) for each in READERS) or key.startswith("messages"):
                return 0, ""
        elif depth == 1 and event == "start_array" and key in _LISTS:
            return 2, key
        depth += (event in _STARTS) - (event in _ENDS)
        _bound(depth)
        if depth == 1:
            stream.begin()
    return 0, ""


def _values(stream: _Bounded, level: int, wanted: str) -> Iterator[Any]:
    """Yield the values at a depth; of an object only those in the list `wanted`."""
    depth, key, builder = 0, "", None
    for event, value in ijson.basic_parse(stream, use_float=True):
        if event in _ENDS:
            depth -= 1
        if depth == 1 and builder is None and event == "map_key":
            key = str(value)
        inside = key == wanted or not wanted
        if builder is None and depth == level and inside and event not in (*_ENDS, "map_key"):
            builder = ObjectBuilder()
        if builder is not None:
            builder.event(event, value)
        if event in _STARTS:
            depth += 1
            _bound(depth)
        if depth <= level:
            stream.begin()
            if builder is not None and depth == level:
                yield builder.value
                builder = None


def _bound(depth: int) -> None:
    if depth > _DEEPEST:
        raise NotAnImport(f"The data in this file is nested too deeply. {_ANEW}")
