"""A cast of people: Alice owns what is visited, Bob is a stranger to it, Mira is staff."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from knox.models import AuthToken

from accounts.isolation import acting_as
from accounts.models import User
from conversations import turn
from conversations.models import Conversation, Message

PASSWORD = "a long enough phrase 42"


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice@example.org", PASSWORD, name="Alice")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob@example.org", PASSWORD, name="Bob")


@pytest.fixture
def mira(db: None) -> User:
    return User.objects.create_user(
        "mira@example.org", PASSWORD, name="Mira", is_staff=True, is_superuser=True
    )


@pytest.fixture
def as_alice(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def as_bob(bob: User) -> Client:
    client = Client()
    client.force_login(bob)
    return client


@dataclass
class Talk:
    """One conversation of one person, driven through the real turn."""

    user: User
    conversation: Conversation | None = None

    def say(self, text: str) -> Message:
        """Say something and wait for the whole answer."""
        exchange = turn.begin(self.user, self.conversation, text)
        self.conversation = exchange.question.conversation
        *_, last = turn.fill(self.user.pk, exchange.answer.pk)
        assert isinstance(last, turn.Finished)
        return last.answer


@pytest.fixture
def talk(alice: User) -> Callable[..., Talk]:
    """Open a new conversation: `talk()` for Alice, `talk(bob)` for Bob."""

    def open_one(user: User = alice) -> Talk:
        return Talk(user)

    return open_one


class Api:
    """The REST API as a token holder uses it."""

    def __init__(self, user: User) -> None:
        self.client = Client()
        _, self.token = AuthToken.objects.create(user=user)

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers={"Authorization": f"Token {self.token}"})

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.post(
            f"/api/v1/{path}",
            data=body if isinstance(body, str) else body or {},
            content_type="application/json",
            headers={"Authorization": f"Token {self.token}", **headers},
        )


@pytest.fixture
def alice_api(alice: User) -> Api:
    return Api(alice)


@pytest.fixture
def bob_api(bob: User) -> Api:
    return Api(bob)


@pytest.fixture
def behind_alices_wall(alice: User) -> Iterator[None]:
    with acting_as(alice):
        yield
