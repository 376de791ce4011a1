"""Without a model a question is answered by what surely answers it, or not at all."""

from collections.abc import Callable

import pytest

from accounts.models import User
from conversations.models import Message
from tests.conversations.tooling import private_talk
from tests.people import Talk, tell

Talks = Callable[..., Talk]
TOLD, NOTHING = "You told me:", "I don’t know that yet."


@pytest.fixture
def told(alice: User) -> list[Message]:
    hut = tell(alice, "We rented a hut by the lake for the second week of August.")
    return [
        hut,
        tell(alice, "It costs 640 for the week.", hut.conversation),
        tell(alice, "Our neighbour Ruth has the keys to the hut.", hut.conversation),
        tell(alice, "My boss is called Petra, she has three horses."),
        tell(alice, "Petra was born in Graz."),
        tell(alice, "The roofer looked at the gutter and shook his head."),
    ]


@pytest.mark.parametrize(
    ("question", "step", "shown"),
    [
        ("Who has the keys?", TOLD, "Our neighbour Ruth has the keys to the hut"),
        # By what was said right beside it.
        ("What does the hut by the lake cost?", TOLD, "It costs 640"),
        ("Who pays my roofer for the gutter?", NOTHING, ""),
        ("What is the name of my accountant?", NOTHING, ""),
    ],
)
def test_an_answer_says_how_sure_it_is(
    told: list[Message], talk: Talks, question: str, step: str, shown: str
) -> None:
    answer = talk().say(question).content
    assert answer.startswith(step)
    assert shown in answer


def test_what_was_said_in_confidence_is_named_by_its_day_and_link_only(
    alice: User, talk: Talks
) -> None:
    said = tell(alice, "Between us, I hide the spare key under the rosemary pot.")
    answer = talk().say("Where do I hide the spare key?").content
    assert "rosemary" not in answer
    assert said.conversation.get_absolute_url() in answer
    assert "I show it only in that conversation" in answer
    assert not answer.startswith(NOTHING)


def test_what_was_said_in_a_private_conversation_is_not_even_named_elsewhere(
    alice: User, talk: Talks
) -> None:
    secret = private_talk(alice, "I hide the spare key under the rosemary pot.")
    answer = talk().say("What did I say about the spare key?").content
    assert "rosemary" not in answer
    assert secret.get_absolute_url() not in answer
    assert "confidence" not in answer


def test_a_birthday_of_somebody_else_is_not_ones_own(alice: User, talk: Talks) -> None:
    tell(alice, "My wife's birthday is on 3 March.")
    assert "3 March" in talk().say("When is my wife's birthday?").content
    assert "3 March" not in talk().say("When is my birthday?").content


@pytest.mark.parametrize(
    ("told", "earlier", "asked"),
    [
        ("my gf is called zoe", "whos my gf", "do i have a gf"),
        ("my rent is 450 a month", "wats my rent", "how much is my rent"),
    ],
)
def test_an_earlier_question_is_no_answer(talk: Talks, told: str, earlier: str, asked: str) -> None:
    opened = talk()
    opened.say(told)
    opened.say(earlier)
    assert earlier not in talk().say(asked).content
