"""What somebody told of themselves is told back, facts and notes alike."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import localdate

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.models import Memory
from tests.people import Talk, tell, values

pytestmark = pytest.mark.django_db
Talks = Callable[..., Talk]


def _notes(person: User) -> set[str]:
    with acting_as(person):
        return {one.original or one.content for one in Memory.objects.for_user(person.pk).active()}


def test_all_that_is_known_holds_the_notes_too(talk: Talks) -> None:
    here = talk()
    here.say("I'm Lena and I live in Graz.")
    here.say("My sister Kathrin lives in Linz with her husband Paul.")
    answer = here.say("What do you know about me?").content
    assert "Your name is Lena." in answer
    assert "My sister Kathrin lives in Linz" in answer


def test_what_a_message_tells_beside_a_fact_is_noted(alice: User, talk: Talks) -> None:
    talk().say("Our cat Minka has to go to the vet tomorrow at 9.")
    assert any("vet tomorrow at 9" in one for one in _notes(alice))


@pytest.mark.parametrize(
    "wish",
    [
        "Remind me to call the dentist {day}",
        "Please remember: the boiler man comes {day}",
        "Set a reminder: buy milk {day}",
    ],
)
def test_a_wish_to_be_reminded_is_told_the_day_it_stands_under(
    alice: User, talk: Talks, as_alice: Client, wish: str
) -> None:
    day = localdate() + timedelta(3)
    answer = talk().say(wish.format(day=f"on {day.day} {day:%B}")).content
    assert f"[Coming up](/notebook/coming-up/): {day:%A} {day.day} {day:%B %Y}" in answer
    assert "I don’t send notifications" in answer
    page = as_alice.get("/notebook/coming-up/").content.decode()
    assert f"{day:%A} {day.day} {day:%B}" in page


@pytest.mark.parametrize(
    "said",
    [
        "My sister's name is Katherine",
        "My boss is called Tom",
        "my gf's name is zoe",
    ],
)
def test_a_name_of_somebody_else_is_not_that_of_who_arrives(
    alice: User, talk: Talks, said: str
) -> None:
    User.objects.filter(pk=alice.pk).update(name="")
    assert "Good to meet you" not in talk().say(said).content
    assert values(alice, "name") | values(alice, "preferred_name") == set()


@pytest.mark.parametrize(
    ("told", "called"),
    [
        ("The rain goes on.", "alice"),
        ("My name is Alicia.", "Alicia"),
        ("My name is Alicia. Please call me Ali.", "Ali"),
    ],
)
def test_a_name_that_was_told_stands_in_the_place_of_the_address(
    alice: User, as_alice: Client, talk: Callable[..., Talk], told: str, called: str
) -> None:
    User.objects.filter(pk=alice.pk).update(name="")
    talk().say(told)
    page = as_alice.get("/talk/").content.decode()
    assert f'<p class="account-name">{called}</p>' in page


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("wat do i study", "marine biology"),
        ("whos my gf", "my gf is called zoe"),
    ],
)
def test_a_hurried_question_is_answered_with_the_words_as_they_were_typed(
    question: str, answer: str, alice: User, talk: Talks
) -> None:
    for said in (
        "i study marine biology at plymouth",
        "my gf is called zoe and shes from bristol",
        "my landlords name is mr patel",
        "my mother lives in Truro",
    ):
        tell(alice, said)
    told = talk().say(question).content
    assert answer in told
    assert told.count("“") <= 1
