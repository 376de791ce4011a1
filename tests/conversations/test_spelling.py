"""Hurried English is read as what it says, and kept as it was typed."""

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("wat do i study", "marine biology"),
        ("whos my gf", "my gf is called zoe"),
        ("whats my landlord called", "my landlords name is mr patel"),
        ("who r my flatmates", "my flatmates are tom and priya"),
        ("whos my tutor", "my tutor is called dr okafor"),
    ],
)
def test_a_hurried_question_is_answered_with_the_words_as_they_were_typed(
    question: str, answer: str, alice: User, talk: Talks
) -> None:
    for said in (
        "i study marine biology at plymouth",
        "my gf is called zoe and shes from bristol",
        "my landlords name is mr patel",
        "my flatmates are tom and priya",
        "my tutor is called dr okafor",
        "my mother lives in Truro",
    ):
        tell(alice, said)
    told = talk().say(question).content
    assert answer in told
    assert told.count("“") <= 1
