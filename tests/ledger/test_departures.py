"""What is told to be gone, sold, finished or given up ends, with a chip that says so."""

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.facts import blocked_slots
from memory.models import Memory
from tests.people import tell, values

pytestmark = pytest.mark.django_db

REX = "I have a dog named Rex"
ENDS = [
    (REX, "My dog died last year", "pets"),
    ("I drive a Tesla", "I sold my Tesla", "vehicle"),
]
NO_ENDS = [
    (REX, "My neighbour's dog died"),
    (REX, "Did Rex pass away?"),
    (REX, "My sister's dog Rex died"),
    ("I drive a Tesla", "My brother sold my Tesla shares"),
]


def asked(user: User) -> list[str]:
    with acting_as(user):
        return [note.content for note in Memory.objects.waiting() if note.ends_id]


@pytest.mark.parametrize(("held", "told", "slot"), ENDS)
def test_an_end_that_is_told_ends_it_or_is_asked_about(
    alice: User, held: str, told: str, slot: str
) -> None:
    tell(alice, held)
    before = values(alice, slot)
    assert before, "this is noted"
    tell(alice, told)
    assert asked(alice) or before <= values(alice, slot, "past")


@pytest.mark.parametrize(("held", "told"), NO_ENDS)
def test_what_ends_nothing_that_is_noted_asks_nothing(alice: User, held: str, told: str) -> None:
    tell(alice, held)
    before = {slot: values(alice, slot) for slot in ("pets", "vehicle", "diet", "family")}
    tell(alice, told)
    assert asked(alice) == []
    assert all(held <= values(alice, slot) for slot, held in before.items())


def test_the_death_of_a_pet_is_quoted_nowhere_else_where_pets_are_closed(alice: User) -> None:
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "pets")
    message = tell(alice, "My dog died last year")
    assert asked(alice) == []
    with acting_as(alice):
        message.refresh_from_db()
    assert message.confidential
