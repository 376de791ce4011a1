"""A short word gets a short human reply, and the trace of an answer says what was found."""

from collections.abc import Callable

import pytest

from accounts.models import User
from conversations import notebook
from conversations.models import Message
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("thx", "You’re welcome, Zoe."),
        ("ok thx", "You’re welcome, Zoe."),
        ("Good night!", "See you next time, Zoe."),
        ("night night x", "See you next time, Zoe."),
        ("bye", "See you next time, Zoe."),
        ("see u tomorrow", "See you next time, Zoe."),
        ("lol", "All right."),
        ("k", "All right."),
    ],
)
def test_a_short_word_gets_a_short_reply(said: str, reply: str, alice: User, talk: Talks) -> None:
    tell(alice, "My name is Zoe.")
    assert talk().say(said).content == reply


def test_yo_is_a_greeting(alice: User, talk: Talks) -> None:
    tell(alice, "My name is Zoe.")
    assert talk().say("yo").content.startswith("Hello, Zoe.")


def test_a_sentence_that_begins_like_one_is_none(talk: Talks) -> None:
    assert talk().say("Hi-vis jackets are all gone").content in (notebook.KEPT, notebook.NOTED)


# --- What the trace says -------------------------------------------------------------------------


def found(answer: Message) -> list[str]:
    return [step["found"] for step in answer.steps]


def test_the_trace_above_quotes_never_says_that_nothing_was_found(alice: User, talk: Talks) -> None:
    tell(alice, "My cousin Gerald works at the market with Maud. Then Gerald waved.")
    answer = talk().say("Who is Gerald?")
    assert "Gerald" in answer.content
    assert found(answer) == ["one found"]


def test_the_trace_above_no_note_says_that_nothing_answers(alice: User, talk: Talks) -> None:
    tell(alice, "The garden was lovely when Maud came over, and the roses were in bloom.")
    answer = talk().say("Where does Maud work these days?")
    assert answer.content.startswith("I don’t know that yet.")
    assert found(answer) == ["one came close, but none answered it"]


def test_the_trace_of_what_was_never_said_says_nothing_found(talk: Talks) -> None:
    assert found(talk().say("Who is Gerald?"))[0] == "nothing found"
