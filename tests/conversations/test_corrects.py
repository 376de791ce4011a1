"""What a message corrects, as its author was told, is stored, and told beside it."""

from collections.abc import Callable

import pytest

from accounts.models import User
from conversations.notebook.quotes import OUTDATED
from tests.people import Talk

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]

_BOILER = "The boiler man is booked for Thursday at 10, he checks the pressure too."
_MOVED = "The boiler man rang, he's been moved to Friday, same time."


def test_both_are_told_the_new_one_first_and_the_old_one_marked(talk: Talks) -> None:
    talk().say(_BOILER)
    talk().say("My sister Ida has found a flat in Hull.")
    talk().say(_MOVED)
    told = talk().say("When does the boiler man come?").content
    assert told.index("Friday") < told.index("Thursday")
    assert "you later said something else" in told[told.index("Thursday") :]


def test_what_was_said_in_another_place_is_not_told_where_it_is_private(
    alice: User, talk: Talks
) -> None:
    talk().say(_BOILER)
    here = talk()
    here.say(f"{_MOVED} Keep this between us.")
    assert "Friday" not in talk().say("When does the boiler man come?").content


@pytest.mark.parametrize(
    ("answered", "rejected", "kept"),
    [("York is right", "Leeds", "York"), ("Leeds is right", "York", "Leeds")],
)
def test_a_quote_of_a_value_that_was_rejected_names_what_holds(
    talk: Talks, answered: str, rejected: str, kept: str
) -> None:
    talk().say("I live in Leeds.")
    here = talk()
    here.say("I live in York.")
    here.say(answered)
    told = talk().say(f"What did I say about {rejected}?").content
    assert f"I live in {rejected}" in told
    assert f"replaced by: Lives in {kept}" in told
    told = talk().say(f"What did I say about {kept}?").content
    assert "replaced by" not in told


@pytest.mark.parametrize(
    ("said", "then", "question"),
    [
        (
            "The viewing of the flat in Mill Road is on Friday at three.",
            "Mill Road flat: the landlord moved it to Saturday at noon.",
            "When is the viewing of the flat?",
        ),
        (
            "We rehearse the play on Mondays in the church hall.",
            "The hall is closed for repairs, so we meet at Joan's from now on.",
            "Where do we rehearse the play?",
        ),
    ],
)
def test_what_a_later_message_ends_is_told_behind_it(
    talk: Talks, said: str, then: str, question: str
) -> None:
    talk().say(said)
    talk().say("My aunt Rosa sings in a choir.")
    talk().say(then)
    reply = talk().say(question).content
    assert reply.index(then) < reply.index(said)
    assert OUTDATED in reply


def test_what_nothing_ended_is_told_as_it_is(talk: Talks) -> None:
    talk().say("The viewing of the flat in Mill Road is on Friday at three.")
    talk().say("The flat in Dock Street has its viewing on Monday.")
    assert OUTDATED not in talk().say("When is the viewing of the flat in Mill Road?").content


def test_what_somebody_else_wrote_ends_nothing(talk: Talks) -> None:
    talk().say("We rehearse the play on Mondays in the church hall.")
    pasted = "The hall is closed for repairs, so we do not meet there from now on."
    talk().say(f"From: Joan\nSubject: rehearsal\n\n{pasted}")
    assert OUTDATED not in talk().say("Where do we rehearse the play?").content
