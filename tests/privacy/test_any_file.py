"""Any file: one that somebody made up is read, or refused with a sentence, and nothing else."""

import io
import json
import zipfile
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privacy import parts
from privacy.archive import FORMAT, VERSION
from privacy.importing import reading
from privacy.importing.shapes import (
    ImportedConversation,
    ImportedMemory,
    NotAnImport,
    Skipped,
)
from privacy.restoring import lines, opening
from privacy.restoring.json_shapes import Keys
from privacy.restoring.opening import NotACopy
from privacy.restoring.tables import NOT_TAKEN
from tests.privacy.exports import as_json, chatgpt, claude, node, zipped

# Names that the readers of files look for.
NAMES = (
    "mapping current_node message author role content parts content_type metadata create_time "
    "parent children chat_messages sender text attachments files created_at "
    "conversations_memory chat history messages currentId parentId timestamp conversationId "
    "messagesTree memory user_id label value limit header title time results memories "
    "conversations data blocks core_memory id uuid name "
).split()
WORDS = ("user", "human", "assistant", "text", "code", "multimodal_text", "2024-03-14T10:00:00Z")
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from([*NAMES, *WORDS, "9" * 30, "a\x00b", "\ud800"]),
)


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inner, max_size=6),
    )


VALUES = st.recursive(SCALARS, nested, max_leaves=30)
NODES = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=8)
EXPORTS = (
    as_json([chatgpt(node("a", None), node("b", "a", "assistant", "Hi"), current="b")]),
    as_json([claude({"sender": "human", "text": "Hello", "created_at": "2024-03-14T10:00:00Z"})]),
    zipped(conversations=[chatgpt(node("a", None), current="a")]),
    b"[2024-03-14] - I live in Lisbon.\n",
)
EDITS = st.lists(st.tuples(st.integers(0, 10_000), st.binary(max_size=3)), max_size=6)


def edited(file: bytes, edits: list[tuple[int, bytes]]) -> bytes:
    """A file with bytes put in place of others."""
    for place, put in edits:
        at = place % (len(file) + 1)
        file = file[:at] + put + file[at + 1 :]
    return file


def is_read_or_refused(file: bytes) -> None:
    try:
        for source, item in reading.items(io.BytesIO(file)):
            assert source
            assert isinstance(item, ImportedConversation | ImportedMemory | Skipped)
    except NotAnImport as refused:
        said = str(refused)
    else:
        return
    assert said


# --- Files of other assistants --------------------------------------------------------------------


@given(VALUES)
def test_any_json_is_imported_or_refused(value: Any) -> None:
    is_read_or_refused(json.dumps(value).encode())


@given(st.lists(NODES, max_size=3), st.booleans())
def test_any_objects_with_the_names_of_an_export_are_imported_or_refused(
    objects: list[Any], packed: bool
) -> None:
    is_read_or_refused(zipped(conversations=objects) if packed else as_json(objects))


@given(
    st.dictionaries(st.sampled_from("abc"), NODES.map(lambda told: {"message": told}), max_size=3)
)
def test_any_tree_of_messages_is_imported_or_refused(mapping: dict[str, Any]) -> None:
    is_read_or_refused(as_json([chatgpt(node("a", None)) | {"mapping": mapping}]))


# A member that begins before the file does.
@example(EXPORTS[2], [(10, b"")])
@given(st.sampled_from(EXPORTS), EDITS)
def test_a_damaged_export_is_imported_or_refused(file: bytes, edits: Any) -> None:
    is_read_or_refused(edited(file, edits))


@given(st.binary(max_size=200))
def test_any_bytes_are_imported_or_refused(file: bytes) -> None:
    is_read_or_refused(file)


# --- Copies ---------------------------------------------------------------------------------------

TABLES = sorted({name for part in parts.PARTS.values() for name in part.tables} - {*NOT_TAKEN})
KEY = UUID(int=7)


def copy_of(table: str, row: bytes, **changes: Any) -> bytes:
    """A copy with one row of one table."""
    about = {"file": opening.file_of(table), "fields": parts.describe(table), "rows": 1}
    told = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": "2024-03-14T10:00:00Z",
        "tables": {table: about},
    } | changes
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(told))
        archive.writestr(opening.file_of(table), row)
    return made.getvalue()


def is_copied_or_refused(file: bytes, table: str) -> None:
    try:
        with opening.opened(io.BytesIO(file)) as archive:
            copy = opening.manifest(archive)
            for _, row in lines.read(archive, copy, table, Keys(KEY)):
                assert row
    except NotACopy as refused:
        said = str(refused)
    else:
        return
    assert said


FIELDS = st.one_of(
    VALUES,
    st.uuids().map(str),
    st.datetimes().map(lambda moment: moment.isoformat() + "Z"),
    st.dates().map(str),
)


@pytest.mark.parametrize("table", TABLES)
@given(st.data())
def test_any_row_of_a_copy_is_read_or_refused(table: str, data: st.DataObject) -> None:
    row = {name: data.draw(FIELDS, label=name) for name in parts.fields(table)}
    row["id"] = str(uuid4())
    is_copied_or_refused(copy_of(table, json.dumps(row).encode() + b"\n"), table)


@given(
    st.sampled_from(TABLES),
    st.dictionaries(st.sampled_from(["version", "made_at", "tables", "format"]), VALUES),
)
def test_any_manifest_is_read_or_refused(table: str, changes: dict[str, Any]) -> None:
    is_copied_or_refused(copy_of(table, b"{}\n", **changes), table)


@example(TABLES[0], [(10, b"")])
@given(st.sampled_from(TABLES), EDITS)
def test_a_damaged_copy_is_read_or_refused(table: str, edits: Any) -> None:
    is_copied_or_refused(edited(copy_of(table, b"{}\n"), edits), table)
