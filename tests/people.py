"""A cast of people: Alice owns what is visited, Bob is a stranger to it, Mira is staff."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import ApiToken, User, Work
from conversations.learning import message_learning
from conversations.messages import NewMessage
from conversations.models import Conversation, Message
from conversations.turns import answer_writer, turn
from ledger.models import Contradiction
from memory.core.scope import Scope
from memory.language.reader.facts import FactCandidate
from memory.models import ProfileFact

# Slow hashes are for the site; here every test makes people.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
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


def number_changes() -> None:
    """Number the changes so far, as a commit would: a test's own transaction never commits."""
    with connection.cursor() as cursor:
        cursor.execute("set constraints number_change immediate")
        cursor.execute("set constraints number_change deferred")


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
        assert isinstance(last, answer_writer.FinishedAnswer)
        return last.answer


@pytest.fixture
def talk(alice: User) -> Callable[..., Talk]:
    """Open a new conversation: `talk()` for Alice, `talk(bob)` for Bob."""

    def open_one(user: User = alice) -> Talk:
        return Talk(user)

    return open_one


class Api:
    """The REST API as a token holder uses it: in their own name, or for one of their people."""

    def __init__(self, user: User, *scopes: str, act_as: str = "") -> None:
        self.client = Client()
        _, self.token = ApiToken.objects.create(user=user, scopes=list(scopes))
        self.act_as = {"X-Act-As": act_as} if act_as else {}

    def get(self, path: str) -> Any:
        return self.send("get", path)

    def listed(self, path: str) -> list[dict[str, Any]]:
        """The items of a list."""
        results: list[dict[str, Any]] = self.get(path).json()["results"]
        return results

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("post", path, body, **headers)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Below /api/v1/, or at a whole path."""
        sent = {} if method == "get" else {"content_type": "application/json", "data": body or {}}
        return getattr(self.client, method)(
            path if path.startswith("/") else f"/api/v1/{path}",
            headers={"Authorization": f"Token {self.token}", **self.act_as, **headers},
            **sent,
        )


@pytest.fixture
def alice_api(alice: User) -> Api:
    return Api(alice)


@pytest.fixture
def bob_api(bob: User) -> Api:
    return Api(bob)


def client_for(user: User | None = None) -> Client:
    """A browser in which this person is signed in; nobody is without one."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def candidate(slot: str = "employer", value: str = "Google", **changes: Any) -> FactCandidate:
    """A value as the extraction hands it over."""
    made = FactCandidate(
        slot=slot,
        value=value,
        confidence=0.95,
        trust=0.9,
        start=0,
        end=len(value),
        scope="profile",
        kind="statement",
        cue="test",
    )
    return replace(made, **changes)


def said(
    user: User, text: str, conversation: Conversation | None = None, **changes: Any
) -> Message:
    """A message that is kept and waits to be learned from, in a new conversation by default."""
    if conversation is None:
        with acting_as(user):
            conversation = Conversation.objects.create(user=user)
    return turn.record(user, conversation, NewMessage(Message.Role.USER, text, **changes))


def tell(
    user: User, text: str, conversation: Conversation | None = None, **changes: Any
) -> Message:
    """A message that is kept and learned from."""
    message = said(user, text, conversation, **changes)
    message_learning.learn_now(message)
    return message


def scope_of(message: Message) -> Scope:
    return Scope(message.user_id, message.conversation_id, message.pk, message.said_at)


def the_fact(user: User, slot: str, **conditions: Any) -> ProfileFact:
    """The current value of a slot, or the one fact that meets the conditions."""
    conditions = conditions or {"status": ProfileFact.Status.CURRENT}
    with acting_as(user):
        return ProfileFact.objects.for_user(user.pk).get(slot=slot, **conditions)


def values(user: User, slot: str, status: str = "current") -> set[str]:
    with acting_as(user):
        rows = ProfileFact.objects.for_user(user.pk).filter(slot=slot, status=status)
        return set(rows.values_list("value", flat=True))


def dispute(user: User, old: str = "Google", new: str = "Microsoft") -> Contradiction:
    """Two employers told in two conversations, and the open entry about them."""
    tell(user, f"I work at {old}")
    tell(user, f"I work at {new}")
    with acting_as(user):
        return Contradiction.objects.for_user(user.pk).open().get(new_fact__value=new)


def let_time_pass(user: User, **conditions: Any) -> None:
    """Make what waits long due, and take it from whoever had claimed it.

    The database's `now()` is the moment at which a transaction began, and a test may be a single
    one: what is due only since then is not due in it.
    """
    long_ago = now() - timedelta(hours=1)
    with acting_as(user):
        Work.objects.filter(user=user, **conditions).update(run_after=long_ago, lease_until=None)


def together(*deeds: Callable[[], Any]) -> list[Any]:
    """Do things at the same moment, a thread each; an exception is a result like any other."""
    start = threading.Barrier(len(deeds))

    def run(deed: Callable[[], Any]) -> Any:
        try:
            start.wait(10)
            return deed()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(run, deeds))


def tables_with(user: User, *words: str) -> set[str]:
    """Every table of the schema with a row of this person that has one of the words anywhere."""
    with acting_as(user), connection.cursor() as cursor:
        cursor.execute("select tablename from pg_tables where schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        assert len(tables) > 25
        # One statement: it is asked hundreds of times.
        cursor.execute(
            " union all ".join(
                f"""select '{table}' where exists
                (select from "{table}" t where t::text ilike any (%(words)s))"""
                for table in tables
            ),
            {"words": [f"%{word}%" for word in words]},
        )
        return {table for (table,) in cursor.fetchall()}
