"""A finer value of the same takes the place of the wider one: told, kept, and undoable."""

import pytest
from django.test import Client
from django.utils.timezone import localtime

from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from conversations.models import Conversation, Message
from conversations.web.present.chips import notes_of
from ledger.models import Contradiction
from memory import sharing
from memory.models import ProfileFact
from tests.people import tell, the_fact, values

pytestmark = pytest.mark.django_db
STORIES = [
    ("location", "I live in Russia", "I live in Moscow", "Russia", "Moscow"),
    ("name", "My name is Sam", "My name is Sam Smith", "Sam", "Sam Smith"),
]


def chips(user: User, message: Message) -> list[str]:
    with acting_as(user):
        return [one.text for one in notes_of(message)]


def open_questions(user: User) -> int:
    with acting_as(user):
        return Contradiction.objects.for_user(user.pk).open().count()


@pytest.mark.parametrize(("slot", "wide", "fine", "before", "after"), STORIES)
def test_what_is_said_more_closely_takes_the_place_of_the_wider_value(
    alice: User, slot: str, wide: str, fine: str, before: str, after: str
) -> None:
    tell(alice, wide)
    message = tell(alice, fine)
    assert (values(alice, slot), values(alice, slot, "past")) == ({after}, {before})
    assert open_questions(alice) == 0
    assert any(text.endswith(f"{after}, was {before}") for text in chips(alice, message))
    with acting_as(alice):
        assert the_fact(alice, slot).replaces == the_fact(alice, slot, status="past")


def test_undo_brings_the_wider_value_back_and_bringing_back_the_finer(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I live in Russia since March 2015")
    message = tell(alice, "I live in Moscow")
    with acting_as(alice):
        (chip,) = notes_of(message)
    as_alice.post(chip.undo_url)
    assert (values(alice, "location"), values(alice, "location", "removed")) == (
        {"Russia"},
        {"Moscow"},
    )
    kept = the_fact(alice, "location")
    assert (localtime(kept.valid_from).year, kept.valid_to) == (2015, None)
    with acting_as(alice):
        (chip,) = notes_of(message)
    as_alice.post(chip.restore_url)
    assert (values(alice, "location"), values(alice, "location", "past")) == (
        {"Moscow"},
        {"Russia"},
    )


def test_what_stood_against_the_wider_value_stands_against_the_finer(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I live in Russia")
    tell(alice, "I live in France")
    message = tell(alice, "I live in Moscow")
    with acting_as(alice):
        entry = Contradiction.objects.open().get()
        assert (entry.old_fact.value, entry.new_fact.value) == ("Moscow", "France")
        chip = next(one for one in notes_of(message) if one.undo_url)
    as_alice.post(chip.undo_url)
    with acting_as(alice):
        assert Contradiction.objects.open().get().old_fact.value == "Russia"


def test_nothing_is_refined_where_its_owner_wants_to_be_asked(alice: User) -> None:
    tell(alice, "I live in Russia")
    with acting_as(alice):
        PrivacySettings.objects.create(user=alice, promotion="ask")
    tell(alice, "I live in Moscow")
    assert values(alice, "location") == {"Russia"}


def test_nothing_is_refined_in_private(alice: User) -> None:
    tell(alice, "I live in Russia")
    with acting_as(alice):
        place = Conversation.objects.create(user=alice, privacy=Conversation.Privacy.PRIVATE)
    tell(alice, "I live in Moscow", place)
    assert values(alice, "location") == {"Russia"}


def test_a_page_that_was_shared_shows_no_more_than_what_was_shared(alice: User) -> None:
    tell(alice, "I live in Russia")
    tell(alice, "I live in Moscow")
    with acting_as(alice):
        old = ProfileFact.objects.get(value="Russia")
        assert list(sharing._wordings(old.pk, sharing._rewordings(alice.pk))) == [old.pk]
