"""What is stated to be over reaches the notes that hold it, and nothing else does."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import LearningOutcome
from memory import manager
from memory.language.reading import Reading
from memory.models import Memory
from memory.notes import note_end_detection
from tests.people import Talk, tell

CHOIR = "Every Thursday evening I sing in the choir of St Mary's"
Status = Memory.Status


def standing(user: User) -> dict[str, str]:
    with acting_as(user):
        return {note.content: note.status for note in Memory.objects.for_user(user.pk)}


@pytest.mark.parametrize(
    ("held", "over"),
    [
        (CHOIR, "I do not sing in the choir any more, since my voice went"),
        (CHOIR, "I no longer sing in the choir"),
        (CHOIR, "I left the choir last month"),
        (CHOIR, "I used to sing in the choir"),
        (CHOIR, "Sadly I had to stop singing in the choir"),
        ("I play the cello in the town orchestra on Mondays", "I have given up the cello"),
        ("We are planning a trip to Norway in May", "The trip to Norway is off"),
        ("I always swim 40 lengths on Wednesdays before work", "I don’t swim anymore"),
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


@pytest.mark.parametrize(
    "told",
    [
        "Do I no longer sing in the choir?",
        "If I stop singing in the choir I will miss it",
        "My doctor says I should stop singing in the choir",
        "I never stopped singing in the choir",
        "It is not true that I no longer sing in the choir",
        "I stopped at the choir on my way home",
        "I do not play the organ in the choir any more",
        "I left my umbrella at the choir last month",
    ],
)
def test_what_states_no_end_of_it_leaves_the_note_in_use(alice: User, told: str) -> None:
    tell(alice, f"{CHOIR}.")
    tell(alice, told)
    assert standing(alice)[CHOIR] == Status.ACTIVE


def test_what_is_over_is_said_in_the_answer_and_can_be_taken_back(
    alice: User, talk: Callable[..., Talk]
) -> None:
    here = talk()
    here.say(f"{CHOIR}.")
    told = here.say("I no longer sing in the choir.").content
    assert "It takes the place of “Every Thursday evening I sing in the choir" in told
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


def test_an_end_names_what_is_over() -> None:
    (found,) = note_end_detection.read_endings(Reading("Well, I no longer go to the gym."))
    assert found.stems == note_end_detection.stems_of("gym")


def test_whether_a_pastime_in_the_profile_is_over_is_asked(alice: User) -> None:
    tell(alice, "My hobby is climbing.")
    tell(alice, "I no longer go climbing.")
    with acting_as(alice):
        (asked,) = Memory.objects.waiting()
    assert asked.content == "No longer: Enjoys climbing"
    assert asked.ends_id is not None
