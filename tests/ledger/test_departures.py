"""What is told to be gone, sold, finished or given up is asked about, never ended in silence."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction
from ledger.promotion import proposals
from memory.facts import blocked_slots
from memory.models import Memory
from tests.people import Talk, tell, values

pytestmark = pytest.mark.django_db

REX = "I have a dog named Rex"
ENDS = [
    (REX, "My dog died last year", "pets"),
    (REX, "Rex passed away yesterday", "pets"),
    (REX, "Sadly, our dear old dog Rex has died", "pets"),
    (REX, "We had to put Rex down on Friday", "pets"),
    (REX, "We lost Rex to old age", "pets"),
    (REX, "I don't have pets", "pets"),
    ("I have two cats", "I have no pets any more", "pets"),
    ("My current project is a novel", "I abandoned the novel", "current_project"),
    (
        "My current project is an app for dog walkers",
        "I finished the app for dog walkers",
        "current_project",
    ),
    ("I drive a Tesla", "I sold my Tesla", "vehicle"),
    ("I drive a Tesla", "I sold my car last week", "vehicle"),
    ("I own a piano", "We finally got rid of the piano", "possessions"),
    ("I'm vegan", "I eat meat again", "diet"),
    ("I am a vegetarian", "I started eating chicken again", "diet"),
    ("I'm in law school", "I dropped out of law school", "education"),
    ("I have a sister named Anna", "I don't have any siblings", "family"),
    ("I have two brothers", "I have no siblings", "family"),
]
NO_ENDS = [
    (REX, "My neighbour's dog died"),
    (REX, "My phone died"),
    (REX, "The dog nearly died"),
    (REX, "If my dog died I would be lost"),
    (REX, "Did Rex pass away?"),
    (REX, "My sister's dog Rex died"),
    (REX, "Rex passed the exam"),
    (REX, "I don't have pets in mind for the story"),
    ("I drive a Tesla", "I sold my old bike"),
    ("I drive a Tesla", "My brother sold my Tesla shares"),
    ("I ride a motorbike", "I sold my car"),
    ("I'm vegan", "I eat bread again"),
    ("I'm vegan", "My brother eats meat again"),
    ("I'm in law school", "My cousin dropped out of law school"),
    ("I have a sister named Anna", "I don't have any children"),
    ("I have a sister named Anna", "My wife has no siblings"),
]


def asked(user: User) -> list[str]:
    with acting_as(user):
        return [note.content for note in Memory.objects.waiting() if note.ends_id]


@pytest.mark.parametrize(("held", "told", "slot"), ENDS)
def test_an_end_that_is_told_is_asked_about(alice: User, held: str, told: str, slot: str) -> None:
    tell(alice, held)
    before = values(alice, slot)
    assert before, "this is noted"
    tell(alice, told)
    assert len(asked(alice)) == 1
    assert before <= values(alice, slot), "and stays until its owner has answered"


@pytest.mark.parametrize(("held", "told"), NO_ENDS)
def test_what_ends_nothing_that_is_noted_asks_nothing(alice: User, held: str, told: str) -> None:
    tell(alice, held)
    tell(alice, told)
    assert asked(alice) == []


def test_the_death_of_a_pet_is_met_with_gentle_words(
    alice: User, talk: Callable[..., Talk]
) -> None:
    talk().say(REX)
    told = talk().say("My dog died last year").content
    assert "I am so sorry." in told
    assert asked(alice) == ["No longer with you: dog Rex"]
    with acting_as(alice):
        proposals.accept(Memory.objects.waiting().get(ends__isnull=False))
    assert values(alice, "pets", "past") == {"dog Rex"}


def test_of_many_it_is_not_plain_which_died(alice: User) -> None:
    for name in ("Rex", "Bello", "Hasso", "Astor", "Luna"):
        tell(alice, f"I have a dog named {name}")
    tell(alice, "My dog died last year")
    assert asked(alice) == []


@pytest.mark.parametrize(
    "told",
    [
        "My name's not Nick, it's Nicholas",
        "My name is not Nick, it's Nicholas",
    ],
)
def test_a_name_that_is_put_right_is_a_correction(alice: User, told: str) -> None:
    tell(alice, "My name is Nick")
    tell(alice, told)
    with acting_as(alice):
        entry = Contradiction.objects.open().get()
        sides = entry.old_fact.value, entry.new_fact.value
    assert (*sides, entry.said_as) == ("Nick", "Nicholas", "correction")


def test_what_was_read_from_the_same_words_is_not_over(alice: User) -> None:
    tell(alice, "I sold my Tesla")
    assert values(alice, "vehicle") == set()
    assert asked(alice) == []


def test_the_death_of_a_pet_is_quoted_nowhere_else_where_pets_are_closed(alice: User) -> None:
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "pets")
    message = tell(alice, "My dog died last year")
    assert asked(alice) == []
    with acting_as(alice):
        message.refresh_from_db()
    assert message.confidential
