"""What a conversation was about, in a line, made without a model."""

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import message_learning
from conversations.summaries import short_summary
from memory.models import Memory
from memory.notes import note_store
from tests.people import said, tell

TYPED = "I moved to Lisbon on the 12th of May."
BOOKED = "I booked a flight to Bergen for the 14th of May."
PASTED = "I started a job at Initech in Oslo on 3 May and I bought a house there."


def summary_of(user: User) -> str:
    with acting_as(user):
        rows = Memory.objects.active().filter(category=Memory.Category.SUMMARY)
        return " ".join(rows.values_list("original", flat=True))


def test_a_summary_holds_what_was_typed_and_nothing_that_was_pasted(alice: User) -> None:
    message = said(alice, f"{TYPED} Look: {PASTED}", pasted=(PASTED,))
    message_learning.learn_now(message)
    with acting_as(alice):
        short_summary.summarise(message.conversation)
    assert "Lisbon" in summary_of(alice)
    assert "Initech" not in summary_of(alice)


def test_what_was_taken_back_is_not_summed_up(alice: User) -> None:
    message = tell(alice, BOOKED)
    with acting_as(alice):
        note_store.remove_note(Memory.objects.get())
        short_summary.summarise(message.conversation)
    assert summary_of(alice) == ""


def test_a_summary_repeats_no_note(alice: User) -> None:
    message = tell(alice, BOOKED)
    tell(alice, TYPED, message.conversation)
    with acting_as(alice):
        short_summary.summarise(message.conversation)
        summary = Memory.objects.get(category=Memory.Category.SUMMARY)
        assert Memory.objects.filter(content__contains="Bergen").count() == 1
    assert summary.content == TYPED
    assert BOOKED in summary.original


def test_a_conversation_whose_every_sentence_is_noted_has_no_summary_beside(alice: User) -> None:
    message = tell(alice, BOOKED)
    with acting_as(alice):
        short_summary.summarise(message.conversation)
        assert not Memory.objects.filter(category=Memory.Category.SUMMARY).exists()
