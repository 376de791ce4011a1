"""What somebody is called on their pages."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.people import Talk


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


def test_the_account_page_says_by_which_name_the_profile_calls_somebody(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    talk().say("Please call me Ali.")
    assert (
        "In conversations, I call you Ali, the name in"
        in as_alice.get("/account/").content.decode()
    )
    User.objects.filter(pk=alice.pk).update(name="Ali")
    assert "In conversations, I call you" not in as_alice.get("/account/").content.decode()


def test_the_name_that_somebody_goes_by_answers_what_they_are_called(
    talk: Callable[..., Talk],
) -> None:
    talk().say("Please call me Bram.")
    assert "Bram" in talk().say("What's my name?").content
