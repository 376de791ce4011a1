"""The demo: two months of talk by one person, made by what was said, once."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.utils.timezone import localdate, now
from pytest_django import DjangoDbBlocker

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.demo import setup
from conversations.demo.logins import LOGINS
from conversations.demo.talks import read_people
from conversations.models import Conversation, Message
from memory.models import Lesson, Memory, ProfileFact
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


@pytest.mark.parametrize("day", [date(2026, 11, 30), date(2028, 2, 26)])
def test_each_recorded_operation_quotes_what_is_said(day: date) -> None:
    people = read_people(day)
    assert set(people) <= {email for email, *_ in LOGINS}
    for person in people.values():
        for talk in person.conversations:
            for message in talk.messages:
                assert all(note.words in message.said for note in message.notes), message.said
                assert "{" not in message.said + message.answer


@pytest.mark.parametrize("email", ["sarah@chickfilb.com", "daniel.insights@goldtobacco.com"])
def test_a_role_has_lessons_that_people_of_several_firms_support(db: None, email: str) -> None:
    user = User.objects.get(email=email)
    with acting_as(user):
        lessons = Lesson.objects.filter(key=read_people(localdate())[email].role)
        visible = [lesson for lesson in lessons if lesson.visible]
        assert len(visible) >= 2
        assert all(lesson.supporters >= 3 and lesson.organisations >= 2 for lesson in visible)
        assert Message.objects.filter(user=user).exists()
