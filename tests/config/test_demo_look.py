"""Looking around as the demo person changes nothing and opens nothing of anybody else."""

from collections.abc import Iterator
from datetime import time

import pytest
from allauth.account.adapter import get_adapter
from django.db import DatabaseError, transaction
from django.test import Client
from pytest_django import DjangoDbBlocker, Settings

from accounts.access import tokens
from accounts.database.isolation import acting_as, reading_only
from accounts.models import User
from config.front import demo_look
from conversations.demo import setup
from conversations.demo.logins import LOGINS, TALKER
from conversations.demo.talks import DemoConversation, DemoMessage, DemoPerson, RecordedOperation
from conversations.models import Conversation
from tests.once import made_once, rolled_back


def _recorded(words: str, slot: str, value: str, op: str = "add") -> RecordedOperation:
    empty = dict.fromkeys(("text", "reason", "day", "since", "sensitive"), "")
    stated = {"op": op, "slot": slot, "value": value, "category": "fact", "scope": "everywhere"}
    return RecordedOperation(
        words, "" if op == "add" else slot, stated | empty | {"confidence": 0.95}
    )


SAID = (
    DemoMessage(
        "I work at Google and I live in Bath.",
        notes=(
            _recorded("I work at Google", "employer", "Google"),
            _recorded("I live in Bath", "location", "Bath"),
        ),
    ),
    DemoMessage(
        "I work at Microsoft now.",
        notes=(_recorded("I work at Microsoft now", "employer", "Microsoft", "conflict"),),
    ),
    DemoMessage("Where do I work?"),
)


@pytest.fixture(scope="module")
def written(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with made_once(django_db_blocker), pytest.MonkeyPatch.context() as patch:
        nick = DemoPerson(TALKER, conversations=(DemoConversation(3, time(9), SAID),))
        others = [email for email, _, _ in LOGINS if email != TALKER]
        people = {TALKER: nick} | {email: DemoPerson(email) for email in others}
        patch.setattr(setup, "read_people", lambda made_on: people)
        setup.seed()
        setup.write_notebooks()
        yield


@pytest.fixture
def db(written: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with rolled_back(django_db_blocker):
        yield


@pytest.fixture
def nick(db: None, settings: Settings) -> User:
    settings.DEMO = True
    return User.objects.get(email=TALKER)


@pytest.fixture
def visitor(nick: User) -> Client:
    client = Client()
    client.post("/look/")
    return client


def test_one_click_opens_the_notebook_and_another_leaves_it(nick: User) -> None:
    visitor = Client()
    assert "See a demo notebook" in visitor.get("/").content.decode()
    page = visitor.post("/look/", follow=True)
    assert page.redirect_chain[-1][0] == "/notebook/profile/"
    assert "Google" in page.content.decode()
    assert visitor.post("/look/leave/").headers["Location"] == "/"
    assert visitor.get("/notebook/profile/").status_code == 302


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options", "head", "trace"])
def test_nothing_but_reading_is_done_at_a_page_that_is_shown(visitor: Client, method: str) -> None:
    answer = getattr(visitor, method)("/notebook/memories/")
    assert answer.status_code == 403
    answer = visitor.post("/notebook/memories/", headers={"X-HTTP-Method-Override": "GET"})
    assert answer.status_code == 403


def test_the_api_knows_nobody_there(visitor: Client) -> None:
    for method, path in (
        ("get", "/api/v1/profile"),
        ("post", "/api/v1/conversations"),
        ("get", "/api/v1/exports"),
        ("get", "/api/v1/events"),
        ("post", "/api/v1/tokens"),
    ):
        assert getattr(visitor, method)(path).status_code == 401


def test_the_session_is_nobodys(visitor: Client, nick: User) -> None:
    seen = nick.last_login
    visitor.get("/notebook/profile/")
    assert "_auth_user_id" not in visitor.session
    nick.refresh_from_db()
    assert nick.last_login == seen
    assert visitor.get("/admin/").status_code == 302
    assert visitor.get("/accounts/password/change/").status_code == 302
    assert visitor.get("/accounts/email/").status_code == 302
    assert visitor.get("/accounts/reauthenticate/").status_code == 302


def test_the_database_refuses_a_write_in_a_page_that_is_shown(nick: User) -> None:
    with (
        pytest.raises(DatabaseError, match="read-only"),
        transaction.atomic(),
        reading_only(),
        acting_as(nick),
    ):
        Conversation.objects.create(user=nick)
    with acting_as(nick):
        Conversation.objects.create(user=nick)


def test_staff_with_the_cookie_are_staff_and_nobody_else(visitor: Client) -> None:
    visitor.force_login(User.objects.get(email="mira@example.org"))
    assert visitor.get("/admin/").status_code == 200
    assert "Google" not in visitor.get("/notebook/profile/").content.decode()


def test_a_token_works_beside_the_cookie_and_reaches_its_owner_alone(
    visitor: Client, bob: User
) -> None:
    _, secret = tokens.make(bob)
    answer = visitor.get("/api/v1/profile", headers={"Authorization": f"Token {secret}"})
    assert answer.status_code == 200
    assert "Google" not in answer.content.decode()


def no_demo(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DEMO = False


def sign_up_closed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(get_adapter()), "is_open_for_signup", lambda self, request: False)


def nobody_installed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(email=TALKER).update(email="nick@example.com")


def an_account_of_that_name(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(email=TALKER).update(is_demo=False)


def made_staff(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(email=TALKER).update(is_staff=True)


def closed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(email=TALKER).update(is_active=False)


@pytest.mark.parametrize(
    "happens",
    [no_demo, sign_up_closed, nobody_installed, an_account_of_that_name, made_staff, closed],
)
def test_it_is_shut_at_once_where_it_must_not_be(
    visitor: Client,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    happens: object,
) -> None:
    assert visitor.get("/notebook/profile/").status_code == 200
    happens(settings, monkeypatch)  # type: ignore[operator]
    assert visitor.get("/notebook/profile/").status_code == 302
    stranger = Client()
    assert stranger.post("/look/").headers["Location"] == "/"
    assert demo_look.COOKIE not in stranger.cookies
