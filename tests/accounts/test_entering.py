"""Coming in: every door tries a password through one limit and one log."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings
from structlog.testing import capture_logs
from structlog.typing import EventDict

from accounts.models import User
from tests.people import PASSWORD, client_for

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"
ADMIN = "/admin/login/"
TRIES = 5


@pytest.fixture(autouse=True)
def no_tries_so_far(db: None) -> None:
    cache.clear()


@pytest.fixture
def lines() -> Iterator[list[EventDict]]:
    with capture_logs() as kept:
        yield kept


def sign_in(client: Client, email: str, password: str = PASSWORD, **headers: str) -> bool:
    client.post(LOGIN, {"login": email, "password": password}, headers=headers)
    return "_auth_user_id" in client.session


def events(lines: list[EventDict]) -> list[tuple[str, str]]:
    return [(line["event"], line["account"]) for line in lines if "account" in line]


def test_the_admin_has_no_log_in_of_its_own(mira: User) -> None:
    visitor = Client()
    for wrong in range(3):
        answer = visitor.post(ADMIN, {"username": mira.email, "password": f"wrong {wrong}"})
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith(LOGIN)
    visitor.post(ADMIN, {"username": mira.email, "password": PASSWORD})
    assert "_auth_user_id" not in visitor.session


@pytest.mark.parametrize(
    "spelled",
    [
        ["alice@example.org"] * TRIES,
        ["ALICE@example.org", "Alice@Example.org", "aLICE@example.org"] * 2,
        # In capitals a dotless i is an I, and the database looks for capitals.
        ["alıce@example.org", "alice@example.org"] * 3,
    ],
    ids=["as it is", "in other cases", "with look-alikes"],
)
def test_an_account_is_locked_after_a_few_wrong_passwords_and_no_other(
    alice: User, bob: User, spelled: list[str]
) -> None:
    for email in spelled[:TRIES]:
        assert not sign_in(Client(), email, "wrong")
    assert not sign_in(Client(), alice.email)
    assert sign_in(Client(), bob.email)


def test_another_port_or_another_name_of_the_site_is_no_other_count(alice: User) -> None:
    for port in range(TRIES):
        sign_in(Client(), alice.email, "wrong", host=f"localhost:{port + 1}")
    assert not sign_in(Client(), alice.email, host="127.0.0.1:99")


def test_one_visitor_cannot_try_many_accounts(alice: User) -> None:
    for number in range(10):
        sign_in(Client(), f"nobody{number}@example.org", "wrong")
    assert not sign_in(Client(), alice.email)


def test_a_stolen_session_cannot_guess_the_password_either(alice: User) -> None:
    thief = client_for(alice)
    for _ in range(TRIES):
        thief.post(
            "/accounts/password/change/",
            {"oldpassword": "wrong", "password1": "stolen for good 1", "password2": "x"},
        )
    answer = thief.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert answer.status_code == 200
    assert "Too many wrong passwords. Wait 5 minutes" in answer.content.decode()


def test_each_try_is_logged_by_id_and_without_the_address(
    alice: User, lines: list[EventDict]
) -> None:
    for _ in range(TRIES):
        sign_in(Client(), alice.email, "wrong")
    sign_in(Client(), alice.email)
    assert events(lines) == [("sign_in_failed", str(alice.pk))] * TRIES + [
        ("sign_in_locked", str(alice.pk))
    ]
    sign_in(Client(), "nobody@example.org", "wrong")
    assert ("sign_in_failed", "") in events(lines)
    assert alice.email not in repr(lines)
    assert "nobody" not in repr(lines)


@pytest.fixture
def nick(db: None) -> User:
    return User.objects.create_user("nick@example.org", PASSWORD, is_staff=True, is_demo=True)


def test_demo_people_come_in_where_the_copy_runs_with_them(nick: User, settings: Settings) -> None:
    settings.DEMO = True
    assert sign_in(Client(), nick.email)


def test_without_demo_neither_password_nor_session_nor_token_lets_them_in(
    nick: User, settings: Settings
) -> None:
    from accounts.access import tokens

    settings.DEMO = True
    inside = Client()
    sign_in(inside, nick.email)
    _, secret = tokens.make(nick, "a script")
    settings.DEMO = False
    assert inside.get("/talk/").status_code == 302
    assert inside.get("/admin/").status_code == 302
    asked = Client().get("/api/v1/topics", headers={"Authorization": f"Token {secret}"})
    assert asked.status_code == 401
    answer = Client().post(LOGIN, {"login": nick.email, "password": PASSWORD})
    assert "demo accounts are turned off here" in answer.content.decode()
    settings.DEMO = True
    assert inside.get("/talk/").status_code == 200
