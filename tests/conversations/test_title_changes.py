"""When a conversation's title changes by itself, and when it may not."""

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion.message_deletion import nothing, remove_turn
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message


def _say(user: User, talk: Conversation, text: str) -> Message:
    return append(user, talk, [NewMessage(Message.Role.USER, text)])[0]


@pytest.mark.django_db
def test_a_title_that_was_given_stays_even_if_it_reads_as_a_new_one(
    alice: User, as_alice: Client
) -> None:
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
        _say(alice, talk, "hi")
    as_alice.post(f"/talk/{talk.pk}/rename/", {"title": "New conversation"})
    with acting_as(alice):
        _say(alice, talk, "The boiler leaks again.")
        talk.refresh_from_db()
    assert talk.title == "New conversation"


@pytest.mark.django_db
def test_after_a_deletion_the_title_is_what_is_told_first_past_a_greeting(alice: User) -> None:
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
        texts = ("hi", "The boiler leaks again.", "My sister moved to Porto.")
        _, boiler, _ = [_say(alice, talk, text) for text in texts]
        Message.objects.filter(conversation=talk).update(state=Message.State.DONE)
        remove_turn(alice, boiler, nothing)
        talk.refresh_from_db()
    assert talk.name == "My sister moved to Porto"
