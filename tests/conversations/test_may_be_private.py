"""What may be private is noted on a yes alone, and no part of such a message without it."""

import re
import threading
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning.note_consent import MAY_BE_PRIVATE, MAY_BE_PRIVATE_BESIDE
from conversations.models import Message
from conversations.turns import turn
from conversations.web.views import talk as views
from memory.language.reading import Reading
from memory.models import Memory
from memory.notes.note_extraction import needs_privacy_consent
from tests.people import Talk

pytestmark = pytest.mark.django_db
Talks = Callable[..., Talk]
_TOLD = "She goes in for the op on Tuesday at ten, I'm taking her."


def _notes(person: User) -> list[str]:
    with acting_as(person):
        return [one.original or one.content for one in Memory.objects.for_user(person.pk).active()]


@pytest.fixture
def pages(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.mark.parametrize(
    ("text", "waits"),
    [
        (_TOLD, True),
        ("Six months without a drop on Friday, the longest I have managed.", True),
        ("We were married on the 14th of July 1984 at St Aidan's.", False),
        ("I'm married but sleeping with my boss since March.", True),
        ("I make myself sick after dinner and write down every time I do it.", True),
        ("The man for the boiler comes on Friday at eight.", False),
        ("Remember that the man for the boiler comes on Friday.", False),
        ("Can you write me a card for my aunt? She moves to Bath on Monday.", False),
    ],
)
def test_what_may_be_private_waits(text: str, waits: bool) -> None:
    reading = Reading(text)
    assert (needs_privacy_consent(reading) or bool(reading.private)) is waits


def test_it_is_asked_about_and_a_yes_notes_it(alice: User, talk: Talks) -> None:
    here = talk()
    assert here.say(_TOLD).content == MAY_BE_PRIVATE
    assert _notes(alice) == []
    here.say("yes")
    assert _notes(alice) == [_TOLD.removesuffix(".")]


def test_a_no_leaves_it(alice: User, talk: Talks) -> None:
    here = talk()
    here.say(_TOLD)
    assert here.say("no").content == "It stays only in this conversation."
    assert _notes(alice) == []
    with acting_as(alice):
        assert Message.objects.get(content=_TOLD).confidential


def test_its_button_notes_it_once(alice: User, talk: Talks, pages: Client) -> None:
    answer = talk().say(_TOLD)
    with acting_as(alice):
        said = Message.objects.beside(answer).get(number=answer.number - 1)
    url = reverse("conversations:note_message", args=[said.pk])
    assert url in pages.get(f"/talk/{answer.conversation_id}/").content.decode()
    for _ in range(2):
        pages.post(url)
    assert _notes(alice) == [_TOLD.removesuffix(".")]
    assert url not in pages.get(f"/talk/{answer.conversation_id}/").content.decode()


def test_a_no_folds_its_button_and_renames_the_talk_at_once(
    alice: User, talk: Talks, pages: Client
) -> None:
    here = talk()
    offer = here.say(_TOLD)
    assert "she goes in" in pages.get(f"/talk/{offer.conversation_id}/").content.decode().lower()
    answer = turn.begin(alice, here.conversation, "no, thanks").answer
    came = "".join(views._stream(alice, answer.pk, threading.Event()))
    assert f'id="note-it-{offer.pk}" hx-swap-oob="delete"' in came
    (name,) = re.findall(r'innerHTML:#conversation-name">([^<]*)<', came)
    assert name
    assert "goes" not in name
    page = pages.get(f"/talk/{offer.conversation_id}/").content.decode()
    assert "Note it" not in page
    assert f'id="conversation-name">{name}<' in page


def test_the_facts_of_it_are_stored_beside(alice: User, talk: Talks, pages: Client) -> None:
    answer = talk().say(f"I'm Ada. {_TOLD}")
    assert answer.content.endswith(MAY_BE_PRIVATE_BESIDE)
    with acting_as(alice):
        said = Message.objects.beside(answer).get(number=answer.number - 1)
    pages.post(reverse("conversations:note_message", args=[said.pk]))
    (noted,) = _notes(alice)
    assert "the op on Tuesday" in noted


def test_nothing_is_offered_in_a_private_conversation(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("Hello")
    with acting_as(alice):
        here.conversation.privacy = here.conversation.Privacy.PRIVATE
        here.conversation.save(update_fields=["privacy"])
    assert MAY_BE_PRIVATE not in here.say(_TOLD).content
