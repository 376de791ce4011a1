"""The search page and its API, as owner, stranger, staff and nobody; with bad input too."""

import html
import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, ConversationTopic, Topic
from conversations.search import search_parameters
from memory.core import switch
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


def test_the_page_shows_the_message_marked_and_leads_to_it(
    as_alice: Client, alice: User, said: None
) -> None:
    response = as_alice.get(PAGE, {"q": "kayak"})
    page = response.content.decode()
    assert "<mark>kayak</mark>" in page
    assert re.search(r'href="/talk/[0-9a-f-]{36}/[^"]*#m1"', page)
    assert "1 found" in words(response)
    assert 'value="kayak"' in page


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


def test_nothing_is_looked_for_before_something_is_asked(as_alice: Client, said: None) -> None:
    for query in ({}, {"q": ""}, {"q": "  "}, {"role": "both"}):
        response = as_alice.get(PAGE, query)
        assert response.status_code == 200
        assert "What are you looking for?" in words(response)


def test_what_was_chosen_stays_chosen(alice: User, as_alice: Client, said: None) -> None:
    with acting_as(alice):
        topic = Topic.objects.create(user=alice, name="Xylophonia", key="xylophonia")
        conversation = Conversation.objects.for_user(alice.pk).latest("last_at")
        ConversationTopic.objects.create(
            user=alice,
            conversation=conversation,
            topic=topic,
            weight=0.5,
            messages=1,
            first_at=now(),
            last_at=now(),
        )
    chosen = {"q": "kayak", "title": "1", "plain": "1", "anytime": "1", "topic": str(topic.pk)}
    page = as_alice.get(PAGE, chosen | {"role": "both", "group": "conversation"}).content.decode()
    for name in ("title", "plain", "anytime"):
        assert f'name="{name}" value="1" checked' in page
    for value in (topic.pk, "both", "conversation"):
        assert f'<option value="{value}" selected' in page


def test_who_finds_nothing_is_told_what_to_try(as_alice: Client, said: None) -> None:
    told = words(as_alice.get(PAGE, {"q": '"garden fence" last week'}))
    assert "Nothing found." in told
    assert "Search without the quotes" in told
    assert "Search all dates" in told
    assert "Search my answers too" in told
    assert "Search all conversations" not in told


def test_every_thing_to_try_is_the_same_search_with_less_asked(
    as_alice: Client, alice: User, said: None
) -> None:
    response = as_alice.get(PAGE, {"q": "garden yesterday"})
    address = re.search(r'href="(\?[^"]*)">Search all dates', response.content.decode())
    assert address is not None
    assert "<mark>garden</mark>" in as_alice.get(PAGE + html.unescape(address[1])).content.decode()


def test_more_is_shown_on_request_and_numbered_on(as_alice: Client, alice: User) -> None:
    talked(alice, *[text for n in range(30) for text in (f"The kayak has scratch {n}", "")])
    first = as_alice.get(PAGE, {"q": "kayak"}).content.decode()
    assert first.count('class="find"') == search_parameters.STEP
    address = re.search(r'href="(\?[^"]*#r21)"', first)
    assert address is not None
    more = as_alice.get(PAGE + html.unescape(address[1])).content.decode()
    assert more.count('class="find"') == 30
    assert 'id="r21"' in more
    assert "Show more" not in more


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


def test_who_is_not_signed_in_is_sent_to_do_so(said: None) -> None:
    response = Client().get(PAGE, {"q": "kayak"})
    assert response.status_code == 302
    assert Client().get("/api/v1/search?q=kayak").status_code == 401


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "said_back", "kept"),
    [
        ("q=" + "kayak+" * 2000, "long; a search can have up to 500. Shorten it.", "kayak kayak"),
        ("q=kayak&since=2026-02-30", "There is no 2026-02-30", "2026-02-30"),
        ("q=kayak&until=yesterday", "Enter the date as YYYY-MM-DD", "yesterday"),
        ("q=kayak&since=2026-03-02&until=2026-03-01", "The last day is before", "2026-03-02"),
        ("q=kayak&role=everybody", "Use one of: me, assistant, both", "kayak"),
        ("q=kayak&topic=nonsense", "You don’t have a topic with this name", "kayak"),
    ],
    ids=["long", "no day", "words for a day", "turned round", "role", "topic"],
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


@pytest.mark.parametrize(
    "text",
    ["%00", "ka%00yak", "%1b[31m", "%22", "%22%22%22", "%E2%80%9C", "\\", "%25", "%ff%fe", "?",
     "'", "(", "*", "a" * 500, "%F0%9F%9B%B6", "%E2%80%8B", "." * 300],
)  # fmt: skip
@pytest.mark.parametrize(
    "more", ["", "&plain=true", "&title=true", "&role=both", "&show=x", "&show=-3"]
)
def test_strange_words_are_no_crash(
    as_alice: Client, alice_api: Api, said: None, text: str, more: str
) -> None:
    assert as_alice.get(f"{PAGE}?q={text}{more}").status_code == 200
    # `show` is a parameter of the page alone, and the API refuses what cannot be shown.
    answered = 400 if "show" in more or "%00" in text else 200
    assert alice_api.get(f"search?q={text}{more}").status_code == answered


def test_a_character_that_cannot_be_shown_is_left_out_and_told(
    as_alice: Client, said: None
) -> None:
    response = as_alice.get(f"{PAGE}?q=kayak%00")
    assert "I searched without them" in words(response)
    assert "<mark>kayak</mark>" in response.content.decode()


def test_a_quote_that_is_not_closed_is_told(as_alice: Client, said: None) -> None:
    response = as_alice.get(PAGE, {"q": '"kayak'})
    assert "A quotation mark is missing" in words(response)
    assert 'value="&quot;kayak"' in response.content.decode()


@pytest.mark.parametrize(
    "conversation", ["nonsense", "%00", "019a0000-0000-7000-8000-000000000000"]
)
def test_a_conversation_there_is_not(as_alice: Client, alice_api: Api, conversation: str) -> None:
    assert as_alice.get(f"{PAGE}?q=a&conversation={conversation}").status_code == 404
    assert alice_api.get(f"search?q=a&conversation={conversation}").status_code in (400, 404)


def test_with_memory_off_the_page_says_what_it_can_do(
    as_alice: Client, alice: User, said: None
) -> None:
    with acting_as(alice):
        switch.switch_memory(alice, on=False)
    response = as_alice.get(PAGE, {"q": "kayak"})
    assert "Memory is off, so I searched for exact words only" in words(response)
    assert "<mark>kayak</mark>" in response.content.decode()


# --- The API -------------------------------------------------------------------------------------


def test_the_api_tells_the_message_its_place_the_words_and_why(
    alice: User, alice_api: Api, said: None
) -> None:
    found = alice_api.get("search?q=blue+kayak").json()
    assert (found["count"], found["plain"], found["narrowed"]) == (1, False, None)
    (one,) = found["results"]
    assert one["number"] == 1
    assert one["role"] == "user"
    assert one["snippet"] == "My kayak is <script>alert('red')</script> & blue"
    assert [one["snippet"][a:b] for a, b in one["marks"]] == ["kayak", "blue"]
    assert one["url"].endswith("#m1")
    assert {"name", "adds", "says"} == set(one["factors"][0])


def test_the_api_narrows_as_the_page_does(alice: User, alice_api: Api, said: None) -> None:
    with acting_as(alice):
        talk = Conversation.objects.order_by("last_at").first()
        assert talk is not None
        Conversation.objects.filter(pk=talk.pk).update(title="Rain at last")
        topic = Topic.objects.create(user=alice, name="Gardening", key="garden")
        ConversationTopic.objects.create(
            user=alice, conversation=talk, topic=topic, weight=1.0, messages=1,
            first_at=talk.started_at, last_at=talk.last_at,
        )  # fmt: skip

    def count(query: str) -> int:
        return int(alice_api.get(f"search?{query}").json()["count"])

    assert count("q=rain") == 1
    assert count("q=rain&role=both") == 2
    assert count("q=rain&topic=gardening&role=both") == 2
    assert count(f"q=kayak&topic={topic.pk}") == 0
    assert count(f"q=kayak&conversation={talk.pk}") == 0
    assert count("q=rain&title=true") == 1
    assert count(f"q=rain&since={now():%Y-%m-%d}") == 0
    assert count(f"q={quote('rain yesterday')}") == 0
    assert alice_api.get(f"search?q={quote('rain yesterday')}").json()["narrowed"] is not None
    assert len(alice_api.get("search?q=rain&role=both&limit=1").json()["results"]) == 1
    for limit in ("0", "101", "x"):
        assert alice_api.get(f"search?q=rain&limit={limit}").status_code == 400
