"""Entries in few tokens: what is written as a line is read back as it was."""

from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory.namespaces.codes import Relation, State, Trait
from memory.namespaces.line_codec import LineCodec, NotALine, _kind
from memory.namespaces.registry import CODECS
from memory.namespaces.schemas import Entry, GateTransition, HistoryItem, Pattern, Person

TODAY = date(2026, 11, 24)
each_codec = pytest.mark.parametrize("codec", CODECS.values(), ids=lambda one: one.title)
TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("\\ :,_-@|n\n")),
    min_size=1,
    max_size=40,
).filter(lambda text: bool(text.strip()))
DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))
BY_KIND: dict[type, Any] = {
    str: TEXTS,
    int: st.integers(0, 1_000_000),
    float: st.floats(0, 1),
    bool: st.booleans(),
    date: DAYS,
    datetime: st.datetimes(timezones=st.timezones()).filter(lambda at: 1900 < at.year < 2100),
}


def entries_of(schema: type[Entry]) -> Any:
    """Any entry of a schema; what may be left out is left out at times."""

    def some(name: str) -> Any:
        info = schema.model_fields[name]
        kind = _kind(info)
        one = st.sampled_from(list(kind)) if issubclass(kind, Enum) else BY_KIND[kind]
        if kind is str and any("pattern" in str(rule) for rule in info.metadata):
            one = st.from_regex(r"[a-z][a-z0-9_]{1,39}", fullmatch=True)
        if get_origin(info.annotation) is list:
            codes = "Codes" in name or name == "codes"
            one = st.from_regex(r"[a-z][a-z0-9_]{1,9}", fullmatch=True) if codes else one
            return st.lists(one, max_size=8)
        return one

    names = list(schema.model_fields)
    required = {name: some(name) for name in names if schema.model_fields[name].is_required()}
    optional = {name: some(name) for name in names if name not in required}
    return st.fixed_dictionaries(required, optional=optional).map(schema.model_validate)


@each_codec
@given(data=st.data())
def test_what_is_written_is_read_back(codec: LineCodec[Any], data: st.DataObject) -> None:
    entry = data.draw(entries_of(codec.schema))
    line = codec.line(entry, TODAY)
    assert "\n" not in line
    assert codec.parse(line, TODAY) == codec.reduced(entry)


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (
            Person(
                name="John",
                relation=Relation.WORK,
                traits=[Trait.BOTTLENECK, Trait.COORDINATE],
                mentioned=5,
            ),
            "John work 5 - blocks align",
        ),
        (Person(name="Anna Maria"), "Anna_Maria"),
        (Person(name="Jo", note="runs: all, and | more"), "Jo: runs: all, and | more"),
        (
            Pattern(code="timeboxing", seen=7, strength=0.8, last_seen=date(2026, 11, 12)),
            "timeboxing 7 8 12",
        ),
        (
            GateTransition(
                gate="scope",
                before=State.OPEN,
                after=State.DONE,
                at=datetime(2026, 11, 24, 6, 30, 59, tzinfo=UTC),
            ),
            "scope open done 0@0630",
        ),
    ],
)
def test_a_line_is_short_and_reads_without_a_legend(entry: Entry, line: str) -> None:
    codec = CODECS[type(entry)]
    assert codec.line(entry, TODAY) == line
    assert codec.parse(line, TODAY) == entry


def test_the_heading_names_each_field() -> None:
    assert CODECS[Person].heading == "people: name relation mentioned days_ago traits: note"
    assert CODECS[HistoryItem].heading == ("history: days_ago turns: topics | decisions | summary")


def test_only_what_is_declared_is_shortened() -> None:
    lossy = {codec.title: set(codec.shortened) for codec in CODECS.values() if codec.shortened}
    assert lossy == {"history": {"summary"}, "notes": {"text"}}
    item = HistoryItem(day=TODAY, turns=4, summary="We talked about the plan for the new garden.")
    assert CODECS[HistoryItem].reduced(item).turns == 4


@pytest.mark.parametrize("line", ["a b 1 2 3 x", "Jo manager many", "Jo nobody"])
def test_a_line_that_no_entry_was_written_as_is_refused(line: str) -> None:
    with pytest.raises((NotALine, ValidationError)):
        CODECS[Person].parse(line, TODAY)
