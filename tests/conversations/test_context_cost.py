"""What the context of an answer is made from is read once, in few statements and few times over."""

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import flags
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import prompt
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.search.message_recall import as_said_message
from memory.language.text import terms
from memory.retrieval import passage_index
from tests.people import tell

pytestmark = pytest.mark.django_db

QUESTION = "So where did we go hiking with my sister last summer, please?"


@pytest.fixture
def question(alice: User) -> Message:
    """Asked in a second conversation, after thirty turns in a first."""
    with acting_as(alice):
        first, second = (Conversation.objects.create(user=alice) for _ in range(2))
        drafts = [
            NewMessage(Message.Role.USER, f"I went hiking with my sister near Porto, tour {n}.")
            for n in range(30)
        ]
        passage_index.index_messages(
            [as_said_message(message) for message in append(alice, first, drafts)]
        )
        (asked,) = append(alice, second, [NewMessage(Message.Role.USER, QUESTION)])
        asked.user, asked.conversation = alice, second
    return asked


def counting(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> Counter[str]:
    """How often a function is called, by its text, whichever module has it."""
    seen: Counter[str] = Counter()
    plainly: Callable[..., Any] = getattr(owner, name)

    def counted(text: Any, *rest: Any, **more: Any) -> Any:
        seen[text if isinstance(text, str) else " ".join(text)] += 1
        return plainly(text, *rest, **more)

    for module in list(sys.modules.values()):
        if vars(module).get(name) is plainly:
            monkeypatch.setattr(module, name, counted)
    return seen


def test_a_question_is_taken_apart_into_words_and_meant_at_most_twice(
    question: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once with the names in it for what is noted, once without for what was said."""
    words = counting(monkeypatch, terms, "content_words")
    with acting_as(question.user):
        prompt.build(question)
    assert words[QUESTION] <= 3


def test_the_context_takes_few_statements_and_waits_for_fewer(
    question: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts and talk, at once candidates, notes, whether anything was noted and what others in
    one's role learned; then the texts.
    """
    executed: list[str] = []
    execute = psycopg.RawCursor.execute

    def counted(cursor: Any, query: Any, *rest: Any, **more: Any) -> Any:
        executed.append("in a row" if connection.connection._pipeline else "alone")
        return execute(cursor, query, *rest, **more)

    monkeypatch.setattr(psycopg.RawCursor, "execute", counted)
    with acting_as(question.user):
        prompt.build(question)
    assert Counter(executed) == {"alone": 1, "in a row": 5}


def test_where_nothing_was_noted_no_statement_joins_what_could_stand_behind_a_note(
    question: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The shares of the flags are read again every few seconds, whoever asks next.
    monkeypatch.setattr(flags, "is_on", lambda *_: True)
    with acting_as(question.user), CaptureQueriesContext(connection) as built_by_django:
        assert prompt.build(question).outcomes == []
    assert len(built_by_django) == 0


def test_what_was_noted_comes_with_all_that_stands_behind_it(alice: User) -> None:
    told = [tell(alice, "I work at Google"), tell(alice, "I work at Microsoft")]
    with acting_as(alice):
        (stored,), (disputed,) = (prompt.build(message).outcomes for message in told)
        with CaptureQueriesContext(connection) as more:
            assert stored.fact.value == "Google"
            assert stored.fact.replaces is None
            assert disputed.contradiction.old_fact == stored.fact
            assert disputed.contradiction.new_fact.value == "Microsoft"
            assert not disputed.contradiction.resolutions.all()
            assert disputed.message.conversation == told[1].conversation
    assert len(more) == 0
