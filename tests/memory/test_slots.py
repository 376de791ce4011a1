"""The registry: complete, consistent, and sure about what is asked and what is the same."""

from __future__ import annotations

import pytest

from memory.slots import (
    GROUPS,
    PRIVATE_SLOTS,
    SLOTS,
    drift,
    narrower,
    same_value,
)


@pytest.mark.parametrize("slot", SLOTS.values(), ids=lambda slot: slot.key)
def test_every_slot_can_be_shown_and_said(slot):
    assert "X" in slot.note.format(value="X")
    assert "X" in slot.answer.format(value="X")
    assert slot.question.endswith("?")
    assert slot.group in GROUPS


def test_what_is_private_is_the_sensitive_slots_and_they_alone():
    assert len(PRIVATE_SLOTS) == 9
    assert all(slot.sensitive is (slot.key in PRIVATE_SLOTS) for slot in SLOTS.values())


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("location", "Z\u00fcrich", "zurich"),
        ("location", "Portland", "Portland, Maine"),
        ("age", "twenty-eight", "28"),
        ("pets", "a dog named Rex", "dog Rex"),
    ],
)
def test_values_that_mean_the_same_are_the_same(slot, a, b):
    assert same_value(slot, a, b)
    assert drift(slot, a, b) == 0.0


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("name", "Anna", "Ana"),
        ("employer", "Google", "Microsoft"),
        ("expertise", "C++", "C#"),
        ("location", "Portland, Maine", "Portland, Oregon"),
    ],
)
def test_values_that_differ_are_not_merged(slot, a, b):
    assert not same_value(slot, a, b)
    assert 0.0 < drift(slot, a, b) <= 1.0


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("location", "Moscow", "Russia"),
        ("employer", "City Hospital", "a hospital"),
        ("employer", "Google DeepMind", "Google"),
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
        ("employer", "Google", "Microsoft"),
        ("employer", "Googleplex", "Google"),
    ],
)
def test_other_values_are_not_narrower(slot, a, b):
    assert not narrower(slot, a, b)
    assert not narrower(slot, b, a)
