"""Taking out what was said: a turn, the end of a conversation, all of it; and asking once more."""

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User, Work
from conversations.deletion import message_deletion
from conversations.learning import listening_runs, message_learning
from conversations.models import Conversation, LearningOutcome, Message
from conversations.titles import title_from
from conversations.turns import answer_writer, turn
from ledger.models import Contradiction
from memory.models import Memory, Mention, Override, Passage, ProfileFact
from memory.notes import note_store, summary_store
from memory.notes.drafts import NoteDraft
from memory.operations.schema import ListeningAnswer
from memory.retrieval import passage_search
from tests.conversations.looking import operation
from tests.conversations.taking_out import (
    State,
    again,
    alone,
    fill,
    for_real,
    messages_of,
    numbers,
    question_of,
    remove,
)
from tests.people import Talk, let_time_pass, said, tell, the_fact, together, values


def all_in_a_summary(asked: Any, *, schema: type[ListeningAnswer]) -> ListeningAnswer:
    """A model that sums up all it reads, word for word."""
    said = re.findall(r'by="person"[^>]*>([^<]*)</line>', asked[-1]["content"])
    return ListeningAnswer(operations=[], summary=". ".join(said)[-300:])


XYLOPHONIA = "I plan to go to the Xylophonia festival"


def delete(
    user: User, there: Conversation, take: message_deletion.Take = message_deletion.everything
) -> None:
    with acting_as(user):
        message_deletion.remove_conversation(user, there, take)


def draft(content: str) -> NoteDraft:
    return NoteDraft(
        content=content,
        category=Memory.Category.FACT,
        kind=Memory.Kind.SEMANTIC,
        confidence=0.9,
        trust=0.9,
    )


def note_of(message: Message, content: str) -> Memory:
    with acting_as(message.user_id):
        kept = note_store.keep_note(message.scope, draft(content))
    assert isinstance(kept, note_store.NoteKept)
    return kept.memory


def is_there(user: User, value: str) -> bool:
    """Whether any fact has the value, whatever its standing."""
    with acting_as(user):
        return ProfileFact.objects.filter(value=value).exists()


@alone
def test_a_turn_that_is_taken_out_leaves_its_numbers_empty(alice: User) -> None:
    there = Talk(alice)
    first = there.say("I work at Qwertzfirm")
    there.say("And I like tea")
    remove(alice, first)
    question, answer, *rest = messages_of(first.conversation)
    assert numbers(first.conversation) == [1, 2, 3, 4]
    for one in (question, answer):
        assert (one.state, one.content, one.failure, one.client_key) == (State.REMOVED, "", "", "")
        assert (one.recalled, one.steps, one.pasted, one.used_facts) == ([], [], [], [])
    assert [one.state for one in rest] == [State.DONE, State.DONE]
    with acting_as(alice):
        assert not LearningOutcome.objects.filter(message__in=[question, answer]).exists()
        assert not Passage.objects.filter(message__in=[question, answer]).exists()
        assert not Mention.objects.filter(message__in=[question, answer]).exists()


@alone
def test_a_message_without_an_answer_goes_alone(alice: User) -> None:
    first = tell(alice, "I work at Qwertzfirm")
    second = tell(alice, "I like olives", first.conversation)
    remove(alice, first)
    assert [one.state for one in messages_of(second.conversation)] == [State.REMOVED, State.DONE]


@alone
def test_a_turn_in_progress_is_refused_in_words_and_nothing_changes(alice: User) -> None:
    exchange = turn.begin(alice, None, "I work at Qwertzfirm")
    with pytest.raises(message_deletion.BeingWritten, match="press Stop"):
        remove(alice, exchange.question)
    assert again(exchange.question).content == "I work at Qwertzfirm"
    with acting_as(alice):
        assert sorted(Work.objects.values_list("kind", flat=True)) == ["answer", "learn"]


@alone
def test_what_only_it_said_is_erased_and_what_others_say_stays(alice: User) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm and live in Lyon")
    elsewhere = tell(alice, "I live in Lyon")
    remove(alice, answer)
    assert not is_there(alice, "Qwertzfirm")
    with acting_as(alice):
        assert AuditEvent.objects.filter(deed="erased", slot="employer").count() == 1
        assert not AuditEvent.objects.filter(after="Qwertzfirm").exists()
    fact = the_fact(alice, "location")
    assert fact.value == "Lyon"
    assert (fact.source_message_id, fact.source_conversation_id) == (
        elsewhere.pk,
        elsewhere.conversation_id,
    )
    with acting_as(alice):
        assert [m.message_id for m in fact.mentions.all()] == [elsewhere.pk]


@alone
def test_what_was_learned_stays_when_its_owner_wants_it(alice: User) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm and live in Lyon")
    work_place = the_fact(alice, "employer")
    remove(alice, answer, lambda key: key != work_place.pk)
    assert values(alice, "employer") == {"Qwertzfirm"}
    assert values(alice, "location") == set()


@alone
def test_notes_go_with_it_and_a_second_voice_keeps_them(alice: User) -> None:
    first, second = said(alice, "Some words"), said(alice, "Other words")
    alone_there = note_of(first, "Keeps bees on the roof of the shed")
    agreed = note_of(first, "Plays the cello in a quartet on Mondays")
    with acting_as(alice):
        note_store.keep_note(second.scope, draft("Plays the cello in a quartet on Mondays"))
    remove(alice, first)
    with acting_as(alice):
        assert not Memory.objects.filter(pk=alone_there.pk).exists()
    assert again(agreed).status == Memory.Status.ACTIVE
    assert again(agreed).source_message_id == second.pk


@alone
def test_what_waited_for_a_yes_is_gone_and_may_be_asked_again(alice: User) -> None:
    pasted = "I work at Zephyrsoft. I live in Alphaville."
    first = tell(alice, pasted, pasted=(pasted,))
    with acting_as(alice):
        waits = Memory.objects.filter(status=Memory.Status.WAITING)
        assert waits.filter(source_message=first).exists()
    remove(alice, first)
    with acting_as(alice):
        assert not Memory.objects.filter(status=Memory.Status.WAITING).exists()
        assert not AuditEvent.objects.filter(deed="declined").exists()
    tell(alice, pasted, pasted=(pasted,))
    with acting_as(alice):
        assert Memory.objects.filter(status=Memory.Status.WAITING).exists()


@alone
def test_a_question_that_only_it_carries_goes_with_it_whatever_is_kept(alice: User) -> None:
    tell(alice, "I work at Google")
    against = tell(alice, "I work at Microsoft")
    remove(alice, against, message_deletion.nothing)
    with acting_as(alice):
        assert not Contradiction.objects.open().exists()
    assert values(alice, "employer") == {"Google"}
    assert not is_there(alice, "Microsoft")


@alone
def test_the_value_that_stood_against_what_goes_is_what_is_left(alice: User) -> None:
    held = tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft")
    remove(alice, held)
    assert values(alice, "employer") == {"Microsoft"}
    with acting_as(alice):
        assert not Contradiction.objects.open().exists()


@alone
def test_two_values_that_were_both_said_here_leave_nothing_behind(alice: User) -> None:
    first = tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft", first.conversation)
    delete(alice, first.conversation)
    assert values(alice, "employer") == set()
    with acting_as(alice):
        assert not Contradiction.objects.open().exists()


@alone
def test_a_name_for_this_conversation_goes_with_the_turn_that_gave_it(alice: User) -> None:
    answer = Talk(alice).say("call me Tortuga in this chat")
    with acting_as(alice):
        assert Override.objects.exists()
    remove(alice, answer)
    with acting_as(alice):
        assert not Override.objects.exists()


@alone
def test_it_is_found_and_quoted_no_more(alice: User) -> None:
    there = Talk(alice)
    answer = there.say("The Xylophonia festival was wonderful with all those marimbas")
    there.say("Something else altogether")
    remove(alice, answer)
    with acting_as(alice):
        found = passage_search.search_passages(
            alice.pk, "Xylophonia festival marimbas", k=5, asked_at=answer.said_at
        )
        asked = answer_writer.prompt.build(messages_of(answer.conversation)[2])
    assert not [hit.text for hit in found if "Xylophonia" in hit.text]
    assert list(asked.history) == []
    assert "Xylophonia" not in asked.injected.text


@alone
def test_a_title_made_of_its_words_is_made_of_others(alice: User) -> None:
    there = Talk(alice)
    first = there.say("Xylophonia was wonderful this year")
    second = there.say("Tell me about olives")
    remove(alice, first)
    asked = question_of(second)
    assert again(first.conversation).title == title_from(asked.content, asked.said_at)
    remove(alice, second)
    assert "olives" not in again(first.conversation).title
    assert again(first.conversation).title


@alone
@pytest.mark.parametrize("up_to", [1, 4])
def test_a_summary_that_may_hold_its_words_is_made_anew(alice: User, up_to: int) -> None:
    there = Talk(alice)
    first = there.say("I like olives")
    there.say("I like tea")
    with acting_as(alice):
        Conversation.objects.update(
            compact_summary="They like olives", compacted_up_to=up_to, topics_up_to=4
        )
    remove(alice, first)
    kept = again(first.conversation)
    assert (kept.compact_summary, kept.compacted_up_to, kept.topics_up_to) == ("", 0, 0)


@alone
def test_the_summary_among_the_notes_goes(alice: User) -> None:
    there = Talk(alice)
    answer = there.say("I moved to Xylophonia in May 2024")
    there.say("We booked the hotel in Lisbon for the first week of May already")
    with acting_as(alice):
        summary_store.keep_summary(answer.scope, "The move to Xylophonia, and a hotel in Lisbon")
    remove(alice, answer)
    with acting_as(alice):
        assert not Memory.objects.filter(category="summary").exists()


@alone
def test_what_a_deleted_conversation_taught_may_stay(alice: User) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    delete(alice, answer.conversation, message_deletion.nothing)
    fact = the_fact(alice, "employer")
    assert (fact.source_message_id, fact.source_conversation_id) == (None, None)
    with acting_as(alice):
        assert not Message.objects.filter(conversation=answer.conversation_id).exists()
        assert AuditEvent.objects.filter(conversation=answer.conversation_id).exists(), "the log"


@alone
def test_a_conversation_in_which_something_is_written_is_refused(alice: User) -> None:
    exchange = turn.begin(alice, None, "I work at Qwertzfirm")
    with pytest.raises(message_deletion.BeingWritten):
        delete(alice, exchange.question.conversation)
    turn.stop(alice, exchange.answer)
    delete(alice, exchange.question.conversation)
    with acting_as(alice):
        assert (Message.objects.count(), Work.objects.count()) == (0, 0)


@for_real
def test_what_is_being_learned_from_is_learned_first_and_then_taken_back(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = said(alice, "I work at Qwertzfirm")
    inside, go_on = threading.Event(), threading.Event()
    read = message_learning._take_notes

    def slowly(message: Message) -> tuple[list[LearningOutcome], bool]:
        done = read(message)
        inside.set()
        go_on.wait(10)
        return done

    monkeypatch.setattr(message_learning, "_take_notes", slowly)
    learner = threading.Thread(target=together, args=[lambda: message_learning.learn_now(message)])
    learner.start()
    assert inside.wait(10)
    deleter = threading.Thread(target=together, args=[lambda: remove(alice, message)])
    deleter.start()
    deleter.join(0.5)
    assert deleter.is_alive()
    go_on.set()
    learner.join(10)
    deleter.join(10)
    assert values(alice, "employer") == set()
    assert again(message).content == ""
    with acting_as(alice):
        assert not Passage.objects.exists()
        assert not LearningOutcome.objects.exists()


@for_real
def test_learning_and_deleting_at_once_leave_nothing_in_either_order(alice: User) -> None:
    for turn_number in range(6):
        message = said(alice, f"I work at Qwertzfirm{turn_number} and live in Lyon{turn_number}")
        results = together(
            lambda m=message: message_learning.learn_now(m),  # type: ignore[misc]
            lambda m=message: remove(alice, m),  # type: ignore[misc]
        )
        assert [r for r in results if isinstance(r, Exception)] == []
        assert values(alice, "employer") == values(alice, "location") == set()
        with acting_as(alice):
            assert not Passage.objects.exists()
            assert not Work.objects.filter(subject=message.pk).exists()


def notes_from_a_model(monkeypatch: pytest.MonkeyPatch, deed: Callable[[], None]) -> None:
    """A model that adds a note and a summary, and takes its time: `deed` is done meanwhile."""
    monkeypatch.setattr(listening_runs.llm, "configured", lambda: True)

    def ask(asked: Any, *, schema: type[ListeningAnswer]) -> ListeningAnswer:
        deed()
        noted = operation(text="Plans to go to the Xylophonia festival", words=XYLOPHONIA)
        summary = "They plan for Xylophonia."
        return ListeningAnswer.model_validate({"operations": [noted], "summary": summary})

    monkeypatch.setattr(listening_runs.background, "ask", ask)


@alone
@pytest.mark.parametrize("how", ["taken out", "deleted", "reworded", "claimed anew"])
def test_what_a_model_reads_while_it_is_taken_out_becomes_no_note(
    alice: User, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    there = Talk(alice)
    answer = there.say(XYLOPHONIA)
    question = question_of(answer)

    def meanwhile() -> None:
        monkeypatch.setattr(listening_runs.llm, "configured", lambda: False)
        if how == "deleted":
            delete(alice, answer.conversation)
        elif how == "reworded":
            fill(turn.resend(alice, question, "Good morning").answer)
        else:
            # Whoever claimed it between the deletion's first look and its end still holds it.
            withdraw = message_deletion._withdraw if how == "taken out" else lambda *_: []
            with monkeypatch.context() as patched:
                patched.setattr(message_deletion, "_withdraw", withdraw)
                remove(alice, answer)
        monkeypatch.setattr(listening_runs.llm, "configured", lambda: True)

    notes_from_a_model(monkeypatch, meanwhile)
    with acting_as(alice):
        work.enqueue(alice, listening_runs.KIND, answer.conversation_id)
    held = work.claim(alice.pk, listening_runs.KIND, answer.conversation_id)
    assert held is not None
    listening_runs.listen_to(held)
    with acting_as(alice):
        told = Memory.objects.filter(content__contains="Xylophonia", status="active")
        assert list(told.values_list("content", flat=True)) == []


@for_real
def test_a_summary_and_a_deletion_at_once_leave_none_of_its_words(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Talk(alice)
    there.say("We booked the hotel in Lisbon for the first week of May already")
    for _ in range(4):
        answer = there.say("I am planning a long trip to the Xylophonia festival with my sister")
        with acting_as(alice):
            work.enqueue(alice, listening_runs.KIND, answer.conversation_id)
        let_time_pass(alice, kind=listening_runs.KIND)
        with monkeypatch.context() as patched:
            patched.setattr(listening_runs.llm, "configured", lambda: True)
            patched.setattr(listening_runs.background, "ask", all_in_a_summary)
            results = together(work.do_waiting_work, lambda a=answer: remove(alice, a))  # type: ignore[misc]
        assert [r for r in results if isinstance(r, Exception)] == []
        with acting_as(alice):
            told = Memory.objects.filter(content__contains="Xylophonia", status="active")
            assert not told.exists()
