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


@pytest.mark.parametrize(
    ("held", "over"),
    [
        (CHOIR, "I no longer sing in the choir"),
        ("I play the cello in the town orchestra on Mondays", "I have given up the cello"),
    ],
)
def test_a_note_that_is_said_to_be_over_gives_way_to_what_says_so(
    alice: User, held: str, over: str
) -> None:
    tell(alice, f"{held}.")
    tell(alice, f"{over}.")
    assert standing(alice)[held] == Status.SUPERSEDED
    with acting_as(alice):
        assert Memory.objects.get(content=held).superseded_by == Memory.objects.get(content=over)


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


def test_whether_it_is_still_so_is_answered_by_the_denial(talk: Callable[..., Talk]) -> None:
    here = talk()
    here.say(f"{CHOIR}.")
    here.say("I do not sing in the choir any more, since my voice went.")
    answer = talk().say("Do I still sing in the choir?").content
    assert "since my voice went" in answer
    assert "Every Thursday" not in answer


def test_what_was_begun_again_is_not_said_to_be_over(talk: Callable[..., Talk]) -> None:
    here = talk()
    here.say("I no longer sing in the choir.")
    here.say("I sing in the choir again, every Sunday morning at nine.")
    assert "No longer" not in talk().say("Do I still sing in the choir?").content


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


def test_nothing_ends_at_once_from_a_private_conversation(alice: User) -> None:
    tell(alice, "My hobby is climbing.")
    private_talk(alice, "I used to enjoy climbing, but I gave it up.")
    with acting_as(alice):
        fact = ProfileFact.objects.for_user(alice.pk).get(value="climbing")
    assert fact.status == ProfileFact.Status.CURRENT


def test_nothing_ends_at_once_for_people_who_are_asked_first(alice: User) -> None:
    tell(alice, "My hobby is climbing.")
    with acting_as(alice):
        PrivacySettings.objects.create(user=alice, promotion="ask")
    tell(alice, "I used to enjoy climbing, but I gave it up.")
    with acting_as(alice):
        fact = ProfileFact.objects.for_user(alice.pk).get(value="climbing")
    assert fact.status == ProfileFact.Status.CURRENT


@pytest.mark.parametrize(
    ("held", "correction", "now"),
    [
        (
            "My daughter Lina is 7 and she loves dancing",
            "Sorry, Lina is 8, not 7",
            "My daughter Lina is 8 and she loves dancing",
        ),
        (
            "I have two kids, Lina who is 7 and Max who is 4",
            "Sorry, Lina is 8, not 7",
            "I have two kids, Lina who is 8 and Max who is 4",
        ),
    ],
)
def test_a_correction_of_one_value_leaves_what_else_a_note_says(
    alice: User, held: str, correction: str, now: str
) -> None:
    tell(alice, f"{held}.")
    tell(alice, f"{correction}.")
    assert standing(alice) == {held: Status.SUPERSEDED, now: Status.ACTIVE}


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
            "pets",
            "I have a cat called Gravy",
            "I have a cat called Soot",
            "Correction: my cat's called Grady, not Gravy",
            {"cat Grady", "cat Soot"},
        ),
        (
            "pets",
            "My dog is called Rex.",
            "My cat is called Miso.",
            "My dog is called Rox, not Rex.",
            {"dog Rox", "cat Miso"},
        ),
        (
            "family",
            "My daughter Mia plays chess",
            "My daughter Ida swims",
            "No, my daughter is Maya, not Mia",
            {"daughter Maya", "daughter Ida"},
        ),
        (
            "family",
            "My son Niels plays chess",
            "My sister Ada is a teacher",
            "I meant my son is Nils, not Niels",
            {"son Nils", "sister Ada"},
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


@pytest.mark.parametrize(
    ("told", "current"),
    [
        ("Actually I have another cat called Grady besides Gravy", {"cat Gravy", "cat Grady"}),
        # It may be the same name: that is asked.
        ("My cat is called Grady", {"cat Gravy"}),
        ("My cat is called Miso", {"cat Gravy", "cat Miso"}),
    ],
)
def test_a_name_that_is_not_denied_stays_beside_a_new_one(
    told: str, current: set[str], alice: User
) -> None:
    tell(alice, "I have a cat called Gravy")
    tell(alice, told)
    assert values(alice, "pets") == current


def test_a_correction_of_one_of_several_values_takes_its_place(alice: User) -> None:
    tell(alice, "My cat is called Miso.")
    tell(alice, "My dog is called Rex.")
    tell(alice, "Actually my cat is called Mochi, not Miso.")
    assert values(alice, "pets") == {"cat Mochi", "dog Rex"}
    assert values(alice, "pets", "set_aside") == {"cat Miso"}
    assert values(alice, "pets", "past") == set()


def test_a_correction_changes_no_value_that_was_written_by_hand(alice: User) -> None:
    tell(alice, "My cat is called Miso.")
    with acting_as(alice):
        manager.rewrite(the_fact(alice, "pets"), "cat Miso, a tabby")
        manager.rewrite(the_fact(alice, "pets"), "cat Miso")
    tell(alice, "Actually my cat is called Mochi, not Miso.")
    assert "cat Miso" in values(alice, "pets")


def test_an_answer_says_what_is_so_by_now(alice: User, talk: Callable[..., Talk]) -> None:
    here = talk()
    here.say("My brother Tom lives in Bristol.")
    here.say("Tom moved to Cardiff.")
    assert "Tom moved to Cardiff" in here.say("Where does Tom live?").content


def test_a_note_that_tells_a_former_value_tells_the_new_one(alice: User) -> None:
    held = "I live in Bath with my husband Tom and our two kids, Ella (7) and Finn, who's 4"
    tell(alice, f"{held}.")
    tell(alice, "We moved to Bristol two weeks ago.")
    notes = standing(alice)
    assert notes[held] == Status.SUPERSEDED
    assert notes[held.replace("Bath", "Bristol")] == Status.ACTIVE


def test_a_later_version_goes_with_the_message_whose_words_it_holds(
    alice: User, as_alice: Client
) -> None:
    told = tell(alice, "I have two kids, Lina who is 7 and Max who is 4.")
    tell(alice, "Sorry, Lina is 8, not 7.")
    with acting_as(alice):
        learned = only_from(alice.pk, Message.objects.for_user(alice.pk).filter(pk=told.pk))
    assert [note.content for note in learned.notes] == [
        "I have two kids, Lina who is 8 and Max who is 4"
    ]


def test_undo_of_a_fact_leaves_the_note_beside_it(alice: User, as_alice: Client) -> None:
    message = tell(alice, "My brother Leo lives in Oslo and plays the cello.")
    with acting_as(alice):
        chip = LearningOutcome.objects.get(message=message, fact__slot="family")
    as_alice.post(reverse("conversations:undo_note", args=[chip.pk]))
    assert values(alice, "family") == set()
    assert set(standing(alice).values()) == {Status.ACTIVE}


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
