"""What is looked up without a model: favourites, decisions, who somebody is, things of a kind."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my favourite film?", "Paterson"),
        ("What's my favorite game?", "Go"),
    ],
)
def test_a_favourite_is_the_one_of_its_kind_and_named_as_it_was_said(
    question: str, answer: str, alice: User, talk: Talks
) -> None:
    tell(alice, "My favourite film is Paterson. My favourite game is Go. I like jazz and olives.")
    assert answer in talk().say(question).content


# --- Who somebody is -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is Anna?", "Anna is my best friend from university."),
        ("Who is Herr Jansen?", "The plumber is called Herr Jansen."),
        ("Who is my landlord?", "Frau Peters is my landlord."),
    ],
)
def test_who_somebody_is_is_told_by_the_sentence_that_says_it(
    question: str, answer: str, alice: User, talk: Talks
) -> None:
    tell(alice, "Anna is my best friend from university. My cousin Ben called.")
    tell(alice, "The plumber is called Herr Jansen. Frau Peters is my landlord.")
    tell(alice, "I met Anna and Ben in Paris, and Herr Jansen too. He can come on 2 December.")
    assert answer in talk().say(question).content


# --- What was decided ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "Which movers did we go with?",
        "Which movers have I decided on?",
    ],
)
def test_a_decision_is_told_and_not_all_that_speaks_of_its_matter(
    question: str, alice: User, talk: Talks
) -> None:
    tell(alice, "I decided to go with Elbe Movers. Elbe Movers charge 1200 euros.")
    tell(alice, "The van from Sixt costs 90 euros for the move. I ordered 40 boxes for the move.")
    tell(alice, "Which moving company did I choose?")
    assert "I decided to go with Elbe Movers." in talk().say(question).content


def test_of_two_decisions_the_later_one_is_told_first(alice: User, talk: Talks) -> None:
    tell(alice, "I decided to go with Elbe Movers.")
    tell(alice, "I decided to go with Alster Movers after all.")
    told = talk().say("Which movers did I choose?").content
    assert told.index("Alster") < (told + "Elbe").index("Elbe")


# --- What an answer says of itself ---------------------------------------------------------------


def test_an_answer_that_only_quotes_does_not_say_that_it_used_the_profile(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    tell(alice, "a pigeon sat on the tram today, it got off at the market")
    here = talk()
    here.say("Where did the pigeon get off?")
    assert here.conversation is not None
    page = as_alice.get(here.conversation.get_absolute_url()).content.decode()
    assert "Quoting 1 earlier conversation" in page
    assert "Using what I know" not in page


def test_the_same_look_up_is_told_once(alice: User, talk: Talks) -> None:
    tell(alice, "I bake bread.")
    steps = talk().say("Which operas have I heard?").steps
    looked_for = [(step["tool"], step["arguments"]) for step in steps]
    assert len(looked_for) == len({str(one) for one in looked_for})
