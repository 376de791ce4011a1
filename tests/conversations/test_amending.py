"""What is put right just after it was said is followed, and changes nothing by itself."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction
from ledger.web import present
from memory.models import Memory
from tests.people import Talk, values

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "put_right", "slot", "asked"),
    [
        ("My birthday is 4 May.", "I meant 5 May.", "birthday", "5 May"),
        ("I live in Rome.", "Sorry, I meant Milan.", "location", "Milan"),
    ],
)
def test_what_puts_a_fact_right_is_asked_about(
    alice: User, talk: Talks, said: str, put_right: str, slot: str, asked: str
) -> None:
    here = talk()
    here.say(said)
    held = values(alice, slot)
    assert asked in here.say(put_right).content
    assert values(alice, slot) == held
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get(slot=slot)
    assert entry.said_as == "correction"


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("I live in Rome", "no thanks"),
        ("I live in Rome", "No, I am fine."),
        ("I live in Rome", "sorry, Monday was busy"),
        ("I live in Rome", "sorry, Monday"),
        ("My sister lives in Rome", "no, sorry, Milan"),
        ("I live in Rome", "It is the 16th of June 1955."),
        ("I work as a nurse", "no, wait, later"),
    ],
)
def test_what_puts_nothing_right_asks_nothing(
    alice: User, talk: Talks, said: str, then: str
) -> None:
    here = talk()
    here.say(said)
    here.say(then)
    with acting_as(alice):
        assert not Contradiction.objects.for_user(alice.pk).exists()


@pytest.mark.parametrize(
    ("said", "then", "question", "right"),
    [
        (
            "Twenty-six people are coming to the party.",
            "Correction: twenty-four people.",
            "How many people are coming to the party?",
            "twenty-four",
        ),
        (
            "My piano teacher was called Beatrix Moll.",
            "No, sorry, Beatrice Moll.",
            "What was my piano teacher called?",
            "Beatrice",
        ),
        ("The exam starts at 9:30.", "I meant 9:45", "When does the exam start?", "9:45"),
    ],
)
def test_what_was_only_said_is_told_with_what_put_it_right(
    talk: Talks, said: str, then: str, question: str, right: str
) -> None:
    here = talk()
    here.say(said)
    here.say(then)
    assert right in talk().say(question).content


@pytest.mark.parametrize("then", ["9:30", "*10", "make that ten", "can you move the dentist to 10"])
def test_what_followed_and_states_nothing_by_itself_costs_no_answer(talk: Talks, then: str) -> None:
    here = talk()
    here.say("The dentist is on Thursday at 9.")
    here.say(then)
    assert "dentist" in talk().say("When is the dentist?").content


def test_a_name_put_right_in_the_same_breath_is_quoted_with_it(talk: Talks) -> None:
    here = talk()
    here.say("My piano teacher was called Beatrix Moll. No, sorry, Beatrice Moll.")
    assert "Beatrice" in talk().say("What was my piano teacher called?").content


def test_what_followed_and_corrects_nothing_hides_nothing(talk: Talks) -> None:
    here = talk()
    here.say("My piano teacher was called Beatrix Moll.")
    here.say("No, sorry, too busy.")
    assert "Beatrix Moll" in talk().say("What was my piano teacher called?").content


def test_what_was_put_right_in_private_is_told_in_no_other_conversation(talk: Talks) -> None:
    here = talk()
    here.say("My doctor is called Anna Moll.")
    here.say("No, sorry, Anna Mohl, keep this between us")
    assert "Mohl" not in talk().say("What is my doctor called?").content


def test_a_correction_that_changes_nothing_names_the_note_and_keeps_it(
    alice: User, talk: Talks
) -> None:
    here = talk()
    here.say("I drive a red van.")
    held = values(alice, "vehicle")
    answer = here.say("blue*").content
    assert "red van" in answer
    assert "/edit/" in answer
    assert values(alice, "vehicle") == held


def test_both_are_told_when_it_is_asked_for(talk: Talks) -> None:
    here = talk()
    here.say("Our gardener Fenella moved to Perth.")
    answer = here.say("Perth in Scotland, before you get excited").content
    assert "“Our gardener Fenella moved to Perth” · [edit or remove]" in answer
    told = talk().say("Where did Fenella move?").content
    assert "in Scotland" in told
    assert "moved to Perth" in told


@pytest.mark.parametrize(
    ("said", "then", "slot"),
    [
        ("I work at Globex", "I start at Acme on 1 March", "employer"),
        ("I work at Globex", "Actually I start at Acme on 1 March", "employer"),
        ("I work at Globex", "In January I'll be working for Initech", "employer"),
        ("I live in Leeds", "We are moving to York in May", "location"),
        ("I'm a nurse", "I'm going to be a teacher from September", "job_title"),
        ("I'm 33", "Turning 34 on Friday", "age"),
        ("I'm 33", "I'll be 34 next month", "age"),
        ("I'm 33", "I'm 33, turning 34 on Friday", "age"),
    ],
)
def test_what_is_to_come_corrects_nothing_that_holds_until_then(
    alice: User, talk: Talks, said: str, then: str, slot: str
) -> None:
    here = talk()
    here.say(said)
    held = values(alice, slot)
    answer = here.say(then).content
    assert "correction" not in answer
    assert "haven’t changed" not in answer
    assert values(alice, slot) == held
    with acting_as(alice):
        assert not Contradiction.objects.for_user(alice.pk).exists()
        assert Memory.objects.for_user(alice.pk).active().filter(content=then).exists()


@pytest.mark.parametrize(
    ("said", "then", "question", "planned"),
    [
        ("I work at Globex", "I start at Acme on 1 March", "Where will I work?", "Acme"),
        ("I live in Leeds", "We are moving to York in May", "Where will I live?", "York"),
    ],
)
def test_who_asks_for_what_is_to_come_is_told_what_is_planned(
    talk: Talks, said: str, then: str, question: str, planned: str
) -> None:
    talk().say(said)
    talk().say(then)
    assert planned in talk().say(question).content


@pytest.mark.parametrize(
    ("answered", "held"),
    [
        ("Pixel", {"cat Pixel"}),
        ("Pixl is right", {"cat Pixl"}),
        ("both", {"cat Pixl", "cat Pixel"}),
    ],
)
def test_a_name_that_is_spelled_otherwise_is_asked_about(
    alice: User, talk: Talks, answered: str, held: set[str]
) -> None:
    here = talk()
    here.say("My cat is called Pixl")
    assert "until you choose" in here.say("The cat is Pixel, with an e").content
    assert values(alice, "pets") == {"cat Pixl"}
    told = talk().say("What is my cat called?").content
    assert "Pixl" in told
    assert "Pixel" in told
    here.say(answered)
    assert values(alice, "pets") == held


def test_both_spellings_may_be_right_by_a_button_of_the_card(
    alice: User, talk: Talks, as_alice: Client
) -> None:
    here = talk()
    here.say("My cat is called Pixl")
    here.say("My cat is called Pixel")
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).get()
        both = present.view(entry).answers[-1]
    assert both.words == "Both are right"
    as_alice.post(reverse("ledger:resolve", args=[entry.pk]), {"resolution": both.method})
    assert values(alice, "pets") == {"cat Pixl", "cat Pixel"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My dog is called Rex", "I have a cat called Rexy"),
        ("My cat is called Soot", "My other cat is called Minka"),
        ("Tom is my brother", "Tim is my brother"),
    ],
)
def test_names_of_several_stand_beside_each_other(
    alice: User, talk: Talks, first: str, second: str
) -> None:
    here = talk()
    here.say(first)
    here.say(second)
    assert len(values(alice, "pets") | values(alice, "family")) == 2
