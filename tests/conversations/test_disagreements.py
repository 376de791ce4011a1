"""What a later message ends is told behind it."""

from collections.abc import Callable

import pytest

from conversations.notebook.quotes import OUTDATED
from tests.people import Talk

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "then", "question"),
    [
        (
            "The viewing of the flat in Mill Road is on Friday at three.",
            "Mill Road flat: the landlord moved it to Saturday at noon.",
            "When is the viewing of the flat?",
        ),
        (
            "My sister Ann works as a nurse in Leeds.",
            "Ann gave up nursing in spring, she paints now.",
            "Where does my sister work?",
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
