"""A model reads a conversation: by the worker, over real HTTP, and what comes of it."""

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
    NOTE,
    alone,
    answer,
    answered,
    fact,
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
from tests.people import Talk, tell


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
    server = serve(
        normal(answer(summary="The keys."), answer(summary="Keys, neighbours and cake."))
    )
    message = tell(alice, KEYS)
    for _ in range(2):
        look(alice, message.conversation)
    assert len(server.requests) == 1
    tell(alice, "The neighbours brought us cake", message.conversation)
    look(alice, message.conversation)
    assert f'read="before">{KEYS}' in sent(server)
    assert 'so_far="The keys."' in sent(server)
    assert summaries(alice) == ["Keys, neighbours and cake."]


@alone
@pytest.mark.parametrize("by_hand", [True, False])
def test_a_later_note_replaces_the_outdated_one_or_waits_where_its_owner_wrote_that(
    alice: User, serve: Serve, by_hand: bool
) -> None:
    with acting_as(alice):
        old = note_store.write_by_hand(alice.pk, "Rents a place above the bakery")
        if not by_hand:
            Memory.objects.filter(pk=old.pk).update(source=Memory.Source.USER)
    serve(normal(answer(operation(op="update", target="n1", reason="change"))))
    look(alice, tell(alice, KEYS).conversation)
    with acting_as(alice):
        old.refresh_from_db()
    note = the_note(alice)
    if by_hand:
        assert (old.status, note.status) == (Memory.Status.ACTIVE, Memory.Status.WAITING)
        assert note.replaces_id == old.pk
    else:
        assert (old.status, old.superseded_by_id) == (Memory.Status.SUPERSEDED, note.pk)


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
    assert read_up_to(talk) == 10
