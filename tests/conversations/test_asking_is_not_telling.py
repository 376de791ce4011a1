"""Asking for one's own things is not telling them: nothing is noted by it, and nothing quoted."""

from collections.abc import Callable

import pytest

from accounts.isolation import acting_as
from conversations.models import Note
from tests.people import Talk

Talks = Callable[..., Talk]
pytestmark = pytest.mark.django_db


def noted_from(talk: Talk, text: str) -> list[str]:
    """The kinds of notes that came of one thing said."""
    answer = talk.say(text)
    with acting_as(talk.user):
        made = Note.objects.filter(
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


def test_what_is_taken_for_granted_in_a_question_to_others_is_noted(talk: Talks) -> None:
    assert noted_from(talk(), "Would you ride in my jeep?") != []


def test_what_stands_beside_the_question_is_noted(talk: Talks) -> None:
    assert noted_from(talk(), "What is my cat called? I work at Google.") == [Note.Kind.STORED]
