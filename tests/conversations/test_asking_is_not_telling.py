"""Asking for one's own things is not telling them: nothing is noted by it, and nothing quoted."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from conversations.models import LearningOutcome
from tests.people import Talk

Talks = Callable[..., Talk]
pytestmark = pytest.mark.django_db


def noted_from(talk: Talk, text: str) -> list[str]:
    """The kinds of notes that came of one thing said."""
    answer = talk.say(text)
    with acting_as(talk.user):
        made = LearningOutcome.objects.filter(
            message__conversation=talk.conversation, message__number=answer.number - 1
        )
        return [note.kind for note in made]


@pytest.mark.parametrize(
    "question",
    [
        "What is my cat called?",
        "What is my work phone number?",
        "whats my car called",
        "when did i go surfing",
        "Do you remember what my cat eats?",
    ],
)
def test_what_is_asked_of_oneself_is_not_noted(talk: Talks, question: str) -> None:
    assert noted_from(talk(), question) == []


def test_asking_makes_no_note_surer(talk: Talks) -> None:
    opened = talk()
    opened.say("I have a cat called Minka.")
    answer = opened.say("What is my cat called?")
    assert "surer" not in answer.content
    assert "Minka" in answer.content


@pytest.mark.parametrize(
    "request_for_it",
    [
        "Tell me again what I have to bring on Friday",
        "Remind me when my sister Nora flies to Hull in June",
    ],
)
def test_what_only_wants_to_be_told_is_not_noted(talk: Talks, request_for_it: str) -> None:
    assert noted_from(talk(), request_for_it) == []


def test_what_stands_beside_the_question_is_noted(talk: Talks) -> None:
    assert noted_from(talk(), "What is my cat called? I work at Google.") == [
        LearningOutcome.Kind.STORED
    ]


@pytest.mark.parametrize(
    ("told", "earlier", "asked"),
    [
        ("my gf is called zoe", "whos my gf", "do i have a gf"),
        ("i go climbing every tuesday", "how often do i go climbing", "how often do i climb"),
        ("i cant stand loud music", "what music dont i like", "which music dont i like"),
        ("my rent is 450 a month", "wats my rent", "how much is my rent"),
    ],
)
def test_an_earlier_question_is_no_answer(talk: Talks, told: str, earlier: str, asked: str) -> None:
    opened = talk()
    opened.say(told)
    opened.say(earlier)
    assert earlier not in talk().say(asked).content
