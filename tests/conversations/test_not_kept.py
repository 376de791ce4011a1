"""What is not kept, or here only, says why and what to do: on the page and to other software."""

from typing import Any

import pytest
from django.test import Client

from accounts.access import tokens
from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from conversations.models import Conversation, LearningOutcome
from memory.core import switch
from memory.core.persistence_gate import PersistenceReason
from memory.facts import blocked_slots
from memory.models import Memory, NamespaceEntry, ProfileFact
from tests.conversations.looking import KEYS, MOVED, alone, answer, fact, look, operation, the_note
from tests.fakes.model_server import Serve, normal
from tests.people import Api, tell

PRIVATE_LINE = "Private: I don’t note anything here or use it elsewhere."


def turn_off(user: User) -> None:
    with acting_as(user):
        switch.switch_memory(user, on=False)


def say(api: Api, text: str, **begun: Any) -> dict[str, Any]:
    talk = api.post("conversations", begun or None).json()["id"]
    told: dict[str, Any] = api.post(f"conversations/{talk}/messages", {"content": text}).json()
    return told


def page_of(user: User, conversation: str) -> str:
    client = Client()
    client.force_login(user)
    return client.get(f"/talk/{conversation}/").content.decode()


def test_in_a_private_conversation_a_fact_is_kept_here_and_says_so(
    alice: User, alice_api: Api
) -> None:
    told = say(alice_api, "I live in Rome", privacy="private")
    (note,) = told["notes"]
    assert (note["kind"], note["reason"]) == ("override", "private_here")
    assert note["sentence"].startswith(PersistenceReason.PRIVATE_HERE.sentence)
    assert told["not_kept"]["reason"] == ""
    page = page_of(alice, told["conversation"])
    assert "Only here" in page
    assert PRIVATE_LINE in page


def test_with_memory_off_the_answer_says_so_and_where_it_is_turned_on(
    alice: User, alice_api: Api
) -> None:
    turn_off(alice)
    told = say(alice_api, "I live in Rome")
    assert (told["notes"], told["not_kept"]["reason"]) == ([], "memory_off")
    assert told["not_kept"]["sentence"] == PersistenceReason.MEMORY_OFF.in_full
    page = page_of(alice, told["conversation"])
    # The notebook's own words tell it; it is not told twice.
    assert page.count(PersistenceReason.MEMORY_OFF.sentence) == 1
    assert say(alice_api, "What is the capital of France?")["not_kept"]["reason"] == ""


def test_what_is_of_a_closed_kind_says_so_and_where_it_is_opened(
    alice: User, alice_api: Api
) -> None:
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "employer")
    told = say(alice_api, "I work at Google")
    (note,) = told["notes"]
    assert (note["kind"], note["reason"], note["offered"]) == ("kept", "blocked", False)
    page = page_of(alice, told["conversation"])
    assert PersistenceReason.BLOCKED.sentence in page
    assert 'href="/notebook/privacy/#never"' in page


@pytest.mark.parametrize(
    ("door", "line"),
    [
        ("profile", {"slot": "location", "value": "Rome"}),
        ("memories", {"content": "Keeps bees on the roof"}),
    ],
)
def test_with_memory_off_nothing_is_added_by_hand_and_it_says_why(
    alice: User, alice_api: Api, door: str, line: dict[str, str]
) -> None:
    turn_off(alice)
    refused = alice_api.post(door, line)
    assert refused.status_code in (400, 409)
    assert refused.json()["reason"] == "memory_off"
    assert PersistenceReason.MEMORY_OFF.in_full in refused.json()["detail"]
    with acting_as(alice):
        assert not ProfileFact.objects.exists()
        assert not Memory.objects.exists()


@alone
@pytest.mark.parametrize("where", ["everywhere", "here"])
def test_who_wants_to_be_asked_first_is_asked_about_what_a_model_read(
    alice: User, serve: Serve, where: str
) -> None:
    serve(normal(answer(operation(), summary="The keys to that place in Leeds.")))
    message = tell(alice, KEYS)
    with acting_as(alice):
        if where == "everywhere":
            PrivacySettings.objects.create(user=alice, promotion="ask")
        else:
            Conversation.objects.filter(pk=message.conversation_id).update(privacy="ask")
    look(alice, message.conversation)
    assert the_note(alice).status == Memory.Status.WAITING
    with acting_as(alice):
        assert not Memory.objects.filter(category=Memory.Category.SUMMARY).exists()


@alone
def test_a_model_notes_nothing_of_a_closed_kind(alice: User, serve: Serve) -> None:
    serve(normal(answer(fact("location", "Leeds", MOVED))))
    message = tell(alice, MOVED)
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "location")
    look(alice, message.conversation)
    with acting_as(alice):
        assert not ProfileFact.objects.filter(slot="location").exists()
        assert not Memory.objects.filter(slot="location").exists()
        assert not LearningOutcome.objects.filter(memory__isnull=False).exists()


def test_an_entry_with_a_password_is_refused_and_says_why(alice: User) -> None:
    _, secret = tokens.make(alice, "A program")
    software = Client(headers={"Authorization": f"Token {secret}"})
    software.put("/api/v1/namespaces/shared.people/consent")
    path = "/api/v1/namespaces/shared.people/entries/john"
    john = {"name": "John", "relation": "work", "note": "password: hunter2-X9!"}
    refused = software.put(path, john, content_type="application/json")
    assert (refused.status_code, refused.json()["reason"]) == (422, "secret")
    with acting_as(alice):
        assert not NamespaceEntry.objects.exists()
