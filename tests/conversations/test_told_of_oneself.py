"""What somebody told of themselves is told back, facts and notes alike."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.models import Memory
from tests.people import Talk

pytestmark = pytest.mark.django_db
Talks = Callable[..., Talk]


def _notes(person: User) -> set[str]:
    with acting_as(person):
        return {one.original or one.content for one in Memory.objects.for_user(person.pk).active()}


def test_all_that_is_known_holds_the_notes_too(talk: Talks) -> None:
    here = talk()
    here.say("I'm Lena and I live in Graz.")
    here.say("My sister Kathrin lives in Linz with her husband Paul.")
    answer = here.say("What do you know about me?").content
    assert "Your name is Lena." in answer
    assert "My sister Kathrin lives in Linz" in answer


@pytest.mark.parametrize("question", ["What's my cat called?", "whats my cats name"])
def test_an_animal_has_its_name(talk: Talks, question: str) -> None:
    talk().say("We have a cat called Minka.")
    assert "Minka" in talk().say(question).content


@pytest.mark.parametrize(
    ("told", "note"),
    [
        ("Our cat Minka has to go to the vet tomorrow at 9.", "vet tomorrow at 9"),
    ],
)
def test_what_a_message_tells_beside_a_fact_is_noted(
    alice: User, talk: Talks, told: str, note: str
) -> None:
    talk().say(told)
    assert any(note in one for one in _notes(alice))


def test_a_birthday_is_told_by_its_fact_alone(alice: User, talk: Talks) -> None:
    talk().say("My birthday is 3 May.")
    assert _notes(alice) == set()


def test_a_wish_to_be_reminded_is_noted_and_says_what_there_is(alice: User, talk: Talks) -> None:
    answer = talk().say("Remind me to buy nut-free cake on Friday.")
    assert answer.content.startswith("I send no reminders")
    assert any("nut-free cake" in one for one in _notes(alice))
    asked = talk().say("Remind me what I wanted to buy?").content
    assert "I send no reminders" not in asked
