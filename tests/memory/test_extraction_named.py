"""Things that are named outright, or in the haste of a chat, are read."""

import pytest

from memory.extraction import CURRENT, extract


def current(text):
    return {(one.slot, one.value) for one in extract(text) if one.kind in CURRENT}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I'm she/her", "she/her"),
        ("they/them here", "they/them"),
        ("I'm Sam (he/him)", "he/him"),
        ("Hi, I'm Lee, she/they", "she/they"),
    ],
)
def test_pronouns_are_read_however_they_are_given(text, value):
    assert [(one.value, one.scope) for one in extract(text) if one.slot == "pronouns"] == [
        (value, "profile")
    ]


@pytest.mark.parametrize(
    "text", ["he/she left", "she/her is on the list", "Should I write he/him?"]
)
def test_pronouns_that_are_nobodys_are_not_read(text):
    assert not extract(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("my bday is on halloween", "31 October"),
        ("My birthday is christmas eve", "24 December"),
        ("my birthday is new year's day", "1 January"),
        ("I was born on leap day", "29 February"),
        ("my birthday is in October", "October"),
        ("my birthday isn't in May, it's in June", "June"),
        ("My birthday is not on May 3, it's on May 4", "May 4"),
    ],
)
def test_a_birthday_on_a_feast_or_in_a_month_is_read(text, value):
    assert current(text) == {("birthday", value)}


def test_a_birthday_near_a_feast_is_not_on_it():
    assert not extract("my birthday is near halloween")
