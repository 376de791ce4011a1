"""A model reads a conversation: by the worker, over real HTTP, and what comes of it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import listening_stretch
from conversations.models import LearningOutcome
from conversations.web.present import chips
from ledger.models import Contradiction
from memory.language.origin import Origin
from memory.language.reader.facts import TYPED_TRUST
from memory.models import Memory
from memory.notes import note_store
from tests.conversations.looking import (
    FIRST_DAY,
    KEYS,
    MOVED,
    NOTE,
    QUOTE,
    alone,
    answer,
    answered,
    fact,
    for_real,
    look,
    notes,
    operation,
    read_up_to,
    sent,
    summaries,
    the_note,
    waiting,
    work_through,
)
from tests.fakes.model_server import Serve, normal
from tests.people import Talk, tell, the_fact, values


@alone
def test_what_rules_cannot_read_becomes_a_note_a_little_later(alice: User, serve: Serve) -> None:
    server = serve(normal(answer(operation(), summary="The keys to that place in Leeds.")))
    message = tell(alice, KEYS)
    answered(alice, message.conversation, "Congratulations to you both!")
    assert look(alice, message.conversation) >= 1
    note = the_note(alice)
    assert note.content == NOTE
    assert note.source_message_id == message.pk
    assert note.said_at == message.said_at
    assert note.trust == pytest.approx(TYPED_TRUST)
    assert (note.source, note.origin) == (Memory.Source.REFLECTION, Origin.TYPED)
    assert note.status == Memory.Status.ACTIVE
    with acting_as(alice):
        (chip,) = LearningOutcome.objects.filter(message=message)
    assert (chip.kind, chip.memory_id) == (LearningOutcome.Kind.MEMORY, note.pk)
    # The chip says what the model noted, and not the words that it noted it from.
    with acting_as(alice):
        assert [one.text for one in chips.notes_of(message)] == [note.content]
    assert summaries(alice) == ["The keys to that place in Leeds."]
    assert read_up_to(message.conversation) == 2
    assert waiting(alice) == []
    assert len(server.requests) == 1


@alone
def test_a_fact_of_the_models_enters_the_profile_with_its_chip(alice: User, serve: Serve) -> None:
    serve(normal(answer(fact("location", "Leeds", MOVED))))
    message = tell(alice, MOVED)
    look(alice, message.conversation)
    assert values(alice, "location") == {"Leeds"}
    assert the_fact(alice, "location").source_message_id == message.pk
    with acting_as(alice):
        (chip,) = LearningOutcome.objects.filter(message=message)
    assert (chip.kind, chip.slot) == (LearningOutcome.Kind.STORED, "location")


@for_real
def test_a_turn_is_read_once_more_after_its_answer(
    alice: User, serve: Serve, talk: Callable[..., Talk]
) -> None:
    def reply(messages: Any) -> str:
        keeps_notes = "You keep the notes" in messages[0]["content"]
        return answer(operation()) if keeps_notes else "How lovely!"

    server = serve(normal(reply))
    conversation = talk()
    conversation.say(KEYS)
    assert conversation.conversation is not None
    look(alice, conversation.conversation)
    assert 'by="assistant"' in sent(server)
    assert notes(alice) == [NOTE]
    assert read_up_to(conversation.conversation) == 2


@alone
@pytest.mark.parametrize("confirms", [True, False])
def test_what_a_model_may_withdraw_is_shown_once_it_has_read_the_message(
    alice: User, serve: Serve, confirms: bool
) -> None:
    serve(normal(answer(*[fact("location", "Leeds", "live in Leeds")] * confirms)))
    here = Talk(alice)
    reply = here.say("I live in Leeds.")
    assert here.conversation is not None
    page, client = f"/talk/{here.conversation.pk}/", Client()
    listened = reverse("conversations:listened", args=[reply.pk])
    client.force_login(alice)
    shown = client.get(page).content.decode()
    assert "Lives in Leeds" not in shown
    assert listened in shown
    assert client.get(listened).status_code == 204
    look(alice, here.conversation)
    for path in (listened, page):
        assert ("Lives in Leeds" in client.get(path).content.decode()) is confirms


@alone
def test_what_the_profile_says_is_not_written_down_again(alice: User, serve: Serve) -> None:
    tell(alice, "I work at Acme")
    serve(normal(answer(fact("employer", "Acme", QUOTE))))
    look(alice, tell(alice, KEYS).conversation)
    assert (notes(alice), values(alice, "employer")) == ([], {"Acme"})


@alone
def test_another_value_than_the_profiles_is_a_question(alice: User, serve: Serve) -> None:
    tell(alice, "I work at Acme")
    serve(normal(answer(fact("employer", "Globex", "my first day at Globex starts soon"))))
    look(alice, tell(alice, FIRST_DAY).conversation)
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
    assert (entry.old_fact.value, entry.new_fact.value) == ("Acme", "Globex")
    assert notes(alice) == []


@alone
def test_a_second_look_goes_on_where_the_first_ended(alice: User, serve: Serve) -> None:
    server = serve(normal(answer(operation()), answer()))
    first = tell(alice, KEYS)
    look(alice, first.conversation)
    tell(alice, "The neighbours brought us cake", first.conversation)
    look(alice, first.conversation)
    assert f'read="before">{KEYS}' in sent(server)
    assert ">The neighbours brought us cake" in sent(server)
    assert 'so_far=""' in sent(server)
    assert notes(alice) == [NOTE]


@alone
def test_a_look_with_nothing_new_asks_nobody(alice: User, serve: Serve) -> None:
    server = serve(normal(answer(operation())))
    message = tell(alice, KEYS)
    look(alice, message.conversation)
    look(alice, message.conversation)
    assert len(server.requests) == 1
    assert waiting(alice) == []


@alone
def test_a_later_summary_takes_the_place_of_the_earlier(alice: User, serve: Serve) -> None:
    server = serve(
        normal(answer(summary="The keys."), answer(summary="Keys, neighbours and cake."))
    )
    message = tell(alice, KEYS)
    look(alice, message.conversation)
    tell(alice, "The neighbours brought us cake", message.conversation)
    look(alice, message.conversation)
    assert summaries(alice) == ["Keys, neighbours and cake."]
    assert 'so_far="The keys."' in sent(server)


@alone
def test_an_outdated_note_gives_way_to_the_later_one(alice: User, serve: Serve) -> None:
    with acting_as(alice):
        old = note_store.write_by_hand(alice.pk, "Rents a place above the bakery")
        Memory.objects.filter(pk=old.pk).update(source=Memory.Source.USER)
    serve(normal(answer(operation(op="update", target="n1", reason="change"))))
    look(alice, tell(alice, KEYS).conversation)
    with acting_as(alice):
        old.refresh_from_db()
    assert (old.status, old.superseded_by_id) == (Memory.Status.SUPERSEDED, the_note(alice).pk)


@alone
def test_a_note_that_its_owner_wrote_waits_for_their_yes(alice: User, serve: Serve) -> None:
    with acting_as(alice):
        own = note_store.write_by_hand(alice.pk, "Rents a place above the bakery")
    serve(normal(answer(operation(op="update", target="n1", reason="change"))))
    look(alice, tell(alice, KEYS).conversation)
    with acting_as(alice):
        own.refresh_from_db()
    assert own.status == Memory.Status.ACTIVE
    assert the_note(alice).status == Memory.Status.WAITING
    assert the_note(alice).replaces_id == own.pk


@alone
def test_many_messages_are_read_a_stretch_at_a_time(
    alice: User, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening_stretch, "MOST_MESSAGES", 4)
    server = serve(normal(answer()))
    talk = tell(alice, KEYS).conversation
    for number in range(9):
        tell(alice, f"And box number {number} is unpacked", talk)
    look(alice, talk)
    work_through(alice)
    assert len(server.requests) == 3
    assert [sent(server, n).count('by="person"') - sent(server, n).count("before") for n in
            range(3)] == [4, 4, 2]  # fmt: skip
    assert read_up_to(talk) == 10


@alone
def test_a_long_message_takes_a_stretch_of_its_own(alice: User, serve: Serve) -> None:
    server = serve(normal(answer()))
    talk = tell(alice, "Boxes, boxes, boxes. " * 500).conversation
    tell(alice, "More boxes everywhere. " * 500, talk)
    look(alice, talk)
    work_through(alice)
    assert len(server.requests) == 2
    assert all(len(sent(server, place)) < 30_000 for place in range(2))
    assert read_up_to(talk) == 2
