"""The pages and the API about topics."""

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Topic
from conversations.topics import topic_store
from tests.conversations.test_topics import CHOIR, look_at, talk_of


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


def test_a_name_is_shown_as_text(as_alice: Client, topic: Topic, choir: Conversation) -> None:
    as_alice.post(f"/topics/{topic.pk}/rename/", {"name": "<b>Bach</b>"})
    for path in ("/topics/", f"/topics/{topic.pk}/", choir.get_absolute_url()):
        assert "<b>Bach</b>" not in words(as_alice, path)
