"""What other software sends twice under one key is kept once, and nothing is lost under a key."""

from typing import Any
from uuid import UUID

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from tests.people import Api

pytestmark = pytest.mark.django_db

REPLAYED = "Idempotent-Replayed"
WORDS = {"content": "The boiler man comes on Friday"}


def new_talk(user: User) -> UUID:
    with acting_as(user):
        return Conversation.objects.create(user=user).pk


def send(api: Api, talk: UUID, body: Any, key: str = "one", **headers: str) -> Any:
    headers = {"Idempotency-Key": key, **headers}
    return api.post(f"conversations/{talk}/messages", body, **headers)


def said_in(user: User, talk: UUID) -> list[str]:
    with acting_as(user):
        rows = Message.objects.filter(conversation=talk, role="user").order_by("number")
        return list(rows.values_list("content", flat=True))


def test_the_same_request_again_answers_with_the_first_exchange_and_says_so(
    alice: User, alice_api: Api
) -> None:
    talk = new_talk(alice)
    first, second = send(alice_api, talk, WORDS), send(alice_api, talk, WORDS)
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json()["message"]["id"] == first.json()["message"]["id"]
    assert second.json()["reply"]["id"] == first.json()["reply"]["id"]
    assert (first.get(REPLAYED), second.get(REPLAYED)) == (None, "true")
    assert said_in(alice, talk) == [WORDS["content"]]


@pytest.mark.parametrize(
    "other",
    [
        {"content": "The boiler man comes on Monday"},
        {**WORDS, "origin": "pasted"},
        {**WORDS, "pasted": ["boiler man"]},
    ],
    ids=["other words", "pasted as a whole", "pasted in part"],
)
def test_a_key_that_was_used_for_something_else_is_refused_with_what_to_do(
    alice: User, alice_api: Api, other: dict[str, Any]
) -> None:
    talk = new_talk(alice)
    send(alice_api, talk, WORDS)
    refused = send(alice_api, talk, other)
    assert refused.status_code == 409
    assert refused["Content-Type"] == "application/problem+json"
    assert "Send it with a new key" in refused.json()["detail"]
    assert said_in(alice, talk) == [WORDS["content"]]
    assert send(alice_api, talk, other, key="two").status_code == 201
    assert len(said_in(alice, talk)) == 2


def test_the_same_words_to_another_conversation_need_a_key_of_their_own(
    alice: User, alice_api: Api
) -> None:
    one, other = new_talk(alice), new_talk(alice)
    send(alice_api, one, WORDS)
    assert send(alice_api, other, WORDS).status_code == 409
    assert said_in(alice, other) == []
    assert send(alice_api, other, WORDS, key="two").status_code == 201
    assert said_in(alice, other) == [WORDS["content"]]
