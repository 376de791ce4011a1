"""What somebody does again and again is read: clubs, lessons, years of it, what is worn."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def current(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in CURRENT_KINDS}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("i take tap lessons", ("interests", "tap")),
        ("i have played the oboe for ten years", ("interests", "oboe")),
        ("i am learning the banjo", ("interests", "banjo")),
        ("i took up felting", ("interests", "felting")),
    ],
)
def test_what_is_done_again_and_again_is_read(text, fact):
    assert fact in current(text)


def test_a_known_name_may_stand_before_an_age():
    assert ("name", "Tariq") in current("im tariq 41 drive a taxi in bradford")
    assert current("im max 10 minutes late") == set()


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("i am on the sales team", "interests"),
        ("i am in a support group", "interests"),
        ("i take college classes", "interests"),
        ("i am learning to cope", "interests"),
        ("she is a runner", "interests"),
        ("ferns do not interest me", "likes"),
        ("i wore a cape today", "likes"),
    ],
)
def test_work_school_and_one_occasion_are_no_habit(text, slot):
    assert slot not in {held for held, _ in current(text)}
