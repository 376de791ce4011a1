"""When what is remembered cannot be read, the talk goes on, and says so."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings
from structlog.testing import capture_logs

from accounts.models import User
from conversations import notebook, prompt
from conversations.models import Message
from conversations.search import message_recall
from memory import manager
from memory.language.text import terms
from tests.fakes.model_server import normal
from tests.people import Talk, let_time_pass, tell

RECALL = [
    (terms, "meaning_vectors"),
    (message_recall, "passages_later"),
    (prompt, "score_notes_later"),
    (manager, "recall_later"),
    (prompt, "choose_for_prompt"),
]


def break_down(*_: Any, **__: Any) -> None:
    raise RuntimeError("the words of Nick")


def fail_in_the_database(*_: Any, **__: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("select 1 / 0")


@pytest.fixture
def told(alice: User) -> User:
    """Alice, of whom something is noted."""
    tell(alice, "I'm Nick, I work at Google and I booked a flight to Lisbon for the 12th of May")
    let_time_pass(alice)
    return alice


def is_honest(answer: Message) -> bool:
    return notebook.NOTES_UNREAD in answer.content and not any(
        denied in answer.content for denied in ("Memory is off", "I have no note", "noted nothing")
    )


@pytest.mark.parametrize(("where", "what"), RECALL, ids=[what for _, what in RECALL])
def test_whatever_of_recall_fails_the_talk_is_answered_and_says_so(
    told: User, monkeypatch: pytest.MonkeyPatch, where: Any, what: str
) -> None:
    monkeypatch.setattr(where, what, break_down)
    with capture_logs() as logs:
        answer = Talk(told).say("Where do I work?")
    assert (answer.state, answer.failure) == (Message.State.DONE, "")
    assert is_honest(answer)
    assert (answer.recalled, answer.used_facts, answer.used_conversations) == ([], [], 0)
    # Twice where keeping the answer needs what fails as well: then it is made anew.
    line, *again = [one for one in logs if one["event"] == "recall_failed"]
    assert all((one["error"], one["message"]) == ("RuntimeError", line["message"]) for one in again)
    assert line["error"] == "RuntimeError"
    assert "Nick" not in json.dumps([line, *again])


def test_a_statement_that_fails_in_the_database_leaves_the_turn_standing(
    told: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manager, "recall_later", fail_in_the_database)
    answer = Talk(told).say("Where do I work?")
    assert answer.state == Message.State.DONE
    assert is_honest(answer)


def test_the_start_page_greets_without_the_name(
    told: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manager, "recall", fail_in_the_database)
    client = Client()
    client.force_login(told)
    page = client.get("/talk/")
    assert page.status_code == 200
    assert "Welcome back" in page.content.decode()


def test_a_model_is_told_that_the_notes_could_not_be_read_and_gets_no_tools(
    told: User, serve: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(normal("I cannot look just now."))
    monkeypatch.setattr(prompt, "choose_for_prompt", break_down)
    answer = Talk(told).say("Where do I work?")
    assert answer.content == "I cannot look just now."
    (request,) = server.requests
    system = request["messages"][0]["content"]
    assert prompt.NOTES_UNREAD.strip() in system
    assert "Google" not in json.dumps(request)
    assert not request.get("tools")
