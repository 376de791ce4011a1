"""Insights: every figure against what was counted by hand, by the person's own days."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
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
from memory.language.text import token_count
from memory.models import Memory, ProfileFact
from memory.notes import note_store
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


def test_each_period_has_stretches_of_its_own_length(alice: User) -> None:
    written(alice, (Role.USER, "Hello", moment("2024-05-20")))
    month, whole = told(alice, "month"), told(alice, "all")
    assert (month.span.unit, len(month.span.starts), month.said.messages) == ("day", 30, 0)
    assert (whole.span.unit, whole.span.starts[0]) == ("week", date(2024, 5, 20))
    written(alice, (Role.USER, "Hello", moment("2019-12-31")))
    whole = told(alice, "all")
    assert (whole.span.unit, whole.said.stretches[:2]) == ("month", (1, 0))


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


def test_facts_and_notes_grow_week_by_week_and_what_ended_leaves(alice: User) -> None:
    tell(alice, "I live in Lisbon")
    tell(alice, "I speak German")
    with acting_as(alice):
        note = note_store.write_by_hand(alice.pk, "Rows on the lake every Sunday")
        gone = note_store.write_by_hand(alice.pk, "Keeps bees on the roof")
        note_store.remove_note(gone)
        facts, notes = ProfileFact.objects.for_user(alice.pk), Memory.objects.for_user(alice.pk)
        facts.filter(slot="location").update(created_at=moment("2024-01-01"))
        past = {"status": "past", "valid_to": moment("2026-02-18")}
        facts.filter(slot="languages").update(created_at=moment("2026-02-04"), **past)
        notes.filter(pk=note.pk).update(created_at=moment("2026-02-09"))
        notes.filter(pk=gone.pk).update(
            created_at=moment("2026-02-01"), ended_at=moment("2026-02-10")
        )
    found = told(alice)
    weeks = {one.start.isoformat(): (one.facts, one.notes) for one in found.kept}
    assert weeks["2025-03-10"] == (1, 0)
    assert weeks["2026-02-02"] == (2, 1)
    assert weeks["2026-02-16"] == weeks["2026-03-09"] == (1, 1)


def test_tokens_are_held_against_all_that_had_been_said_by_then(alice: User) -> None:
    long = "The rowing boat has a leak and nobody has patched it yet. " * 20
    written(alice, (Role.USER, long, moment("2026-03-01")))
    written(
        alice,
        (Role.USER, "How is the boat?", moment("2026-03-02")),
        (Role.ASSISTANT, "Leaking.", moment("2026-03-02"), {"tokens_in": 40}),
        (Role.USER, long, moment("2026-03-03")),
        (Role.ASSISTANT, "Still.", moment("2026-03-03"), {"tokens_in": 50}),
    )
    cost = told(alice).cost
    assert (cost.answers, cost.put) == (2, 90)
    first = token_count.count_tokens(long) + token_count.count_tokens("How is the boat?")
    truth = 2 * first + token_count.count_tokens("Leaking.") + token_count.count_tokens(long)
    assert cost.whole == pytest.approx(truth, rel=0.03)
    assert cost.saved == cost.whole - 90
    assert 0 < cost.share < 100
    assert told(alice, "month", moment("2026-03-02", 23)).cost.put == 40
    # What was said in private is no history of any answer.
    answered = (Role.ASSISTANT, "Hm", moment("2026-03-01"), {"tokens_in": 10})
    written(alice, (Role.USER, long, moment("2026-03-01")), answered, privacy="private")
    after = told(alice).cost
    assert (after.answers, after.put) == (2, 90)
    assert after.whole == pytest.approx(cost.whole, rel=0.05)


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


def test_the_api_tells_what_the_page_draws(alice: User, alice_api: Api) -> None:
    used = {"recalled": [{"what": "quote", "id": "00000000-0000-0000-0000-000000000001"}]}
    (said, *_) = written(
        alice,
        (Role.USER, "The boat", now() - timedelta(days=2)),
        (Role.ASSISTANT, "Yes", now() - timedelta(days=2), {"tokens_in": 7}),
        (Role.ASSISTANT, "With", now() - timedelta(days=2), used),
    )
    topic_of(alice, said, "Bread", 1)
    topic_of(alice, said, "Boats", 2)
    body = alice_api.get("insights?period=month").json()
    assert (body["period"], body["unit"], len(body["stretches"])) == ("month", "day", 30)
    assert [one["messages"] for one in body["stretches"]][-3:] == [3, 0, 0]
    assert [topic["name"] for topic in body["topics"]] == ["Boats", "Bread"]
    assert body["answers"] == {"with_notes": 1, "without_notes": 1}
    assert (body["tokens"]["answers"], body["tokens"]["put"]) == (1, 7)
    assert alice_api.get("insights?period=week").status_code == 400
