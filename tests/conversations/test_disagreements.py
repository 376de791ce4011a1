"""What cannot hold beside what was said before is shown with it, and what can is left alone."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from conversations.notebook.corrections import ASKED
from conversations.notebook.quotes import OUTDATED
from memory.notes import as_note_draft, keep_note
from tests.people import Talk, scope_of

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "then"),
    [("I never eat breakfast.", "Had my usual big breakfast before work, as every day.")],
)
def test_both_are_shown_to_choose(talk: Talks, said: str, then: str) -> None:
    talk().say(said)
    reply = talk().say(then).content
    assert ASKED in reply
    assert said.split(",", maxsplit=1)[0].rstrip(".") in reply


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("We have no pets, the flat is far too small.", "Finally we adopted a cat from a shelter!"),
        ("My sister Ann lives in Leeds.", "My sister Beth lives in Rome with her two boys."),
        ("I'm vegetarian since school.", "Made a beef stew for the lads, a salad for me."),
        (
            "At the lab I have gone over to tea with no milk",
            "I sleep at my aunt's so that I don't have to get up in the night",
        ),
    ],
)
def test_what_can_both_hold_is_not_asked_about(talk: Talks, said: str, then: str) -> None:
    talk().say(said)
    assert ASKED not in talk().say(then).content


def test_what_was_said_and_noted_is_shown_once(alice: User, talk: Talks) -> None:
    said = talk()
    said.say("I never eat breakfast.")
    with acting_as(alice):
        first = Message.objects.get(conversation=said.conversation, number=1)
        keep_note(scope_of(first), as_note_draft(first.content, first.said_at))
    reply = talk().say("Had my usual big breakfast before work, as every day.").content
    assert reply.count("I never eat breakfast") == 1
    assert "edit or remove" in reply


def test_a_pasted_text_contradicts_nobody(talk: Talks) -> None:
    talk().say("We have no pets, the flat is far too small.")
    pasted = "From: Joan\nSubject: hello\n\nOur cat sleeps on the keyboard again."
    assert ASKED not in talk().say(pasted).content


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
