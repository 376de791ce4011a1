"""An answer, opened: what it drew on, why, what was looked up, what it took."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion import message_deletion
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.web.present.answer_trace import AnswerTrace, Used, opened
from ledger import erasure
from memory.models import Override, ProfileFact
from memory.notes import note_store
from memory.notes.note_store import pause_note
from tests.people import Talk, client_for, said, tell, the_fact

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


# --- What was used -------------------------------------------------------------------------------


def test_a_real_answer_opens_to_the_fact_it_told(
    talk: Callable[..., Talk], as_alice: Client
) -> None:
    talk().say("I live in Lisbon")
    answer = talk().say("Where do I live?")
    (used,) = [one for one in open_it(answer).used if one.kind == "Lives in"]
    assert (used.text, used.gone) == ("Lisbon", False)
    assert used.fits or used.always == "You asked about this."
    assert used.url.startswith("/notebook/profile/#fact-")
    shown = page(as_alice, answer)
    assert "Lisbon" in shown
    assert "Language model" in shown
    assert f'href="{escape(answer.get_absolute_url())}"' in shown


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


def test_what_hardly_relates_is_folded_and_a_score_of_nothing_is_not_shown(
    alice: User, as_alice: Client
) -> None:
    with acting_as(alice):
        notes = [
            note_store.write_by_hand(alice.pk, f"Rows on lake {n} on Sunday") for n in range(8)
        ]
    answer = answer_with(alice, *[("memory", note.pk) for note in notes])
    slight = {"s": 0.0, "rho": 0.5, "w": 0.9, "R": 0.0}
    with acting_as(alice):
        answer.refresh_from_db()
        kept = [kept | (slight if n in (0, 7) else {}) for n, kept in enumerate(answer.recalled)]
        Message.objects.filter(pk=answer.pk).update(recalled=kept)
    trace = open_it(answer)
    assert [one.text[8:14] for one in trace.mattered] == ["lake 1", "lake 2", "lake 3", "lake 4"]
    assert [one.text[8:14] for one in trace.also_used] == ["lake 5", "lake 6", "lake 0", "lake 7"]
    shown = page(as_alice, answer)
    assert "Also looked at (4)" in shown
    assert shown.index("Rows on lake 4") < shown.index("Also looked at") < shown.index("lake 0")
    assert "0.00" not in shown


def test_where_nothing_relates_the_first_is_shown(alice: User) -> None:
    with acting_as(alice):
        note = note_store.write_by_hand(alice.pk, "Rows on the lake")
    answer = answer_with(alice, ("memory", note.pk))
    with acting_as(alice):
        answer.refresh_from_db()
        Message.objects.filter(pk=answer.pk).update(recalled=[answer.recalled[0] | {"s": 0.0}])
    trace = open_it(answer)
    assert (len(trace.mattered), trace.also_used) == (1, [])


def test_what_was_erased_is_gone(alice: User) -> None:
    tell(alice, "I live in Thistlewick")
    fact = the_fact(alice, "location")
    answer = answer_with(alice, ("fact", fact.pk))
    with acting_as(alice):
        erasure.erase(fact)
    assert (only(answer).kind, only(answer).text) == ("A fact that no longer exists", "")


def test_a_turn_that_was_taken_out_takes_its_words_from_other_answers(alice: User) -> None:
    told = said(alice, "The boat is at Thistlewick")
    answer = answer_with(alice, ("quote", told.pk))
    assert only(answer).text == "The boat is at Thistlewick"
    with acting_as(alice):
        message_deletion.remove_turn(alice, told, message_deletion.everything)
    assert only(answer).gone


@pytest.mark.parametrize(
    ("status", "about"),
    [
        ("past", "no longer true"),
        ("set_aside", "since set aside as not true"),
        ("challenger", "not settled"),
    ],
)
def test_what_became_of_a_fact_is_said_beside_it(
    alice: User, as_alice: Client, status: str, about: str
) -> None:
    tell(alice, "I live in Lisbon")
    fact = the_fact(alice, "location")
    with acting_as(alice):
        ProfileFact.objects.filter(pk=fact.pk).update(status=status)
    used = only(answer_with(alice, ("fact", fact.pk)))
    assert (used.text, used.about) == ("Lisbon", about)
    assert not used.url or as_alice.get(used.url).status_code == 200


def test_words_of_a_conversation_that_became_private_stay_in_it(alice: User) -> None:
    told = said(alice, "The surprise is at Thistlewick")
    answer = answer_with(alice, ("quote", told.pk))
    with acting_as(alice):
        Conversation.objects.filter(pk=told.conversation_id).update(privacy="private")
    used = only(answer)
    assert used.gone
    assert "Thistlewick" not in str(used)
    assert str(told.conversation_id) not in str(used)


def test_what_holds_here_only_is_told_in_its_own_conversation_only(alice: User) -> None:
    answer, elsewhere_said = answer_with(alice), said(alice, "Hello")
    with acting_as(alice):
        held, other = (
            Override.objects.create(
                user=alice,
                conversation=message.conversation,
                slot="location",
                value="Porto",
                message=message,
            )
            for message in (answer, elsewhere_said)
        )
        kept = [{"what": "override", "id": str(one.pk)} for one in (held, other)]
        Message.objects.filter(pk=answer.pk).update(recalled=kept)
    here, elsewhere = open_it(answer).used
    assert (here.text, here.about) == ("Porto", "in this conversation only")
    assert here.always
    assert elsewhere.gone


def test_somebody_elses_row_is_never_shown(alice: User, bob: User) -> None:
    tell(bob, "I live in Thistlewick")
    answer = answer_with(alice, ("fact", the_fact(bob, "location").pk))
    assert only(answer).gone
    assert client_for(bob).get(f"/messages/{answer.pk}/why/").status_code == 404


def test_what_it_used_is_told_with_trust_and_source(alice: User, as_alice: Client) -> None:
    told = tell(alice, "I live in Lisbon")
    with acting_as(alice):
        Conversation.objects.filter(pk=told.conversation_id).update(title="Moving")
        note = note_store.write_by_hand(alice.pk, "Rows on the lake every Sunday")
        note_store.write_by_hand(alice.pk, "Keeps bees on the roof")
    answer = answer_with(alice, ("fact", the_fact(alice, "location").pk), ("memory", note.pk))
    made = open_it(answer)
    fact, written = made.used
    assert fact.trust is not None
    assert (fact.source, fact.source_url) == ("Moving", told.get_absolute_url())
    assert (written.source, written.source_url) == ("You wrote this", "")
    assert as_alice.get(fact.edit_url).status_code == 200
    assert as_alice.get(written.edit_url).status_code == 200
    shown = page(as_alice, answer)
    # Why the first was used stands open, and no other.
    assert shown.count('<details class="opened-why" open>') == 1
    assert shown.count("Pause this memory") == 1


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


def test_what_is_left_out_on_purpose_is_told_with_a_way_to_it(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    talk().say("I work at Microsoft")
    talk().say("I work at Google")
    private = said(alice, "Nobody hears of this").conversation
    with acting_as(alice):
        Conversation.objects.filter(pk=private.pk).update(privacy="private")
    told = open_it(answer_with(alice)).left_out
    words = [one.words for one in told]
    assert words == ["Employer, until you choose which is right", "One private conversation"]
    assert as_alice.get(told[0].url).status_code == 200


def test_what_began_after_an_answer_is_not_left_out_of_it(
    alice: User, talk: Callable[..., Talk]
) -> None:
    answer = answer_with(alice)
    talk().say("I work at Microsoft")
    talk().say("I work at Google")
    later = said(alice, "Nobody hears of this").conversation
    with acting_as(alice):
        Conversation.objects.filter(pk=later.pk).update(privacy="private")
        paused = note_store.write_by_hand(alice.pk, "Keeps bees on the roof")
        pause_note(paused)
    assert open_it(answer).left_out == []


# --- Why, which tools, how much ------------------------------------------------------------------


def test_factors_are_told_in_words_with_a_bar_and_the_number(alice: User) -> None:
    tell(alice, "I live in Lisbon")
    used = only(answer_with(alice, ("fact", the_fact(alice, "location").pk)))
    assert used.fits == "Fits your question very well"
    told = [(one.name, one.word, one.share, one.number) for one in used.factors]
    assert told == [
        ("Match", "very well", 80, "0.80"),
        ("Freshness", "a while ago", 50, "0.50"),
        ("Belief", "sure", 90, "0.90"),
        ("Together", "fair", 36, "0.36"),
    ]


def test_tools_tokens_and_time_are_told(alice: User, as_alice: Client) -> None:
    step = {
        "tool": "recall_memories",
        "arguments": {"query": "boats"},
        "state": "done",
        "found": "4 found",
        "milliseconds": 12,
    }
    counted = {"tokens_in": 1432, "tokens_out": 31, "milliseconds": 2310}
    shown = page(as_alice, answer_with(alice, steps=[step], **counted))
    for words in ("Searched our conversations for “boats” · 4 found", "1,432", "31", "2.3\xa0s"):
        assert " ".join(words.split()) in shown
    assert "Only this conversation" in shown


def test_it_opens_in_its_place_and_as_a_page(alice: User, as_alice: Client) -> None:
    answer = answer_with(alice)
    assert "<html" in page(as_alice, answer)
    assert "<html" not in page(as_alice, answer, HX_Request="true")
    talk = as_alice.get(answer.conversation.get_absolute_url()).content.decode()
    assert talk.count(f'href="/messages/{answer.pk}/why/"') == 1


def test_a_message_of_its_owner_and_a_removed_answer_do_not_open(
    alice: User, as_alice: Client
) -> None:
    question = said(alice, "Hello")
    removed = answer_with(alice, state=Message.State.REMOVED)
    for message in (question, removed):
        assert as_alice.get(f"/messages/{message.pk}/why/").status_code == 404


def test_it_costs_the_same_however_much_was_used(alice: User, as_alice: Client) -> None:
    def cost(answer: Message) -> int:
        with CaptureQueriesContext(connection) as captured:
            page(as_alice, answer)
        return len(captured)

    told = [tell(alice, f"I like {what}") for what in ("tea", "chess", "maps", "boats", "bread")]
    with acting_as(alice):
        facts = list(ProfileFact.objects.for_user(alice.pk).values_list("pk", flat=True))
        notes = [
            note_store.write_by_hand(alice.pk, f"Rows on lake {name} every Sunday").pk
            for name in ("Garda", "Como", "Maggiore", "Iseo", "Orta")
        ]
    kinds = {"fact": facts, "memory": notes, "quote": [one.pk for one in told]}
    few = answer_with(alice, *((what, ids[0]) for what, ids in kinds.items()))
    many = answer_with(alice, *((what, pk) for what, ids in kinds.items() for pk in ids))
    page(as_alice, few)
    assert cost(few) == cost(many)
