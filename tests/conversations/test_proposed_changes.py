"""A correction that gives the right value is proposed for what was noted; a yes changes it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.language.substitution import put_right
from memory.models import Memory
from tests.people import Talk

Talks = Callable[..., Talk]
pytestmark = pytest.mark.django_db
ROWS = Path(__file__).parents[1] / "memory" / "scored" / "proposed.tsv"
DENTIST = "Jonas has a dentist appointment on Tuesday at 3pm."


def test_most_values_that_a_correction_gives_take_the_place_of_the_one_of_their_kind() -> None:
    lines = ROWS.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    wrong = [row for row in rows if put_right(row[0], row[1]) != row[2]]
    assert len(wrong) <= 0.36 * len(rows), wrong


def _notes(person: User) -> set[str]:
    with acting_as(person):
        return {one.original or one.content for one in Memory.objects.for_user(person.pk).active()}


@pytest.fixture
def corrected(alice: User, talk: Talks) -> Talk:
    del alice
    here = talk()
    here.say(DENTIST)
    answer = here.say("no wait, that was wrong, it's Thursday")
    assert "Should I change it to “Jonas has a dentist appointment on Thursday" in answer.content
    return here


def test_after_a_yes_it_is_told_once_and_listed_on_its_new_day(
    alice: User, corrected: Talk, as_alice: Client
) -> None:
    assert corrected.say("yes").content.startswith("I changed it to “Jonas has a dentist")
    (note,) = _notes(alice)
    assert "Thursday at 3pm" in note
    answer = corrected.say("What's coming up?").content
    assert "“Jonas has a dentist appointment on Thursday at 3pm”" in answer
    assert "wrong" not in answer
    assert "Thursday at 3pm" in as_alice.get("/talk/").content.decode()


def test_a_no_leaves_it(alice: User, corrected: Talk) -> None:
    assert corrected.say("no").content == "OK, I haven’t changed anything."
    assert any("Tuesday at 3pm" in one for one in _notes(alice))


def test_nobody_elses_yes_changes_it(alice: User, bob: User, corrected: Talk, talk: Talks) -> None:
    talk(bob).say("yes")
    assert any("Tuesday at 3pm" in one for one in _notes(alice))


def test_what_is_told_in_a_private_conversation_is_proposed_for_no_note(
    alice: User, talk: Talks
) -> None:
    talk().say(DENTIST)
    here = talk()
    here.say("Hello")
    with acting_as(alice):
        here.conversation.privacy = here.conversation.Privacy.PRIVATE
        here.conversation.save(update_fields=["privacy"])
    answer = here.say("no wait, the dentist appointment of Jonas is on Thursday, that was wrong")
    assert "Should I change it" not in answer.content
