"""The search page and its API, as owner, stranger, staff and nobody; with bad input too."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Topic
from tests.conversations.test_finding import talked
from tests.people import Api, client_for, tell

pytestmark = pytest.mark.django_db
PAGE = "/search/"


@pytest.fixture
def said(alice: User) -> None:
    """Two talks of Alice's."""
    talked(alice, "My kayak is <script>alert('red')</script> & blue", "A kayak?", at=now())
    talked(alice, "The garden needs rain", "It will rain", at=now() - timedelta(days=400))


def words(response: Any) -> str:
    """What a page says, without its tags."""
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", response.content.decode())).split())


def test_what_was_said_is_escaped_wherever_it_is_shown(
    as_alice: Client, alice: User, said: None
) -> None:
    with acting_as(alice):
        Conversation.objects.update(title="<b>kayak</b>")
    typed = as_alice.get(PAGE, {"q": "kayak <script>alert(1)</script>"}).content.decode()
    assert "<script>alert" not in typed
    page = as_alice.get(PAGE, {"q": "kayak"}).content.decode()
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;alert(&#x27;" in page
    assert "&lt;b&gt;<mark>kayak</mark>&lt;/b&gt;" in page


def test_inside_a_conversation_only_that_one_is_searched_private_words_too(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "The kayak at home, as I said to Ben in the morning, is brand new")
    here = tell(alice, "I have diabetes and a kayak")
    page = as_alice.get(f"/talk/{here.conversation_id}/").content.decode()
    address = f"/search/?conversation={here.conversation_id}"
    assert f'href="{address}"' in page
    inside = as_alice.get(f"{address}&q=kayak")
    assert "Find in this conversation" in words(inside)
    assert "diabetes" in words(inside)
    assert "brand new" not in words(inside)
    outside = words(as_alice.get(PAGE, {"q": "kayak"}))
    assert "brand new" in outside
    assert outside.count("Not quoted elsewhere") == 1
    assert "diabetes" in outside
    assert "Not quoted elsewhere" not in words(inside)


# --- Others --------------------------------------------------------------------------------------


def test_nobody_else_finds_it_and_a_strangers_conversation_is_not_there(
    alice: User, bob: User, mira: User, said: None
) -> None:
    with acting_as(alice):
        theirs = Conversation.objects.first()
        topic = Topic.objects.create(user=alice, name="Boats", key="boat")
    assert theirs is not None
    for user in (bob, mira):
        client, api = client_for(user), Api(user)
        for query in ("q=kayak&role=both", "q=kayak&role=both&plain=true", "since=2020-01-01"):
            assert "Nothing found." in words(client.get(f"{PAGE}?{query}"))
            assert api.get(f"search?{query}").json()["count"] == 0
        assert "Boats" not in words(client.get(PAGE))
        asked = f"q=kayak&conversation={theirs.pk}"
        assert client.get(f"{PAGE}?{asked}").status_code == 404
        assert api.get(f"search?{asked}").status_code == 404
        for name in (str(topic.pk), "Boats"):
            refused = client.get(PAGE, {"q": "kayak", "topic": name})
            assert refused.status_code == 422
            assert "You don’t have a topic with this name" in words(refused)
            assert api.get(f"search?q=kayak&topic={name}").status_code == 400


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "said_back", "kept"),
    [
        ("q=" + "kayak+" * 2000, "long; a search can have up to 500. Shorten it.", "kayak kayak"),
        ("q=kayak&since=2026-02-30", "There is no 2026-02-30", "2026-02-30"),
        ("q=kayak&since=2026-03-02&until=2026-03-01", "The last day is before", "2026-03-02"),
    ],
    ids=["long", "no day", "turned round"],
)  # fmt: skip
def test_what_cannot_be_looked_for_is_refused_in_plain_words_and_kept(
    as_alice: Client, alice_api: Api, said: None, query: str, said_back: str, kept: str
) -> None:
    response = as_alice.get(f"{PAGE}?{query}")
    assert response.status_code == 422
    assert said_back in words(response)
    assert f'value="{kept}' in response.content.decode()
    told = alice_api.get(f"search?{query}")
    assert told.status_code == 400
    assert said_back in told.json()["detail"]
