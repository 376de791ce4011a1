"""The sentences of a conversation that say most."""

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from conversations.summaries import key_sentences
from tests.people import said

TYPED = "I moved to Lisbon on the 12th of May."
BOOKED = "I booked a flight to Bergen for the 14th of May."
PASTED = "I started a job at Initech in Oslo on 3 May and I bought a house there."


def extracted(user: User, *messages: Message) -> list[str]:
    with acting_as(user):
        return key_sentences.extract(list(messages))


def test_they_hold_what_was_typed_and_nothing_that_was_pasted(alice: User) -> None:
    message = said(alice, f"{TYPED} Look: {PASTED}", pasted=(PASTED,))
    told = " ".join(extracted(alice, message))
    assert "Lisbon" in told
    assert "Initech" not in told


def test_they_stand_in_the_order_in_which_they_were_said(alice: User) -> None:
    first = said(alice, BOOKED)
    messages = [first, *(said(alice, text, first.conversation) for text in ("Hello there", TYPED))]
    told = extracted(alice, *messages)
    assert ["Bergen" in told[0], "Lisbon" in told[-1]] == [True, True]
    assert len(told) == 2


def test_there_are_three_at_most(alice: User) -> None:
    first = said(alice, BOOKED)
    others = [f"I booked a hotel in Bergen for the {day}th of May." for day in range(15, 19)]
    messages = [first, *(said(alice, text, first.conversation) for text in others)]
    assert len(extracted(alice, *messages)) == key_sentences.SENTENCES
