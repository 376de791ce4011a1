"""A long conversation opens at its end, and each of its messages can be reached."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message

pytestmark = pytest.mark.django_db


def long_talk(user: User, messages: int) -> Conversation:
    """As many messages, the person and the assistant by turns."""
    with acting_as(user):
        talk = Conversation.objects.create(user=user, title="A long talk", last_number=messages)
        Message.objects.bulk_create(
            Message(
                user=user,
                conversation=talk,
                number=number,
                role=Message.Role.USER if number % 2 else Message.Role.ASSISTANT,
                content=f"This is line {number}.",
                said_at=now() - timedelta(minutes=messages - number),
                learned_at=now(),
            )
            for number in range(1, messages + 1)
        )
        return talk


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return str(response.content.decode())


def lines(page: str) -> list[int]:
    return [int(number) for number in re.findall(r"This is line (\d+)\.", page)]


def test_it_opens_at_its_end_and_link_by_link_every_message_is_met_once(
    alice: User, as_alice: Client
) -> None:
    page = read(as_alice, long_talk(alice, 260).get_absolute_url())
    assert lines(page) == list(range(211, 261))
    assert "210 before these" in page
    assert 'id="composer"' in page
    assert "Later messages" not in page
    met = lines(page)
    while found := re.search(r'href="([^"]+\?before=\d+)"', page):
        page = read(as_alice, found[1])
        met = lines(page) + met
    assert met == list(range(1, 261))


def test_a_link_to_any_message_opens_the_page_around_it(alice: User, as_alice: Client) -> None:
    talk = long_talk(alice, 260)
    for number in (1, 2, 77, 209, 210, 211, 260):
        with acting_as(alice):
            message = Message.objects.get(conversation=talk, number=number)
        link, anchor = message.get_absolute_url().split("#")
        page = read(as_alice, link)
        assert f'id="{anchor}"' in page
        assert number in lines(page)
        assert len(lines(page)) == 50
