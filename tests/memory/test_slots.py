"""The registry: complete, consistent, and sure about what is asked and what is the same."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.queries import asked_slots
from memory.slots import (
    GROUPS,
    PRIVATE_SLOTS,
    SLOTS,
    asked_about,
    drift,
    narrower,
    same_value,
    value_key,
)

ASKED = Path(__file__).parent / "scored" / "asked_slots.tsv"
EXAMPLES = Path(asked_slots.__file__).with_suffix(".toml")
ANY_SLOT = st.sampled_from(sorted(SLOTS))


@pytest.mark.parametrize("slot", SLOTS.values(), ids=lambda slot: slot.key)
def test_every_slot_can_be_shown_and_said(slot):
    assert "X" in slot.note.format(value="X")
    assert "X" in slot.answer.format(value="X")
    assert slot.question.endswith("?")
    assert slot.group in GROUPS


def test_what_is_private_is_the_sensitive_slots_and_they_alone():
    assert len(PRIVATE_SLOTS) == 9
    assert all(slot.sensitive is (slot.key in PRIVATE_SLOTS) for slot in SLOTS.values())


def test_most_questions_about_oneself_are_known_by_what_they_ask_for():
    rows = [line.split("\t") for line in ASKED.read_text(encoding="utf-8").splitlines()]
    wrong = [(text, slot) for slot, text in rows if next(iter(asked_about(text)), "none") != slot]
    assert len(wrong) <= 0.1 * len(rows), wrong


def test_each_slot_has_examples_of_how_it_is_asked_for():
    assert {*SLOTS, "*", "none"} == set(tomllib.loads(EXAMPLES.read_text(encoding="utf-8")))


def test_two_questions_are_both_heard():
    assert asked_about("What is my name? And where do I work?") == ("name", "employer")


@given(st.text(max_size=300))
def test_any_text_can_be_asked_about(text):
    assert set(asked_about(text)) <= {*SLOTS, "*"}


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("employer", "Google Inc.", "google"),
        ("employer", "the Red Cross", "Red  Cross"),
        ("location", "Z\u00fcrich", "zurich"),
        ("location", "Portland", "Portland, Maine"),
        ("age", "twenty-eight", "28"),
        ("pronouns", "she/her/hers", "She/Her"),
        ("pets", "a dog named Rex", "dog Rex"),
        ("employment_status", "unemployed", "not working"),
    ],
)
def test_values_that_mean_the_same_are_the_same(slot, a, b):
    assert same_value(slot, a, b)
    assert drift(slot, a, b) == 0.0


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("name", "Anna", "Ana"),
        ("name", "Nick", "Nicky"),
        ("employer", "Google", "Microsoft"),
        ("expertise", "C", "C++"),
        ("expertise", "C++", "C#"),
        ("location", "Portland, Maine", "Portland, Oregon"),
        ("age", "28", "29"),
        ("birthday", "March 3", "March 4"),
    ],
)
def test_values_that_differ_are_not_merged(slot, a, b):
    assert not same_value(slot, a, b)
    assert 0.0 < drift(slot, a, b) <= 1.0


@given(ANY_SLOT, st.text(max_size=60), st.text(max_size=60))
def test_sameness_is_symmetric_and_drift_stays_in_its_range(slot, a, b):
    assert same_value(slot, a, a)
    assert same_value(slot, a, b) == same_value(slot, b, a)
    assert 0.0 <= drift(slot, a, b) <= 1.0


@given(ANY_SLOT, st.text(alphabet="abc ,.'&", max_size=40))
def test_the_key_of_a_value_ignores_case_and_outer_space(slot, value):
    assert value_key(slot, value) == value_key(slot, f"  {value.upper()} ")


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("location", "Moscow", "Russia"),
        ("location", "Seattle, Washington", "the USA"),
        ("hometown", "Chicago", "America"),
        ("employer", "City Hospital", "a hospital"),
        ("pets", "a black cat", "cat"),
        ("employer", "Google DeepMind", "Google"),
        ("job_title", "teacher of music", "teacher"),
        ("location", "Tulsa", "America"),
    ],
)
def test_one_value_may_say_the_same_more_closely(slot, a, b):
    assert narrower(slot, a, b)
    assert not narrower(slot, b, a)
    assert not same_value(slot, a, b)


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("location", "Moscow", "Germany"),
        ("location", "Seattle", "Seattle"),
        ("employer", "Google", "Microsoft"),
        ("name", "Annabel", "Anna"),
        ("name", "Maria Anna", "Anna"),
        ("employer", "Googleplex", "Google"),
        ("hometown", "Ohio", "Kansas City"),
        ("age", "28", "2"),
    ],
)
def test_other_values_are_not_narrower(slot, a, b):
    assert not narrower(slot, a, b)
    assert not narrower(slot, b, a)


@given(ANY_SLOT, st.text(max_size=40), st.text(max_size=40))
def test_no_value_is_narrower_both_ways(slot, a, b):
    assert not narrower(slot, a, a)
    assert not (narrower(slot, a, b) and narrower(slot, b, a))
