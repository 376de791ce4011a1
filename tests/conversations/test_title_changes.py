"""When a conversation's title changes by itself, and when it may not."""

from typing import Any

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion.message_deletion import nothing, remove_turn
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.privacy import hide_the_title


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


LONG = "So I have been thinking about it for a while and I finally got a job at Acme as a nurse"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (LONG, "Works at Acme, Job: nurse"),
        (
            "Yesterday evening we finally went with Tobi to the new Italian restaurant in Leeds "
            "and it was lovely",
            "Tobi, Leeds",
        ),
        ("I work at Acme", "I work at Acme"),
        (
            "Can you help me write a really long cover letter for a job at Acme in Leeds please?",
            "Write a really long cover letter for a job at Acme in Leeds…",
        ),
    ],
)
@pytest.mark.django_db
def test_a_long_first_sentence_is_named_by_what_it_tells(text: str, name: str, alice: User) -> None:
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
        _say(alice, talk, text)
        talk.refresh_from_db()
    assert talk.name == name


@pytest.mark.django_db
def test_a_name_by_what_is_told_goes_with_its_message(alice: User) -> None:
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
        message = _say(alice, talk, LONG)
        hide_the_title(message.conversation, message)
        talk.refresh_from_db()
    assert "Acme" not in talk.name


@pytest.mark.parametrize("text", ["I have asthma", f"{LONG} and I have asthma"])
@pytest.mark.django_db
def test_a_private_matter_names_no_conversation(text: str, alice: User, talk: Any) -> None:
    here = talk()
    here.say(text)
    with acting_as(alice):
        here.conversation.refresh_from_db()
    assert not {"Acme", "asthma"} & set(here.conversation.name.split())
