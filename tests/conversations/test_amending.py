"""What is put right just after it was said is followed, and changes nothing by itself."""

from collections.abc import Callable

import pytest

from accounts.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction
from memory.language import amendments
from tests.people import Talk, values

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "put_right", "slot", "asked"),
    [
        ("my bday is 4 may", "wait no its 5 may", "birthday", "5 May"),
        ("I was born on 14 June 1955.", "It is the 16th of June 1955.", "birthday", "16th of June"),
        ("I live in Rome", "no, sorry, Milan", "location", "Milan"),
        ("My name is Beatrix", "sorry, Beatrice", "name", "Beatrice"),
        ("I work as a nurse", "Correction: midwife.", "job_title", "midwife"),
        ("I am 34 years old", "no wait 35", "age", "35"),
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


def test_a_day_put_right_after_it_was_to_be_forgotten_waits_for_a_yes(talk: Talks) -> None:
    here = talk()
    here.say("forget the birthday I told you, it was wrong")
    assert "waits for your yes" in here.say("It is the 16th of June 1955.").content


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
        ("My rent is 450 a month.", "no sorry its 480", "How much is my rent?", "480"),
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


def test_a_name_put_right_in_the_same_breath_is_quoted_with_it(talk: Talks) -> None:
    here = talk()
    here.say("My piano teacher was called Beatrix Moll. No, sorry, Beatrice Moll.")
    assert "Beatrice" in talk().say("What was my piano teacher called?").content


def test_what_followed_and_corrects_nothing_is_not_told(talk: Talks) -> None:
    here = talk()
    here.say("My piano teacher was called Beatrix Moll.")
    here.say("No, sorry, too busy.")
    assert "put that right" not in talk().say("What was my piano teacher called?").content


def test_what_was_put_right_in_private_is_told_in_no_other_conversation(talk: Talks) -> None:
    here = talk()
    here.say("My doctor is called Anna Moll.")
    here.say("No, sorry, Anna Mohl, keep this between us")
    assert "Mohl" not in talk().say("What is my doctor called?").content


@pytest.mark.parametrize("text", ["", "no", "no way", "sorry", "No. Why?", "wait what", "actually"])
def test_a_word_that_gives_no_value_corrects_nothing(text: str) -> None:
    assert amendments.value_of(text) is None
