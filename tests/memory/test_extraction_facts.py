"""Facts of a life, beside tastes: each is noted whole, once, and only where it is the person's."""

from __future__ import annotations

import pytest

from memory.extraction import CURRENT, extract


def noted(slot, text):
    return {c.value for c in extract(text) if c.slot == slot and c.kind in CURRENT}


def sure(slot, text):
    return {
        c.value for c in extract(text) if c.slot == slot and c.kind in CURRENT and c.trust > 0.85
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i am a student at ohio state", "student at ohio state"),
        ("i'm a full time student", "full time student"),
        ("i am a student of botany", "student of botany"),
        ("i'm a junior in college", "junior in college"),
        ("i graduated from auburn", "graduated from auburn"),
        ("i graduated from a small college in ohio", "graduated from a small college"),
        ("i am proud of my masters in botany", "masters in botany"),
        ("i am working on my film history degree", "film history degree"),
    ],
)
def test_a_school_is_noted_with_what_somebody_is_or_got_there(text, value):
    assert noted("education", text) == {value}


@pytest.mark.parametrize("text", ["i am a student at the moment", "i'm a student in chicago"])
def test_a_student_is_of_a_school_and_not_of_a_moment_or_a_town(text):
    assert noted("education", text) == {"student"}


def test_who_is_in_high_school_speaks_of_now_and_who_was_does_not():
    assert noted("education", "i am a senior in high school") == {"senior in high school"}
    assert noted("education", "i'm still in high school") == {"high school"}
    assert not noted("education", "i was a senior in high school")
