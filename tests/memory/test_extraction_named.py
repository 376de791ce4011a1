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
