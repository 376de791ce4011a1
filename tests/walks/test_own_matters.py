"""One's own private matters: offered by what they mean, and answered from what was noted."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
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
