"""The demo is written beside the running copy: its people come in before it is there."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import time

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.demo import setup, waiting
from conversations.demo.logins import LOGINS, PASSWORD
from conversations.demo.talks import DemoConversation, DemoMessage, DemoPerson
from conversations.models import Message
from conversations.turns import turn

pytestmark = pytest.mark.django_db

NOTICE = "The demo notebook is still being written."
NICK, SARAH = "nick@example.org", "sarah@chickfilb.com"
DANIEL = "daniel.insights@goldtobacco.com"
SAID = ((9, ("I live in Munich.", "I have a cat.")), (3, ("Where do I live?",)))
SHORT = tuple(
    DemoConversation(days, time(9, 0), tuple(map(DemoMessage, said))) for days, said in SAID
)


@pytest.fixture(autouse=True)
def few_words(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.DEMO = True
    people = {NICK: DemoPerson(NICK, conversations=SHORT)}
    people |= {email: DemoPerson(email) for email in (SARAH, DANIEL)}
    monkeypatch.setattr(setup, "read_people", lambda made_on: people)


def said_by(user: User) -> list[str]:
    with acting_as(user):
        rows = Message.objects.filter(user=user, role=Message.Role.USER).order_by("said_at")
        return list(rows.values_list("content", flat=True))


@pytest.mark.parametrize("email", [email for email, *_ in LOGINS])
def test_each_can_log_in_at_once_and_is_told_when_more_comes(client: Client, email: str) -> None:
    setup.seed()
    form = {"login": email, "password": PASSWORD}
    assert client.post("/accounts/login/", form).status_code == 302
    page = client.get("/talk/", follow=True).content.decode()
    assert (NOTICE in page) is (email in (NICK, SARAH, DANIEL))
    setup.write_notebooks()
    assert NOTICE not in client.get("/talk/", follow=True).content.decode()


class Interrupted(BaseException):
    """The process is told to end."""


@contextmanager
def interrupted_at(moment: int, when: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process ends before or after it writes that answer."""
    really, count = turn.write, 0

    def write(*args: object) -> None:
        nonlocal count
        count += 1
        if (count, when) == (moment, "before"):
            raise Interrupted
        really(*args)
        if (count, when) == (moment, "after"):
            raise Interrupted

    with monkeypatch.context() as patch:
        patch.setattr(setup.turn, "write", write)
        with pytest.raises(Interrupted):
            setup.write_notebooks()
        yield


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("moment", [1, 2, 3])
def test_it_goes_on_where_it_was_interrupted(
    monkeypatch: pytest.MonkeyPatch, moment: int, when: str
) -> None:
    setup.seed()
    nick = User.objects.get(email=NICK)
    with interrupted_at(moment, when, monkeypatch):
        assert nick.pk in waiting.expected()
    setup.write_notebooks()
    assert said_by(nick) == [words for _, said in SAID for words in said]
    with acting_as(nick):
        answers = Message.objects.filter(user=nick, role=Message.Role.ASSISTANT)
        assert set(answers.values_list("state", flat=True)) == {Message.State.DONE}
        assert len(set(answers.values_list("conversation", flat=True))) == len(SHORT)
        assert not Work.objects.filter(user=nick, kind=waiting.KIND).exists()
