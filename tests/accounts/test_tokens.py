"""A token's life: made after the password, shown once, used, ended; and what ends all of them."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts.access import tokens
from accounts.models import ApiToken, User
from tests.people import PASSWORD, Api, client_for

pytestmark = pytest.mark.django_db
PAGE = "/account/tokens/"
NEW = {"name": "Laptop script", "days": "30"}


@pytest.fixture(autouse=True)
def no_tries_so_far(db: None) -> None:
    cache.clear()


def opens(secret: str) -> bool:
    answer = Client().get("/api/v1/topics", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code in {200, 401}
    return bool(answer.status_code == 200)


def entered(user: User) -> Client:
    """A browser in which this person has just given their password."""
    client = Client()
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    return client


def secret_on(page: str) -> str:
    found = re.search(r'id="secret"[^>]* value="(\w+)"', page)
    assert found
    return found[1]


def test_a_token_is_made_after_the_password_and_shown_once(alice: User) -> None:
    client = client_for(alice)
    asked = client.post(PAGE, NEW)
    assert asked.status_code == 302
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not tokens.of(alice).exists()
    wrong = client.post(asked.headers["Location"], {"password": "wrong", "next": PAGE})
    assert "Confirm it’s you" in wrong.content.decode()
    answer = client.post(asked.headers["Location"], {"password": PASSWORD, "next": PAGE})
    page = answer.content.decode()
    secret = secret_on(page)
    assert "Laptop script" in page
    assert f"Authorization: Token {secret}" in page
    assert opens(secret)
    assert secret not in client.get(PAGE).content.decode()


def test_a_log_in_of_some_minutes_ago_is_asked_again(alice: User, settings: Settings) -> None:
    client = entered(alice)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = -1
    assert client.post(PAGE, NEW).status_code == 302


def test_a_revoked_token_opens_nothing_and_others_stay(alice: User) -> None:
    gone, secret = tokens.make(alice, "Lost laptop")
    _, other = tokens.make(alice, "The other one")
    client_for(alice).post(f"{PAGE}{gone.pk}/revoke/")
    assert not opens(secret)
    assert opens(other)


def test_a_stranger_revokes_nothing(alice: User, bob: User) -> None:
    token, secret = tokens.make(alice, "Laptop")
    assert client_for(bob).post(f"{PAGE}{token.pk}/revoke/").status_code == 404
    assert Api(bob).client.delete(f"/api/v1/tokens/{token.pk}").status_code == 401
    assert opens(secret)


def test_a_token_ends_by_itself(alice: User) -> None:
    token, secret = tokens.make(alice, "Laptop", days=1)
    assert opens(secret)
    ApiToken.objects.filter(pk=token.pk).update(expiry=now() - timedelta(seconds=1))
    assert not opens(secret)
    assert not tokens.of(alice).exists()


def test_a_password_that_is_reset_by_mail_takes_all_tokens_with_it(alice: User) -> None:
    _, secret = tokens.make(alice, "Laptop")
    client = Client()
    client.post("/accounts/password/reset/", {"email": alice.email})
    link = re.search(r"http\S+/reset/key/\S+", str(mail.outbox[0].body))
    assert link
    there = client.get(link[0], follow=True)
    new = {"password1": "another long phrase 77", "password2": "another long phrase 77"}
    client.post(there.redirect_chain[-1][0], new)
    alice.refresh_from_db()
    assert alice.check_password("another long phrase 77")
    assert not opens(secret)


@pytest.mark.parametrize("chosen", [True, False])
def test_a_changed_password_takes_them_unless_one_says_otherwise(alice: User, chosen: bool) -> None:
    _, secret = tokens.make(alice, "Laptop")
    client = client_for(alice)
    page = client.get("/accounts/password/change/").content.decode()
    assert re.search(r'name="revoke_tokens"[^>]* checked', page)
    new = {
        "oldpassword": PASSWORD,
        "password1": "another phrase 77",
        "password2": "another phrase 77",
    }
    client.post("/accounts/password/change/", new | ({"revoke_tokens": "on"} if chosen else {}))
    alice.refresh_from_db()
    assert alice.check_password("another phrase 77")
    assert opens(secret) is not chosen


def test_by_api_a_token_is_made_with_the_password_listed_and_revoked(alice_api: Api) -> None:
    made = alice_api.post("tokens", {"name": "CI", "days": 7, "password": PASSWORD})
    assert made.status_code == 201
    secret, pk = made.json()["secret"], made.json()["id"]
    assert opens(secret)
    listed = alice_api.get("tokens").json()["results"]
    assert pk in [row["id"] for row in listed]
    assert secret not in repr(listed)
    assert next(row for row in listed if row["id"] == pk)["last_used_at"]
    header = {"Authorization": f"Token {alice_api.token}"}
    assert Client().delete(f"/api/v1/tokens/{pk}", headers=header).status_code == 204
    assert not opens(secret)


def test_a_stolen_token_makes_no_other_and_guesses_no_password(alice: User, alice_api: Api) -> None:
    assert alice_api.post("tokens", {"name": "CI"}).status_code == 400
    for _ in range(5):
        refused = alice_api.post("tokens", {"name": "CI", "password": "wrong"})
        assert refused.json()["errors"] == {"password": ["That’s not your password."]}
    locked = alice_api.post("tokens", {"name": "CI", "password": PASSWORD})
    assert locked.status_code == 400
    assert "Too many wrong passwords" in locked.json()["errors"]["password"][0]
    assert tokens.of(alice).count() == 1
