"""What is over, refused, wished for or somebody else's is not taken for what holds now."""

import pytest

from memory.extraction import CURRENT, extract


def current(text):
    return {(one.slot, one.value) for one in extract(text) if one.kind in CURRENT}


def over(text):
    return {(one.slot, one.value) for one in extract(text) if one.kind in {"past", "denial"}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I used to study botany", "botany"),
        ("we used to study physics", "physics"),
        ("used to study chemistry", "chemistry"),
        ("I used to attend Cornell", "Cornell"),
        ("I used to be a student at Leiden", "Leiden"),
    ],
)
def test_schooling_that_used_to_be_is_past(text, value):
    assert ("education", value) in over(text)
    assert not current(text)


@pytest.mark.parametrize(
    "text",
    [
        "I applied to Cornell",
        "I got rejected by Tufts",
        "I got turned down by Tufts University",
        "I was waitlisted at Purdue",
        "I wasn't accepted to MIT",
    ],
)
def test_a_school_that_did_not_take_somebody_is_not_theirs(text):
    assert not current(text)


@pytest.mark.parametrize(
    ("text", "left", "now"),
    [
        ("I transferred from Tufts to Cornell", "Tufts", "Cornell"),
        ("I switched from Purdue to Columbia", "Purdue", "Columbia"),
        ("I changed schools from Vassar to Emory", "Vassar", "Emory"),
    ],
)
def test_of_two_schools_the_second_is_the_one_of_now(text, left, now):
    assert current(text) == {("education", now)}
    assert over(text) == {("education", left)}


def test_what_is_changed_about_a_school_is_no_change_of_school():
    assert not over("I changed from Purdue sweatshirts to Emory ones")
