"""What is looked up without a model: favourites, decisions, who somebody is, things of a kind."""

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my favourite film?", "Your favourite film: Paterson."),
        ("Which movie do I like best?", "Your favourite movie: Paterson."),
        ("What's my favorite game?", "Your favourite game: Go."),
    ],
)
def test_a_favourite_is_the_one_of_its_kind_and_named_as_it_was_said(
    question: str, answer: str, alice: User, talk: Talks
) -> None:
    tell(alice, "My favourite film is Paterson. My favourite game is Go. I like jazz and olives.")
    assert talk().say(question).content == answer


def test_who_never_told_a_favourite_is_not_told_what_they_like(alice: User, talk: Talks) -> None:
    tell(alice, "I like jazz and olives. My favourite film is Paterson.")
    assert "no note" in talk().say("What is my favourite colour?").content
