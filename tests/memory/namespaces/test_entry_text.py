"""Entries as text: short lines of which no two are the same, and sentences."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memory.namespaces import entry_text
from memory.namespaces.registered import registered_schema
from memory.namespaces.registry import NAMESPACES, TYPES, FieldType, Namespace, Style
from tests.memory.namespaces.test_registered import SCHEMA

TODAY = date(2026, 11, 24)
REGISTERED = Namespace(
    "my.books", "Books", *registered_schema("my.books", json.dumps(SCHEMA)), title="books"
)
each_namespace = pytest.mark.parametrize(
    "namespace", [*NAMESPACES.values(), REGISTERED], ids=lambda one: one.name
)
# Short and of few signs, so that two entries are nearly alike.
TEXTS = st.text(st.sampled_from("ab\\ :,_-@|n\n"), min_size=1, max_size=4).filter(
    lambda text: bool(text.strip())
)
CODES = st.sampled_from(["own_code", "own", "code", "timeboxing"])
BY_TYPE: dict[str, Any] = {
    "code": CODES,
    "pattern": CODES,
    "share": st.integers(0, 10).map(lambda tenths: tenths / 10),
    "count": st.integers(0, 12),
    "flag": st.booleans(),
    "date": st.dates(date(2026, 11, 1), date(2026, 11, 28)).map(str),
    "moment": st.sampled_from(["2026-11-23T23:59Z", "2026-11-24T00:01Z", "2026-11-24T06:30Z"]),
}


def values_of(kind: FieldType) -> Any:
    """Any value of a type of fields."""
    name = next((name for name, known in TYPES.items() if known == kind), "")
    if kind.style is Style.CODE and name not in BY_TYPE:
        annotation = kind.annotation if not kind.many else None
        one = st.sampled_from(annotation.__args__) if annotation else st.sampled_from([*kind.words])
        one = CODES if name == "codes" else one
    elif kind.style is Style.CODE or name in BY_TYPE:
        one = BY_TYPE[name]
    else:
        one = st.integers(1, 5) if kind.annotation.__origin__ is int else TEXTS
    return st.lists(one, max_size=3) if kind.many else one


def entries_of(namespace: Namespace) -> Any:
    """Any entry of a namespace; what may be left out is left out at times."""
    known = namespace.schema.model_fields
    fields = {name: values_of(kind) for name, kind in namespace.fields.items()}
    required = {name: value for name, value in fields.items() if known[name].is_required()}
    optional = {name: value for name, value in fields.items() if name not in required}
    return st.fixed_dictionaries(required, optional=optional)


def kept(namespace: Namespace, data: dict[str, Any]) -> Any:
    """An entry as it is kept."""
    return namespace.schema.model_validate(data)


@each_namespace
@settings(max_examples=50)
@given(data=st.data())
def test_no_two_entries_have_the_same_line(namespace: Namespace, data: st.DataObject) -> None:
    one = data.draw(entries_of(namespace))
    name = data.draw(st.sampled_from(sorted(namespace.fields)))
    other = one | {name: data.draw(values_of(namespace.fields[name]))}
    assume(kept(namespace, one) != kept(namespace, other))
    lines = [entry_text.line(namespace, entry, TODAY) for entry in (one, other)]
    assert lines[0] != lines[1]
    assert not any("\n" in line for line in lines)


@each_namespace
@settings(max_examples=50)
@given(data=st.data())
def test_every_entry_is_said_in_whole_sentences(namespace: Namespace, data: st.DataObject) -> None:
    said = entry_text.sentences(namespace, data.draw(entries_of(namespace)))
    assert said.endswith((".", "?", "!"))
    assert "None" not in said
    assert not set("{}[]") & set(said)
