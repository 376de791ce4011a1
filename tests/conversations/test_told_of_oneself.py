"""What somebody told of themselves is told back, facts and notes alike."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import localdate, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from conversations.tools.plans import plans_between
from conversations.tools.tool import ToolContext
from memory.models import Memory
from tests.people import Talk, values

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


@pytest.mark.parametrize("question", ["What's my cat called?", "whats my cats name"])
def test_an_animal_has_its_name(talk: Talks, question: str) -> None:
    talk().say("We have a cat called Minka.")
    assert "Minka" in talk().say(question).content


@pytest.mark.parametrize(
    ("told", "note"),
    [
        ("Our cat Minka has to go to the vet tomorrow at 9.", "vet tomorrow at 9"),
    ],
)
def test_what_a_message_tells_beside_a_fact_is_noted(
    alice: User, talk: Talks, told: str, note: str
) -> None:
    talk().say(told)
    assert any(note in one for one in _notes(alice))


def test_a_birthday_is_told_by_its_fact_alone(alice: User, talk: Talks) -> None:
    talk().say("My birthday is 3 May.")
    assert _notes(alice) == set()


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
    "wish", ["Remind me to call the dentist", "Can you remind me to pay the rent?"]
)
def test_a_wish_that_is_not_listed_is_told_how_to_say_it(talk: Talks, wish: str) -> None:
    answer = talk().say(wish).content
    assert "It’s under" not in answer
    assert "I don’t send notifications. Tell me what’s planned and for which day" in answer


def test_nothing_of_a_private_conversation_is_said_to_be_listed(alice: User, talk: Talks) -> None:
    with acting_as(alice):
        private = Conversation.objects.create(user=alice, privacy="private")
    answer = Talk(alice, private).say("Remind me to call the dentist tomorrow").content
    assert "It’s under" not in answer
    assert "private conversation" in answer


def test_what_is_to_come_is_not_planned_by_asking_for_it(alice: User, talk: Talks) -> None:
    talk().say("Remind me what is on this weekend")
    with acting_as(alice):
        today = localdate()
        assert plans_between(ToolContext(alice.pk, now()), today, today + timedelta(30)) == []


@pytest.mark.parametrize(
    "said",
    [
        "My sister's name is Katherine",
        "My boss is called Tom",
        "I have a friend called Petra",
        "My dog is called Gravy",
        "my gf's name is zoe",
    ],
)
def test_a_name_of_somebody_else_is_not_that_of_who_arrives(
    alice: User, talk: Talks, said: str
) -> None:
    User.objects.filter(pk=alice.pk).update(name="")
    assert "Good to meet you" not in talk().say(said).content
    assert values(alice, "name") | values(alice, "preferred_name") == set()


@pytest.mark.parametrize("question", ["What do I like?", "What do I love?", "What do I enjoy?"])
def test_who_asks_what_they_like_is_told_what_they_do_too(talk: Talks, question: str) -> None:
    talk().say("I love hiking.")
    talk().say("I like Thai food and jazz music.")
    answer = talk().say(question).content
    assert all(value in answer for value in ("hiking", "Thai food", "jazz music"))
