"""Which events are written down, with what, and in whose transaction."""

import json

import pytest
from django.db import transaction

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion import erase_all
from ledger import erasure
from ledger.conflicts.resolution import Answer, resolve
from ledger.conflicts.undo import undo
from memory.facts import revision
from memory.models import Memory
from memory.notes import agent_notes, note_store
from tests.people import dispute, tell, the_fact
from tests.webhooks.receiver import log_of, registered, told
from webhooks import endpoints
from webhooks.models import Event, WebhookDelivery
from webhooks.payloads import Gone, body_of, payload_of

pytestmark = pytest.mark.django_db


def payloads(user: User) -> list[dict[str, object]]:
    found = []
    for delivery in log_of(user):
        with acting_as(user):
            found.append(json.loads(body_of(payload_of(delivery))))
    return found


def test_a_fact_is_told_of_when_it_comes_changes_and_goes(alice: User) -> None:
    registered(alice)
    tell(alice, "I live in Rome")
    fact = the_fact(alice, "location")
    with acting_as(alice):
        newer = revision.rewrite(fact, "Lisbon")
        revision.retract(newer)
        revision.restore(newer)
    assert told(alice) == [
        "memory.added",
        "memory.removed",
        "memory.added",
        "memory.removed",
        "memory.added",
    ]
    first, *_, last = payloads(alice)
    assert first["data"]["kind"] == "fact"  # type: ignore[index]
    assert first["data"]["id"] == str(fact.pk)  # type: ignore[index]
    assert last["data"]["resource"]["value"] == "Lisbon"  # type: ignore[index]


def test_a_memory_is_told_of_when_it_comes_waits_changes_and_goes(alice: User) -> None:
    registered(alice)
    with acting_as(alice):
        note = note_store.write_by_hand(alice.pk, "Cycles to the office")
        note_store.prioritise(note, Memory.Priority.CORE)
        agent_notes.propose_memory(alice.pk, "Sings in a choir", Memory.Category.FACT, "An agent")
        note_store.remove_note(note)
    assert told(alice) == ["memory.added", "memory.changed", "memory.proposed", "memory.removed"]
    assert payloads(alice)[0]["data"]["resource"]["content"] == "Cycles to the office"  # type: ignore[index]


def test_conflicts_are_told_of_when_they_open_are_settled_and_open_again(alice: User) -> None:
    registered(alice, events=[Event.OPENED, Event.SETTLED])
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=alice)
        undo(entry.reload_with_sides())
    assert told(alice) == ["conflict.opened", "conflict.settled", "conflict.opened"]
    sides = payloads(alice)[0]["data"]["resource"]  # type: ignore[index]
    assert (sides["old_value"], sides["new_value"]) == ("Google", "Microsoft")


def test_only_what_an_endpoint_is_registered_for_is_written_down(alice: User, bob: User) -> None:
    registered(alice, events=[Event.REMOVED])
    registered(bob)
    endpoint, _ = registered(alice)
    with acting_as(alice):
        endpoints.change(endpoint, on=False)
    tell(alice, "I live in Rome")
    assert told(alice) == []
    assert told(bob) == []


def test_what_was_undone_is_not_told_of(alice: User) -> None:
    registered(alice)
    with pytest.raises(ZeroDivisionError), transaction.atomic(), acting_as(alice):
        note_store.write_by_hand(alice.pk, "Cycles to the office")
        raise ZeroDivisionError
    assert told(alice) == []


def test_what_was_erased_is_in_no_payload_and_its_removal_is_told_by_id(alice: User) -> None:
    registered(alice)
    tell(alice, "I live in Rome")
    fact = the_fact(alice, "location")
    with acting_as(alice):
        erasure.erase(fact)
    added, removed = log_of(alice)
    with acting_as(alice):
        with pytest.raises(Gone):
            payload_of(added)
        data = payload_of(removed)["data"]
    assert data == {"kind": "fact", "id": str(fact.pk), "resource": None}


def test_private_matters_are_told_of_by_id_alone(alice: User) -> None:
    registered(alice)
    with acting_as(alice):
        fact = revision.write_by_hand(alice.pk, "interests", "my antidepressants")
        note = note_store.write_by_hand(alice.pk, "Was diagnosed with depression last year")
    for payload, row in zip(payloads(alice), (fact, note), strict=True):
        assert payload["data"]["id"] == str(row.pk)  # type: ignore[index]
        assert payload["data"]["resource"] is None  # type: ignore[index]


def test_forgetting_everything_is_one_event_and_the_endpoint_stays(alice: User) -> None:
    endpoint, _ = registered(alice)
    tell(alice, "I live in Rome")
    erase_all.forget_everything(alice)
    waiting = [d for d in log_of(alice) if d.state == WebhookDelivery.State.WAITING]
    assert [delivery.event for delivery in waiting] == ["memory.cleared"]
    with acting_as(alice):
        assert endpoints.of(alice.pk).get() == endpoint
