"""The trained reader: what it marks becomes facts, and what only looks like a fact does not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.reader.values import written_value
from memory.language.reading import Reading, extract_facts
from tests.memory.sweep import SIGNS, WORDS


def told(text: str, context: str = "") -> set[tuple[str, str, str]]:
    """The facts of a text, as slot, value and how it is said."""
    return {(fact.slot, fact.value, fact.kind) for fact in extract_facts(text, context)}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I live in Lisbon.", ("location", "Lisbon", "statement")),
        ("I'm a nurse.", ("job_title", "nurse", "statement")),
        ("My name is Ida Lund.", ("name", "Ida Lund", "statement")),
        ("I have a dog, Rex, and a cat named Tom.", ("pets", "dog Rex", "statement")),
        ("My sister Ada and my brother Tom are here.", ("family", "sister Ada", "statement")),
        ("I used to live in Graz.", ("location", "Graz", "past")),
        ("I don't eat meat, I'm vegetarian.", ("diet", "vegetarian", "statement")),
    ],
)
def test_what_is_plainly_said_is_read(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "My sister lives in York.",
        "Remind me to call mum tomorrow at 9.",
        "If I lived in Oslo I would ski every day.",
        "Do I live in Oslo?",
    ],
)
def test_what_is_not_said_of_its_writer_is_not_read_as_theirs(text: str) -> None:
    assert not {fact for fact in told(text) if fact[0] in {"location", "job_title", "likes"}}


PIECES = st.sampled_from([*SIGNS, *WORDS, "I live in ", "Lisbon", "my name is ", "Ida. ", "34 "])


@given(st.lists(PIECES, max_size=40).map("".join), st.lists(PIECES, max_size=8).map("".join))
def test_any_pieces_of_sentences_are_read_and_what_is_read_of_them_stands_in_them(
    text: str, context: str
) -> None:
    reading = Reading(text)
    reading.compute_parts()
    for span in reading.read.spans:
        assert 0 <= span.start < span.end <= len(text)
    for fact in extract_facts(text, context):
        assert fact.value.strip() == fact.value != ""


def test_one_word_without_end_is_cut() -> None:
    read = Reading("x" * 5_000).read
    assert len(read.sentences) == 1


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("job_title", " a children's nurse, ", "children's nurse"),
        ("age", "forty-two", "42"),
        ("age", "old", ""),
        ("likes", "tea without sugar.", "tea without sugar"),
        ("birthday", "Halloween", "Halloween"),
        ("birthday", "Friday", ""),
    ],
)
def test_a_value_is_written_without_what_is_around_it(slot: str, text: str, value: str) -> None:
    assert written_value(slot, text) == value


def test_a_secret_is_never_a_value() -> None:
    facts = extract_facts("I live in Lisbon and my password is hunter2secret99!")
    assert not [fact for fact in facts if re.search("hunter2", fact.value)]


def test_the_networks_give_the_machine_no_id_and_report_nothing(tmp_path: Path) -> None:
    program = "from memory.language.reader.network import network; network()"
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ORT_")}
    subprocess.run([sys.executable, "-c", program], env=environment | home, check=True)
    assert [*tmp_path.rglob("*")] == []
