"""The pages and the API about topics."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, ConversationTopic, Topic
from conversations.topics import topic_store
from tests.conversations.test_topics import CHOIR, look_at, talk_of
from tests.people import Api


@pytest.fixture
def choir(alice: User) -> Conversation:
    conversation = talk_of(alice, *CHOIR, title="Sundays")
    look_at(alice, conversation)
    return conversation


@pytest.fixture
def topic(alice: User, choir: Conversation) -> Topic:
    with acting_as(alice):
        return topic_store.topics_in_use(alice.pk).get()


def words(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


# --- Pages ---------------------------------------------------------------------------------------


def test_the_list_says_how_much_was_said_and_when_last(as_alice: Client, topic: Topic) -> None:
    page = words(as_alice, "/topics/")
    assert "Chamber choir" in page
    assert "3 messages in 1 conversation<" in page
    assert '<rect class="topic-bar-fill" width="100%"' in page


def test_a_topic_leads_to_its_conversations_and_a_conversation_to_its_topics(
    as_alice: Client, topic: Topic, choir: Conversation
) -> None:
    there = words(as_alice, f"/topics/{topic.pk}/")
    assert f'href="{choir.get_absolute_url()}">Sundays</a>' in there
    assert "3 messages in 1 conversation, on " in there
    here = words(as_alice, choir.get_absolute_url())
    assert f'<a class="tag" href="/topics/{topic.pk}/">Chamber choir</a>' in here


def test_without_topics_the_page_says_how_they_come(as_alice: Client) -> None:
    assert "No topics yet" in words(as_alice, "/topics/")


def test_a_topic_is_renamed_and_an_empty_name_is_given_back(as_alice: Client, topic: Topic) -> None:
    path = f"/topics/{topic.pk}/rename/"
    refused = as_alice.post(path, {"name": "  "})
    assert refused.status_code == 422
    assert "Give it a name." in refused.content.decode()
    assert as_alice.post(path, {"name": "Bach"})["Location"] == f"/topics/{topic.pk}/"
    assert "Bach" in words(as_alice, "/topics/")


def test_a_topic_taken_off_is_gone_and_its_conversation_stays(
    as_alice: Client, topic: Topic, choir: Conversation
) -> None:
    gone = as_alice.post(f"/topics/{topic.pk}/remove/", follow=True)
    assert "Chamber choir is off the list." in gone.content.decode()
    assert as_alice.get(f"/topics/{topic.pk}/").status_code == 404
    assert "Chamber choir</a>" not in words(as_alice, choir.get_absolute_url())


def test_a_name_is_shown_as_text(as_alice: Client, topic: Topic, choir: Conversation) -> None:
    as_alice.post(f"/topics/{topic.pk}/rename/", {"name": "<b>Bach</b>"})
    for path in ("/topics/", f"/topics/{topic.pk}/", choir.get_absolute_url()):
        assert "<b>Bach</b>" not in words(as_alice, path)


def test_a_long_list_shows_the_first_and_asks_about_the_rest(
    alice: User, as_alice: Client, choir: Conversation
) -> None:
    fill_up(alice, choir, 40)
    assert words(as_alice, "/topics/").count('class="topic"') == 30
    assert "Show 11 more" in words(as_alice, "/topics/")
    assert words(as_alice, "/topics/?all=1").count('class="topic"') == 41


def test_lists_cost_the_same_with_few_and_with_many(
    alice: User, as_alice: Client, alice_api: Api, topic: Topic, choir: Conversation
) -> None:
    pages = ("/topics/?all=1", f"/topics/{topic.pk}/", choir.get_absolute_url())
    calls = ("topics", f"topics/{topic.pk}/conversations", f"conversations/{choir.pk}/topics")

    def costs() -> list[int]:
        return [cost(as_alice, path) for path in pages] + [cost(alice_api, path) for path in calls]

    few = costs()
    fill_up(alice, choir, 20)
    with acting_as(alice):
        for number in range(10):
            other = Conversation.objects.create(user=alice, title=f"Talk {number}")
            link(alice, other, topic, 1)
    # The side of a page lists conversations too, and costs the same as well.
    assert costs() == few


def cost(client: Any, path: str) -> int:
    client.get(path)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def fill_up(alice: User, conversation: Conversation, count: int) -> None:
    with acting_as(alice):
        for number in range(count):
            made = Topic.objects.create(user=alice, name=f"Topic {number}", key=f"t{number}")
            link(alice, conversation, made, 1)


def link(alice: User, conversation: Conversation, topic: Topic, messages: int) -> None:
    ConversationTopic.objects.create(
        user=alice,
        conversation=conversation,
        topic=topic,
        weight=0.1,
        messages=messages,
        first_at=conversation.started_at,
        last_at=conversation.started_at,
    )


# --- The API -------------------------------------------------------------------------------------


def send(api: Api, method: str, path: str, body: Any = None) -> Any:
    return getattr(api.client, method)(
        f"/api/v1/{path}",
        data=body or {},
        content_type="application/json",
        headers={"Authorization": f"Token {api.token}"},
    )


def test_topics_are_read_from_both_sides(alice_api: Api, topic: Topic, choir: Conversation) -> None:
    (listed,) = alice_api.get("topics").json()["results"]
    assert (listed["id"], listed["name"]) == (str(topic.pk), "Chamber choir")
    assert (listed["conversations"], listed["messages"]) == (1, 3)
    (about,) = alice_api.get(f"topics/{topic.pk}/conversations").json()["results"]
    assert (about["id"], about["title"], about["weight"]) == (str(choir.pk), "Sundays", 0.75)
    (here,) = alice_api.get(f"conversations/{choir.pk}/topics").json()["results"]
    assert (here["id"], here["messages"]) == (str(topic.pk), 3)


def test_topics_of_a_stretch_of_time_are_those_that_came_up_in_it(
    alice_api: Api, topic: Topic
) -> None:
    assert alice_api.get("topics?since=2099-01-01T00:00:00Z").json()["count"] == 0
    assert alice_api.get("topics?until=2099-01-01T00:00:00Z").json()["count"] == 1
    wrong = alice_api.get("topics?since=yesterday")
    assert wrong.status_code == 400
    assert "since" in wrong.json()["errors"]


def test_software_renames_and_removes_a_topic(alice_api: Api, topic: Topic) -> None:
    renamed = send(alice_api, "patch", f"topics/{topic.pk}", {"name": "Bach"})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Bach")
    assert send(alice_api, "patch", f"topics/{topic.pk}", {"name": ""}).status_code == 400
    assert send(alice_api, "patch", f"topics/{topic.pk}", {"name": "x" * 81}).status_code == 400
    assert send(alice_api, "delete", f"topics/{topic.pk}").status_code == 204
    assert send(alice_api, "delete", f"topics/{topic.pk}").status_code == 404
    assert alice_api.get("topics").json()["count"] == 0
