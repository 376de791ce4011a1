"""The tools as other software calls them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from memory.models import Memory
from memory.notes import note_store
from tests.people import Api, tell, the_fact

pytestmark = pytest.mark.django_db

PROBLEM = "application/problem+json"


def refused(response: Any, status: int) -> dict[str, Any]:
    """The problem document of an answer with this status."""
    assert response.status_code == status
    assert response["Content-Type"] == PROBLEM
    told: dict[str, Any] = response.json()
    assert told["status"] == status
    return told


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "query: Field required"),
        ({"query": "boat", "limit": 1000}, "limit"),
        ('{"query": "\\ud800"}', "query"),
        ("{", "not valid JSON"),
        ({"query": "boat", "asked_in": ["x"]}, "asked_in"),
    ],
)
def test_arguments_that_do_not_fit_are_a_400_in_plain_words(
    alice_api: Api, body: Any, words: str
) -> None:
    assert words in refused(alice_api.post("tools/recall_memories", body), 400)["detail"]


def test_what_asks_first_says_what_it_would_do_and_does_it_when_confirmed(
    alice: User, alice_api: Api
) -> None:
    tell(alice, "I work at Initech")
    fact = the_fact(alice, "employer")
    body = {"fact_id": str(fact.pk)}
    for unconfirmed in (body, body | {"confirm": False}):
        told = refused(alice_api.post("tools/forget_fact", unconfirmed), 409)
        assert told["title"] == "Not done yet: 1 fact would be forgotten"
        assert told["would"]["text"] == "Works at Initech"
    assert the_fact(alice, "employer").pk == fact.pk
    confirmed = told["would"]["arguments"] | {"confirm": True}
    done = alice_api.post("tools/forget_fact", confirmed)
    assert (done.status_code, done.json()["done"]) == (200, True)
    refused(alice_api.post("tools/forget_fact", confirmed), 404)


def test_a_yes_to_tidying_reaches_no_further_than_what_was_shown(
    alice: User, alice_api: Api
) -> None:
    with acting_as(alice):
        shown = note_store.write_by_hand(alice.pk, "Bought a red kayak in Bremen")
        a_month_ago = now() - timedelta(days=30)
        Memory.objects.update(source="user", priority=0, said_at=a_month_ago)
    would = refused(alice_api.post("tools/memory_cleanup", {}), 409)["would"]
    assert [one["id"] for one in would["going"]] == [str(shown.pk)]
    with acting_as(alice):
        later = note_store.write_by_hand(alice.pk, "Rode the night train to Vienna")
        Memory.objects.filter(pk=later.pk).update(source="user", priority=0, said_at=a_month_ago)
    done = alice_api.post("tools/memory_cleanup", would["arguments"] | {"confirm": True})
    assert done.status_code == 200
    with acting_as(alice):
        kept = dict(Memory.objects.values_list("pk", "status"))
    assert kept == {shown.pk: "removed", later.pk: "active"}


def test_a_strangers_ids_are_not_found(alice: User, bob_api: Api) -> None:
    message = tell(alice, "I work at Initech")
    there, fact = str(message.conversation_id), the_fact(alice, "employer")
    calls = [
        ("get_conversation_details", {"conversation_id": there}),
        ("get_conversation_summary", {"conversation_id": there}),
        ("get_topics_by_conversation", {"conversation_id": there}),
        ("forget_fact", {"fact_id": str(fact.pk)}),
        ("forget_fact", {"fact_id": str(fact.pk), "confirm": True}),
        ("memory_insights", {"asked_in": there}),
    ]
    for name, body in calls:
        assert "I can’t find a" in refused(bob_api.post(f"tools/{name}", body), 404)["detail"]
    assert the_fact(alice, "employer").pk == fact.pk


def test_a_client_says_in_which_conversation_it_asks(alice: User, alice_api: Api) -> None:
    with acting_as(alice):
        secret = Conversation.objects.create(user=alice, privacy="private", title="Ours")
    tell(alice, "I sail to Zanzibar in June.", secret)
    outside = alice_api.post("tools/recall_memories", {"query": "sail to Zanzibar"})
    assert outside.json()["found"] == []
    body = {"query": "sail to Zanzibar", "asked_in": str(secret.pk)}
    (found,) = alice_api.post("tools/recall_memories", body).json()["found"]
    assert found["conversation"]["id"] == str(secret.pk)
    inside = alice_api.post("tools/get_conversation_details", {"asked_in": str(secret.pk)})
    assert inside.json()["messages"] == 1
