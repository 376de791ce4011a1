"""Where somebody is about to go is told by what was said of that, not by where they were."""

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.fixture
def planning(alice: User) -> User:
    """A move to one city, with others named besides."""
    for text in (
        "I work in an office in Hamburg.",
        "I was wrong: I do not live in Hamburg yet.",
        "We are moving to Graz in the spring.",
        "I was in Vienna last week.",
        "I think my brother is moving to Rome.",
        "On Friday we will be flying to Lisbon.",
    ):
        tell(alice, text)
    return alice


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("To which town are we going to move?", "Graz"),
        ("Which country are we flying to?", "Lisbon"),
    ],
)
def test_the_place_of_a_plan_is_the_one_that_was_said_of_it(
    planning: User, talk: Talks, asked: str, there: str
) -> None:
    answer = talk(planning).say(asked).content
    assert there in answer.splitlines()[1]


def test_places_that_were_only_named_are_no_answer(alice: User, talk: Talks) -> None:
    tell(alice, "I was in Vienna last week.")
    tell(alice, "My office is in Hamburg.")
    answer = talk().say("Which city am I moving to?").content
    assert answer == "I don’t know that yet."


def test_the_city_one_lives_in_is_told_from_the_profile(alice: User, talk: Talks) -> None:
    tell(alice, "I live in Gratwein.")
    assert "Gratwein" in talk().say("Which city do I live in?").content
