"""What is stated to be over reaches the notes that hold it, and nothing else does."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from conversations.deletion.learned_only_there import only_from
from conversations.models import LearningOutcome, Message
from memory import manager
from memory.models import Memory, ProfileFact
from tests.conversations.tooling import private_talk
from tests.people import Talk, tell, the_fact, values

CHOIR = "Every Thursday evening I sing in the choir of St Mary's"
Status = Memory.Status


def standing(user: User) -> dict[str, str]:
    with acting_as(user):
        return {note.content: note.status for note in Memory.objects.for_user(user.pk)}


def test_what_is_over_is_said_in_the_answer_and_can_be_taken_back(
    alice: User, talk: Callable[..., Talk]
) -> None:
    here = talk()
    here.say(f"{CHOIR}.")
    told = here.say("I no longer sing in the choir.").content
    assert "This replaces “Every Thursday evening I sing in the choir" in told
    with acting_as(alice):
        note = LearningOutcome.objects.get(memory__content__contains="no longer")
        manager.undo(note.memory)
    assert standing(alice)[CHOIR] == Status.ACTIVE


def test_a_pastime_in_the_profile_that_is_over_ends_and_can_be_brought_back(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "My hobby is climbing.")
    tell(alice, "I used to enjoy climbing, but I gave it up.")
    with acting_as(alice):
        fact = ProfileFact.objects.for_user(alice.pk).get(value="climbing")
        assert fact.status == ProfileFact.Status.PAST
        ended = LearningOutcome.objects.get(kind=LearningOutcome.Kind.ENDED)
    as_alice.post(reverse("conversations:undo_note", args=[ended.pk]))
    with acting_as(alice):
        fact.refresh_from_db()
    assert fact.status == ProfileFact.Status.CURRENT


def test_nothing_ends_at_once_in_private_or_where_its_owner_is_asked_first(alice: User) -> None:
    tell(alice, "My hobby is climbing.")
    private_talk(alice, "I used to enjoy climbing, but I gave it up.")
    with acting_as(alice):
        PrivacySettings.objects.create(user=alice, promotion="ask")
    tell(alice, "I used to enjoy climbing, but I gave it up.")
    with acting_as(alice):
        fact = ProfileFact.objects.for_user(alice.pk).get(value="climbing")
    assert fact.status == ProfileFact.Status.CURRENT


@pytest.mark.parametrize(
    ("slot", "held", "beside", "correction", "now"),
    [
        (
            "pets",
            "I have a cat called Gravy",
            "My dog is called Rex",
            "Actually my cat is called Grady, not Gravy",
            {"cat Grady", "dog Rex"},
        ),
        (
            "family",
            "My daughter Mia plays chess",
            "My daughter Ida swims",
            "No, my daughter is Maya, not Mia",
            {"daughter Maya", "daughter Ida"},
        ),
    ],
)
def test_a_name_that_is_denied_beside_the_right_one_is_replaced(
    slot: str, held: str, beside: str, correction: str, now: set[str], alice: User, as_alice: Client
) -> None:
    tell(alice, held)
    tell(alice, beside)
    before = values(alice, slot)
    message = tell(alice, correction)
    assert values(alice, slot) == now
    with acting_as(alice):
        chip = LearningOutcome.objects.get(message=message, fact__slot=slot)
    as_alice.post(reverse("conversations:undo_note", args=[chip.pk]))
    assert values(alice, slot) == before


def test_a_correction_changes_no_value_that_was_written_by_hand(alice: User) -> None:
    tell(alice, "My cat is called Miso.")
    with acting_as(alice):
        manager.rewrite(the_fact(alice, "pets"), "cat Miso, a tabby")
        manager.rewrite(the_fact(alice, "pets"), "cat Miso")
    tell(alice, "Actually my cat is called Mochi, not Miso.")
    assert "cat Miso" in values(alice, "pets")


def test_a_corrected_note_keeps_its_other_words_and_goes_with_the_message_they_stand_in(
    alice: User,
) -> None:
    held = "I have two kids, Lina who is 7 and Max who is 4"
    told = tell(alice, f"{held}.")
    tell(alice, "Sorry, Lina is 8, not 7.")
    now = held.replace("7", "8")
    assert standing(alice) == {held: Status.SUPERSEDED, now: Status.ACTIVE}
    with acting_as(alice):
        learned = only_from(alice.pk, Message.objects.for_user(alice.pk).filter(pk=told.pk))
    assert [note.content for note in learned.notes] == [now]


def test_undo_of_a_correction_after_the_old_value_was_said_again(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "My cat is called Miso.")
    message = tell(alice, "Actually my cat is called Mochi, not Miso.")
    tell(alice, "My cat is called Miso.")
    with acting_as(alice):
        chip = LearningOutcome.objects.get(message=message, fact__slot="pets")
    assert as_alice.post(reverse("conversations:undo_note", args=[chip.pk])).status_code == 302
    assert values(alice, "pets") == {"cat Miso"}
