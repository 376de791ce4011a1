"""An answer, opened: what it drew on, why, what was looked up, what it took."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.web.present.answer_trace import AnswerTrace, Used, opened
from memory.models import ProfileFact
from memory.notes import note_store
from tests.people import said, tell, the_fact

pytestmark = pytest.mark.django_db
SCORE = {"s": 0.8, "rho": 0.5, "w": 0.9, "R": 0.36}


def answer_with(user: User, *recalled: tuple[str, UUID], **changes: Any) -> Message:
    """An answer that drew on these, in a conversation of its own."""
    kept = [{"what": what, "id": str(pk), **SCORE} for what, pk in recalled]
    conversation = said(user, "What do you know?").conversation
    with acting_as(user):
        (answer,) = append(
            user, conversation, [NewMessage(Message.Role.ASSISTANT, "This and that")]
        )
        Message.objects.filter(pk=answer.pk).update(recalled=kept, **changes)
        return answer


def open_it(answer: Message) -> AnswerTrace:
    with acting_as(answer.user_id):
        return opened(Message.objects.get(pk=answer.pk))


def only(answer: Message) -> Used:
    (used,) = open_it(answer).used
    return used


def page(client: Client, answer: Message, **headers: str) -> str:
    response = client.get(f"/messages/{answer.pk}/why/", headers=headers)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_facts_notes_and_messages_are_shown_as_they_were_kept_with_a_way_to_each(
    alice: User, as_alice: Client
) -> None:
    told = tell(alice, "I live in Lisbon")
    fact = the_fact(alice, "location")
    with acting_as(alice):
        note = note_store.write_by_hand(alice.pk, "Rows on the lake every Sunday")
        Conversation.objects.filter(pk=told.conversation_id).update(title="Moving")
    answer = answer_with(alice, ("fact", fact.pk), ("memory", note.pk), ("quote", told.pk))
    first, second, third = open_it(answer).used
    assert (first.kind, first.text) == ("Lives in", "Lisbon")
    assert (second.kind, second.text) == ("Memory", "Rows on the lake every Sunday")
    assert (third.kind, third.text) == ("You said", "I live in Lisbon")
    assert third.about.endswith("in Moving")
    for used in (first, second, third):
        assert as_alice.get(used.url).status_code == 200


def test_what_was_taken_back_or_removed_since_is_gone_without_its_words(
    alice: User, as_alice: Client
) -> None:
    told = tell(alice, "I live in Thistlewick")
    fact = the_fact(alice, "location")
    with acting_as(alice):
        note = note_store.write_by_hand(alice.pk, "Rows on Thistlewick pond every Sunday")
        ProfileFact.objects.filter(pk=fact.pk).update(status=ProfileFact.Status.REMOVED)
        note_store.remove_note(note)
        Message.objects.filter(pk=told.pk).update(state=Message.State.REMOVED)
    gone = [("fact", fact.pk), ("memory", note.pk), ("quote", told.pk), ("override", uuid4())]
    answer = answer_with(alice, *gone)
    used = open_it(answer).used
    assert [one.gone for one in used] == [True] * 4
    assert "Thistlewick" not in str(used)
    shown = page(as_alice, answer)
    assert shown.count("that no longer exists") == 4
    assert "Thistlewick" not in shown.partition("<main")[2]


def test_words_of_a_conversation_that_became_private_stay_in_it(alice: User) -> None:
    told = said(alice, "The surprise is at Thistlewick")
    answer = answer_with(alice, ("quote", told.pk))
    with acting_as(alice):
        Conversation.objects.filter(pk=told.conversation_id).update(privacy="private")
    used = only(answer)
    assert used.gone
    assert "Thistlewick" not in str(used)
    assert str(told.conversation_id) not in str(used)


def test_a_note_that_an_answer_drew_on_is_left_out_from_there(
    alice: User, as_alice: Client
) -> None:
    with acting_as(alice):
        note = note_store.write_by_hand(alice.pk, "Rows on the lake every Sunday")
        other = note_store.write_by_hand(alice.pk, "Keeps bees on the roof")
    answer = answer_with(alice, ("memory", note.pk))
    for one in (note, other):
        address = f"/messages/{answer.pk}/leave-out/"
        sent = as_alice.post(address, {"note": str(one.pk)}, headers={"HX-Request": "true"})
        assert sent.status_code == 200
    assert "One memory that you paused" in sent.content.decode()
    assert only(answer).about == "since paused"
    assert only(answer).note_id is None
    with acting_as(alice):
        other.refresh_from_db()
    assert other.status == "active"
