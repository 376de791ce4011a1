"""What somebody told of themselves is told back, facts and notes alike."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import localdate

from accounts.models import User
from tests.people import Talk, values

pytestmark = pytest.mark.django_db
Talks = Callable[..., Talk]


def test_all_that_is_known_holds_the_notes_too(talk: Talks) -> None:
    here = talk()
    here.say("I'm Lena and I live in Graz.")
    here.say("My sister Kathrin lives in Linz with her husband Paul.")
    answer = here.say("What do you know about me?").content
    assert "Your name is Lena." in answer
    assert "My sister Kathrin lives in Linz" in answer


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
