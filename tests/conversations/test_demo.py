"""The demo: two months of talk by one person, made by what was said, once."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils.timezone import now
from pytest_django import DjangoDbBlocker, Settings

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations import llm
from conversations.demo import setup
from conversations.models import Conversation, Message, Topic
from ledger.models import Contradiction
from memory.models import Memory, ProfileFact
from tests.once import made_once, rolled_back

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[int]:
    with made_once(django_db_blocker):
        made = setup.seed()
        assert setup.write_notebooks() == 3
        yield made


@pytest.fixture
def db(made: int, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with rolled_back(django_db_blocker):
        yield


@pytest.fixture
def nick(db: None) -> Iterator[User]:
    user = User.objects.get(email="nick@example.org")
    with acting_as(user):
        yield user


def test_it_is_made_once(db: None, made: int) -> None:
    assert made == 5
    assert setup.seed() == 0
    assert setup.write_notebooks() == 0


def test_everything_stands_on_the_day_on_which_it_was_said(nick: User) -> None:
    asked = Message.objects.filter(user=nick, role=Message.Role.USER)
    assert now() - asked.earliest("said_at").said_at > timedelta(days=60)
    assert now() - asked.latest("said_at").said_at < timedelta(minutes=5)
    assert Conversation.objects.filter(user=nick, started_at__lt=now() - timedelta(days=1)).exists()
    for rows in (ProfileFact.objects.for_user(nick.pk), Memory.objects.for_user(nick.pk)):
        made_on = {row.created_at.date() for row in rows}
        assert len(made_on) > 3
    changed = {event.at.date() for event in AuditEvent.objects.for_user(nick.pk)}
    assert len(changed) > 3


def test_there_is_something_to_see_on_each_page(nick: User) -> None:
    entries = Contradiction.objects.for_user(nick.pk)
    assert {(one.slot, one.is_open) for one in entries} == {("location", False), ("employer", True)}
    assert Memory.objects.for_user(nick.pk).active().filter(happened_on__gt=now()).exists()
    assert Topic.objects.filter(user=nick).count() >= 4
    answers = Message.objects.filter(user=nick, role=Message.Role.ASSISTANT)
    assert not answers.exclude(state=Message.State.DONE).exists()
    assert sum(bool(answer.recalled) for answer in answers) >= 6
    assert not any("I don't know that yet" in answer.content for answer in answers)


def test_it_needs_no_model_and_leaves_the_time_as_it_was(db: None, settings: Settings) -> None:
    settings.OPENAI_API_KEY = "a key"
    before = now()
    with setup.without_a_model():
        assert not llm.configured()
    assert llm.configured()
    assert timedelta() <= now() - before < timedelta(minutes=1)
