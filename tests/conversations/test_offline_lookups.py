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


def test_of_two_favourites_told_on_two_occasions_none_is_chosen(alice: User, talk: Talks) -> None:
    tell(alice, "My favourite colour is dark green.")
    tell(alice, "My favourite colour is grey now.")
    told = talk().say("What is my favourite colour?").content
    assert "more than one favourite colour: grey (" in told
    assert "and dark green (" in told


def test_another_favourite_that_was_named_since_is_not_kept_from_its_owner(
    alice: User, talk: Talks
) -> None:
    tell(alice, "My favourite rose is Madame Hardy. My favourite film is Paterson.")
    tell(alice, "Actually, I think my favourite rose is Souvenir de la Malmaison.")
    tell(alice, "My second favourite film is Alien. Is my favourite rose a climber?")
    told = talk().say("What is my favourite rose?").content
    assert told.startswith("Your favourite rose: Madame Hardy. But since then you said:")
    assert "Souvenir de la Malmaison" in told
    assert "since then" not in talk().say("What is my favourite film?").content


def test_who_never_told_a_favourite_is_not_told_what_they_like(alice: User, talk: Talks) -> None:
    tell(alice, "I like jazz and olives. My favourite film is Paterson.")
    for kind in ("colour", "-", "_"):
        assert "no note" in talk().say(f"What is my favourite {kind}?").content


# --- Who somebody is -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is Anna?", "Anna is my best friend from university."),
        ("Who is Herr Jansen?", "The plumber is called Herr Jansen."),
        ("Who is my landlord?", "Frau Peters is my landlord."),
        ("Who is Ben again?", "My cousin Ben called."),
    ],
)
def test_who_somebody_is_is_told_by_the_sentence_that_says_it(
    question: str, answer: str, alice: User, talk: Talks
) -> None:
    tell(alice, "Anna is my best friend from university. My cousin Ben called.")
    tell(alice, "The plumber is called Herr Jansen. Frau Peters is my landlord.")
    tell(alice, "I met Anna and Ben in Paris, and Herr Jansen too. He can come on 2 December.")
    told = talk().say(question).content
    assert answer in told
    assert told.count("“") == 1


# --- What was decided ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "Which moving company did I choose?",
        "Who did I choose for the move?",
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
    told = talk().say(question).content
    assert "I decided to go with Elbe Movers." in told
    assert told.count("“") == 1


def test_of_two_decisions_the_later_one_is_told_first(alice: User, talk: Talks) -> None:
    tell(alice, "I decided to go with Elbe Movers.")
    tell(alice, "I decided to go with Alster Movers after all.")
    told = talk().say("Which movers did I choose?").content
    assert told.index("Alster") < (told + "Elbe").index("Elbe")


# --- Things of a kind ----------------------------------------------------------------------------


def test_boxes_are_no_boxing(alice: User, talk: Talks) -> None:
    tell(alice, "I ordered 40 boxes. I play tennis and go swimming.")
    told = talk().say("Which sports do I do?").content
    assert "tennis" in told
    assert "boxing" not in told


def test_who_boxes_does_a_sport(alice: User, talk: Talks) -> None:
    tell(alice, "I box on Mondays. I play tennis as a sport.")
    assert "boxing" in talk().say("Which sports do I do?").content


def test_a_city_in_the_name_of_a_house_is_none_and_one_on_the_way_is(
    alice: User, talk: Talks
) -> None:
    tell(alice, "We stay at the hotel Casa Lima in Lisbon.")
    tell(alice, "I drove from Berlin to Bad Schandau and then to Dresden.")
    told = talk().say("Which cities have I been to?").content.splitlines()[0]
    assert "Lima" not in told
    assert all(city in told for city in ("Lisbon", "Berlin", "Bad Schandau", "Dresden"))


@pytest.mark.parametrize("question", ["Which instrument do I play?", "What instruments do I play?"])
def test_one_of_a_kind_that_only_the_profile_tells_is_told(
    question: str, alice: User, talk: Talks
) -> None:
    tell(alice, "I enjoy the oboe.")
    tell(alice, "I play tennis.")
    told = talk().say(question).content
    assert "oboe" in told
    assert "tennis" not in told


# --- What an answer says of itself ---------------------------------------------------------------


def test_an_answer_that_only_quotes_does_not_say_that_it_used_the_profile(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    tell(alice, "The plumber is called Herr Jansen.")
    here = talk()
    here.say("Who is Herr Jansen?")
    assert here.conversation is not None
    page = as_alice.get(here.conversation.get_absolute_url()).content.decode()
    assert "Quoting 1 earlier conversation" in page
    assert "Using your profile" not in page


def test_the_same_look_up_is_told_once(alice: User, talk: Talks) -> None:
    tell(alice, "I bake bread.")
    steps = talk().say("Which operas have I heard?").steps
    looked_for = [(step["tool"], step["arguments"]) for step in steps]
    assert len(looked_for) == len({str(one) for one in looked_for})
