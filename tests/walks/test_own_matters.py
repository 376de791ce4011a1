"""One's own private matters: offered by what they mean, and answered from what was noted."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import LearningOutcome, Message
from memory.facts import blocked_slots
from memory.models import Memory
from tests.people import Talk, values

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]
OFFER = "Should I note it anyway?"


def notes(user: User) -> set[str]:
    with acting_as(user):
        return {note.content for note in Memory.objects.active()}


def noted(talk: Talks, *texts: str) -> None:
    """Said in a conversation of its own each, and noted at its owner's word where it is private."""
    for text in texts:
        here = talk()
        if here.say(text).content.endswith(OFFER):
            here.say("yes")


def ask(talk: Talks, question: str) -> Message:
    """Asked in a conversation of its own."""
    return talk().say(question)


# --- What is private by what it means ------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "I'm allergic to bee stings and carry an EpiPen",
        "My doctor says I have high blood pressure",
    ],
)
def test_a_matter_of_the_body_is_offered_however_it_is_put(
    talk: Talks, alice: User, said: str
) -> None:
    here = talk()
    assert here.say(said).content.endswith(OFFER)
    assert notes(alice) == set()
    assert "as sensitive" in here.say("yes").content


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I have a severe nut allergy", "nut allergy"),
        ("I'm allergic to peanuts and penicillin", "allergic to peanuts"),
    ],
)
def test_a_food_to_avoid_is_noted_at_once_and_ticked_on_no_page(
    talk: Talks, alice: User, as_alice: Client, said: str, value: str
) -> None:
    talk().say(said)
    assert values(alice, "diet") == {value}
    page = as_alice.get(reverse("memory:share_new")).content.decode()
    assert value in page.lower()
    assert 'type="checkbox"' in page
    assert " checked" not in page.split('name="days"')[0]


# --- A closed kind -------------------------------------------------------------------------------


def test_closing_health_lists_and_takes_back_the_notes_of_the_kind_too(
    talk: Talks, alice: User, as_alice: Client
) -> None:
    noted(talk, "My mother has diabetes", "I broke my leg in 2012", "I have asthma")
    talk().say("I'm allergic to peanuts")
    talk().say("I booked the ferry to Oslo for the 12th of May")
    with acting_as(alice):
        # As it was noted before such words were known for what they tell.
        Memory.objects.filter(content__startswith="I broke").update(slot="")
    page = as_alice.get(reverse("memory:never"), {"slot": "medical"}).content.decode()
    for line in ("My mother has diabetes", "I broke my leg in 2012", "asthma", "peanuts"):
        assert line in page
    assert "Oslo" not in page
    as_alice.post(reverse("memory:never"), {"slot": "medical"})
    assert notes(alice) == {"I booked the ferry to Oslo for the 12th of May"}
    assert values(alice, "medical") == values(alice, "diet") == set()


@pytest.mark.parametrize(
    "said", ["I have a severe nut allergy", "My nut allergy nearly killed me in Oslo in 2019"]
)
def test_with_health_closed_an_allergy_to_a_food_is_not_noted_either(
    talk: Talks, alice: User, said: str
) -> None:
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "medical")
    answer = talk().say(said).content
    assert "noted" not in answer
    assert values(alice, "diet") == set()
    assert notes(alice) == set()
    talk().say("I am a vegetarian")
    assert values(alice, "diet") == {"vegetarian"}


# --- What is asked -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        "What do I earn?",
        "When was I diagnosed with depression?",
        "Am I allergic to penicillin?",
        "Why does my asthma get worse in spring?",
    ],
)
def test_a_question_about_a_private_matter_states_nothing_and_is_offered_nothing(
    talk: Talks, alice: User, asked: str
) -> None:
    answer = ask(talk, asked).content
    assert "private" not in answer
    assert OFFER not in answer
    nothing = ("I don’t know that yet.", "noted nothing", "need a language model")
    assert any(words in answer for words in nothing)
    with acting_as(alice):
        assert not LearningOutcome.objects.exists()
