"""What is nobody's business elsewhere stays where it was said."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import prompt
from conversations.models import Message
from memory.models import ProfileFact
from tests.people import PASSWORD, Talk


@pytest.mark.parametrize(
    ("said", "asked", "never"),
    [
        ("I have depression", "what did I say about depression?", "I have depression"),
        ("My password is hunter2", "what did I say about my password?", "hunter2"),
        ("my card is 4111 1111 1111 1111", "what did I say about my card?", "4111"),
    ],
)
def test_a_confidential_message_is_quoted_in_its_own_conversation_only(
    talk: Callable[..., Talk], said: str, asked: str, never: str
) -> None:
    here = talk()
    here.say(said)
    assert never not in talk().say(asked).content
    assert never in here.say(asked).content


def test_no_other_conversation_sends_it_to_a_model(alice: User, talk: Callable[..., Talk]) -> None:
    talk().say("I have depression and my garden is in Lyon")
    other = talk()
    other.say("what did I say about depression and my garden?")
    with acting_as(alice):
        question = Message.objects.select_related("conversation").get(
            conversation=other.conversation, number=1
        )
        sent = prompt.as_messages(prompt.build(question))
    text = " ".join(message["content"] for message in sent)
    assert "what did I say about depression" in text
    assert "I have depression" not in text


def test_what_is_said_off_the_record_stays_between_us(
    alice: User, talk: Callable[..., Talk]
) -> None:
    assert "That stays between us" in talk().say("Off the record, I work at Tesla").content
    assert "Tesla" not in talk().say("What did I tell you about my work?").content
    with acting_as(alice):
        assert not ProfileFact.objects.exists()


def test_staff_have_no_way_into_somebodys_notebook(mira: User) -> None:
    client = Client()
    client.force_login(mira)
    for address in (
        "accounts/apitoken",
        "account/emailaddress",
        "memory/profilefact",
        "conversations/message",
    ):
        assert client.get(f"/admin/{address}/").status_code == 404


def test_staff_cannot_set_somebodys_password(mira: User, alice: User) -> None:
    client = Client()
    client.force_login(mira)
    address = f"/admin/accounts/user/{alice.pk}/password/"
    taken = {"password1": "another long phrase 43", "password2": "another long phrase 43"}
    assert client.post(address, taken).status_code == 403
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)
    assert client.get(f"/admin/accounts/user/{alice.pk}/change/").status_code == 200
