"""What "it" and "they" stand for, and whose doing is told: what was named last decides."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def current(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in CURRENT_KINDS}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("have you read dune ? i loved it", "dune"),
        ("have you ever done any macrame ? i love it", "macrame"),
        ("ever heard of toto ? they are my favorite", "toto"),
    ],
)
def test_a_liking_of_what_was_just_asked_about_is_read(text, value):
    assert any(value in held for slot, held in current(text) if slot in {"likes", "interests"})


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("you know what i mean , i told you i do karaoke", ("interests", "karaoke")),
    ],
)
def test_a_pastime_is_ones_own_if_one_was_named_last(text, fact):
    assert fact in current(text)


@pytest.mark.parametrize(
    "text",
    [
        "i have a cousin who watches baseball",
        "do u like video games",
        "i hope you enjoy karaoke",
    ],
)
def test_a_pastime_is_not_ones_own_if_another_was_named_last(text):
    assert not {held for slot, held in current(text) if slot == "interests"}


def test_who_answers_not_me_does_not_like_what_was_asked_about():
    assert ("dislikes", "opera") in current("do you like opera ? not me")
