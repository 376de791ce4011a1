"""What is put right just after it was said is followed, and changes nothing by itself."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction
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
        ("I live in Rome", "sorry, Monday was busy"),
        ("My sister lives in Rome", "no, sorry, Milan"),
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


def test_what_was_only_said_is_told_with_what_put_it_right(talk: Talks) -> None:
    here = talk()
    here.say("My piano teacher was called Beatrix Moll.")
    here.say("No, sorry, Beatrice Moll.")
    assert "Beatrice" in talk().say("What was my piano teacher called?").content


def test_what_was_put_right_in_private_is_told_in_no_other_conversation(talk: Talks) -> None:
    here = talk()
    here.say("My doctor is called Anna Moll.")
    here.say("No, sorry, Anna Mohl, keep this between us")
    assert "Mohl" not in talk().say("What is my doctor called?").content


@pytest.mark.parametrize(
    ("said", "then", "slot"),
    [
        ("I work at Globex", "I start at Acme on 1 March", "employer"),
        ("I live in Leeds", "We are moving to York in May", "location"),
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
