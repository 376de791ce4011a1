"""Insights: every figure against what was counted by hand, by the person's own days."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now, override

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import insights
from conversations.insights import Insights, Period
from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationTopic, Message, Topic
from tests.people import Api, tell

pytestmark = pytest.mark.django_db
# A Wednesday.
AT = datetime.fromisoformat("2026-03-11T12:00:00+00:00")
Role, State = Message.Role, Message.State


def written(
    user: User, *rows: tuple[Any, ...], privacy: str = "", title: str = "Boats"
) -> list[Message]:
    """A conversation of (role, text, moment) rows, and what else its messages have."""
    with acting_as(user):
        first = rows[0][2]
        conversation = Conversation.objects.create(
            user=user, title=title, privacy=privacy, started_at=first, last_at=first
        )
        drafts = [NewMessage(role, text, said_at=at) for role, text, at, *_ in rows]
        messages = append(user, conversation, drafts)
        for message, (*_, changes) in zip(messages, rows, strict=True):
            if isinstance(changes, dict):
                Message.objects.filter(pk=message.pk).update(**changes)
        return messages


def moment(day: str, hour: int = 12) -> datetime:
    return datetime.fromisoformat(f"{day}T{hour:02}:30:00+00:00")


def told(user: User, period: Period = "year", at: datetime = AT) -> Insights:
    with acting_as(user):
        return insights.read(user.pk, period, at)


def by_start(found: Insights, counts: Sequence[int]) -> dict[str, int]:
    pairs = zip(found.span.starts, counts, strict=True)
    return {start.isoformat(): count for start, count in pairs if count}


def test_messages_are_counted_by_week_day_and_hour(alice: User) -> None:
    written(
        alice,
        (Role.USER, "Monday", moment("2026-03-09", 8)),
        (Role.ASSISTANT, "Yes", moment("2026-03-09", 9)),
        (Role.USER, "Sunday before", moment("2026-03-08", 23)),
        (Role.USER, "Long before", moment("2025-06-04", 8)),
        (Role.USER, "Before the year", moment("2024-06-04", 8)),
    )
    written(alice, (Role.USER, "Elsewhere", moment("2026-03-11", 8)))
    found = told(alice)
    assert by_start(found, found.said.stretches) == {
        "2025-06-02": 1,
        "2026-03-02": 1,
        "2026-03-09": 3,
    }
    assert len(found.span.starts) == 53
    assert found.said.weekdays == (1, 0, 2, 0, 0, 0, 1)
    assert {hour: count for hour, count in enumerate(found.said.hours) if count} == {8: 3, 23: 1}
    assert (found.said.messages, found.said.yours, found.said.conversations) == (5, 4, 2)


def test_a_day_is_a_day_of_the_persons_clock(alice: User) -> None:
    # Half past eleven on Sunday night in London is Monday morning in Tokyo.
    written(alice, (Role.USER, "Good night", moment("2026-03-08", 23)))
    with override("Asia/Tokyo"):
        found = told(alice)
    assert by_start(found, found.said.stretches) == {"2026-03-09": 1}
    assert (found.said.weekdays[0], found.said.hours[8]) == (1, 1)


def test_what_was_taken_out_failed_or_is_being_written_is_not_counted(alice: User) -> None:
    written(
        alice,
        (Role.USER, "Stays", moment("2026-03-09")),
        (Role.ASSISTANT, "Half", moment("2026-03-09"), {"state": State.STOPPED}),
        (Role.USER, "", moment("2026-03-09"), {"state": State.REMOVED}),
        (Role.ASSISTANT, "", moment("2026-03-09"), {"state": State.FAILED}),
        (Role.ASSISTANT, "", moment("2026-03-09"), {"state": State.WAITING}),
    )
    assert told(alice).said.messages == 2


def test_nobody_elses_rows_are_counted(alice: User, bob: User) -> None:
    written(bob, (Role.USER, "Hello", moment("2026-03-09"), {"tokens_in": 5}))
    topic_of(bob, written(bob, (Role.USER, "Boats", moment("2026-03-09")))[0], "Boats", 3)
    tell(bob, "I live in Lisbon")
    found = told(alice, "all", now())
    assert (found.said.messages, found.topics, found.cost.answers) == (0, [], 0)
    assert not found.anything


def topic_of(user: User, message: Message, name: str, messages: int) -> Topic:
    with acting_as(user):
        topic, _ = Topic.objects.get_or_create(user=user, name=name, key=name.lower())
        ConversationTopic.objects.create(
            user=user,
            conversation=message.conversation,
            topic=topic,
            weight=0.5,
            messages=messages,
            first_at=message.said_at,
            last_at=message.said_at,
        )
        return topic


def words(client: Client, query: str = "") -> str:
    response = client.get(f"/insights/{query}")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_private_conversations_are_neither_counted_nor_named(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    rows = [(Role.USER, "The Thistlewick surprise", now())] * 3
    answered = (Role.ASSISTANT, "Thistlewick it is", now(), {"tokens_in": 10})
    written(alice, *rows, answered, privacy="private", title="Thistlewick")
    assert "No insights yet" in words(as_alice)
    written(alice, (Role.USER, "The boat", now()), (Role.ASSISTANT, "Yes", now()))
    body = alice_api.get("insights").json()
    assert (body["messages"], body["yours"], body["conversations"]) == (2, 1, 1)
    assert (sum(body["weekdays"]), sum(body["hours"])) == (1, 1)
    assert body["answers"] == {"with_notes": 0, "without_notes": 1}
    assert body["tokens"]["answers"] == 0
    main = words(as_alice).partition("<main")[2]
    assert main.count('class="chart-bar"') == 1
    assert "Thistlewick" not in main + str(body)
