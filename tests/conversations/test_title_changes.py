"""When a conversation's title changes by itself, and when it may not."""

from typing import Any

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
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


LONG = "So I have been thinking about it for a while and I finally got a job at Acme as a nurse"


@pytest.mark.parametrize("text", ["I have asthma", f"{LONG} and I have asthma"])
@pytest.mark.django_db
def test_a_private_matter_names_no_conversation(text: str, alice: User, talk: Any) -> None:
    here = talk()
    here.say(text)
    with acting_as(alice):
        here.conversation.refresh_from_db()
    assert not {"Acme", "asthma"} & set(here.conversation.name.split())
