"""How private a conversation is, and what may be noted at all: pages and API."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations import privacy
from conversations.learning import message_learning
from conversations.models import Conversation, Message
from memory.models import Memory
from tests.people import Api, Talk, said, tell, values

pytestmark = pytest.mark.django_db
PAGE = "/notebook/privacy/"
LINE = "I don’t note anything here or use it elsewhere."


def read(client: Client, path: str) -> str:
    return unescape(re.sub(r"\s+", " ", client.get(path).content.decode()))


def choose(client: Client, conversation: Conversation, privacy: str) -> Any:
    return client.post(f"/talk/{conversation.pk}/privacy/", {"privacy": privacy}, follow=True)


def changes(user: User) -> list[tuple[str, str, str]]:
    with acting_as(user):
        lines = AuditEvent.objects.filter(deed="allowed").order_by("at")
        return list(lines.values_list("why", "before", "after"))


def patch(api: Api, path: str, body: dict[str, object]) -> Any:
    return api.client.patch(
        f"/api/v1/{path}",
        body,
        content_type="application/json",
        headers={"Authorization": f"Token {api.token}"},
    )


# --- One conversation ----------------------------------------------------------------------------


def test_a_private_conversation_teaches_nothing_and_says_so(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("Hello there")
    assert there.conversation is not None
    url = there.conversation.get_absolute_url()
    assert f"Private: {LINE}" not in read(as_alice, url)
    choose(as_alice, there.conversation, "private")
    with acting_as(alice):
        there.conversation.refresh_from_db()
    there.say("I work at Google and I live in Lyon")
    assert values(alice, "employer") == set()
    page = read(as_alice, url)
    assert f"Private: {LINE}" in page
    assert ", private</span>" in page
    with acting_as(alice):
        assert not Message.objects.filter(role="user", confidential=False).exists()


def test_what_was_private_stays_out_of_other_conversations_afterwards(
    alice: User, as_alice: Client
) -> None:
    message = said(alice, "Hello there")
    for wish in ("private", ""):
        choose(as_alice, message.conversation, wish)
    page = read(as_alice, message.conversation.get_absolute_url())
    assert f"Private: {LINE}" not in page
    with acting_as(alice):
        assert Message.objects.get(pk=message.pk).confidential
    assert [before_after[1:] for before_after in changes(alice)] == [
        ("As in my settings", "Private"),
        ("Private", "As in my settings"),
    ]


def test_a_private_word_said_while_memory_is_off_is_private_too(
    alice: User, as_alice: Client
) -> None:
    alice.memory_on = False
    alice.save()
    message = said(alice, "Hello there")
    choose(as_alice, message.conversation, "private")
    later = tell(alice, "I keep a kayak in Lyon", message.conversation)
    with acting_as(alice):
        assert Message.objects.get(pk=later.pk).confidential


def test_a_message_that_becomes_private_while_it_is_read_stays_private(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = said(alice, "I keep a kayak in Lyon")

    def meanwhile(message: Message) -> tuple[list[object], bool]:
        privacy.choose(Conversation.objects.get(pk=message.conversation_id), "private")
        return [], False

    monkeypatch.setattr(message_learning, "_take_notes", meanwhile)
    message_learning.learn_now(message)
    with acting_as(alice):
        read_since = Message.objects.get(pk=message.pk)
    assert read_since.learned_at is not None
    assert read_since.confidential


def test_the_wish_to_be_private_survives_a_refused_text(alice: User, as_alice: Client) -> None:
    answer = as_alice.post("/talk/start/", {"content": " ", "private": "on"})
    assert answer.status_code == 422
    assert re.search(r'name="private"[^>]* checked', answer.content.decode())


# --- The API -------------------------------------------------------------------------------------


def test_every_new_conversation_begins_private_where_that_is_chosen(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    as_alice.post(PAGE, {"choice": "private", "on": "1"})
    assert 'id="id_private" checked' in as_alice.get("/talk/").content.decode()
    talk = Talk(alice)
    talk.say("I work at Google")
    assert talk.conversation is not None
    assert talk.conversation.privacy == "private"
    assert alice_api.post("conversations").json()["privacy"] == "private"
    assert alice_api.post("conversations", {"privacy": "ask"}).json()["privacy"] == "ask"
    assert values(alice, "employer") == set()
    as_alice.post(PAGE, {"choice": "private", "on": "0"})
    talk = Talk(alice)
    talk.say("I work at Google")
    assert values(alice, "employer") == {"Google"}


def test_the_api_makes_and_changes_a_conversations_privacy(alice: User, alice_api: Api) -> None:
    made = alice_api.post("conversations", {"privacy": "private"}).json()
    assert made["privacy"] == "private"
    path = f"conversations/{made['id']}"
    alice_api.post(f"{path}/messages", {"content": "I work at Google"})
    assert values(alice, "employer") == set()
    assert patch(alice_api, path, {"privacy": ""}).json()["privacy"] == ""
    alice_api.post(f"{path}/messages", {"content": "I work at Google"})
    assert values(alice, "employer") == {"Google"}
    assert patch(alice_api, path, {"privacy": "nonsense"}).status_code == 400
    assert patch(alice_api, path, {}).status_code == 400
    assert alice_api.get(path).json()["privacy"] == ""


def test_what_was_said_before_it_was_private_is_quoted_nowhere_else_not_even_from_a_note(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    message = tell(alice, "Our boiler in the cellar is serviced every October.")
    choose(as_alice, message.conversation, "private")
    assert "October" not in talk().say("When is our boiler serviced?").content
    with acting_as(alice):
        (note,) = Memory.objects.all()
    assert note.status == Memory.Status.PAUSED


def test_what_was_learned_before_is_forgotten_at_once_and_brought_back(
    alice: User, as_alice: Client
) -> None:
    message = tell(alice, "I work at Google and I live in Lyon. I met Ottilie at the lake today.")
    choose(as_alice, message.conversation, "private")
    url, deed = message.conversation.get_absolute_url(), f"/talk/{message.conversation_id}"
    with acting_as(alice):
        before = list(Memory.objects.values_list("pk", "status"))
    assert before
    things = 2 + len(before)
    assert f"Forget the {things} things I noted here" in read(as_alice, url)
    page = unescape(as_alice.post(f"{deed}/unlearn/", follow=True).content.decode())
    assert f"Forgotten: {things} things." in page
    assert values(alice, "employer") == values(alice, "location") == set()
    assert "I noted here" not in page
    assert "Bring them back" in page
    page = as_alice.post(f"{deed}/relearn/", follow=True).content.decode()
    assert f"Brought back: {things} things." in page
    assert (values(alice, "employer"), values(alice, "location")) == ({"Google"}, {"Lyon"})
    with acting_as(alice):
        assert list(Memory.objects.values_list("pk", "status")) == before
    assert "Bring them back" not in page
