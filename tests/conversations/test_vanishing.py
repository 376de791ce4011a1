"""A temporary conversation is private, and goes a day after its last word, unless it is kept."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.models import Conversation, Message
from conversations.turns import turn
from memory.models import Memory, Passage, ProfileFact
from tests.people import Api

pytestmark = pytest.mark.django_db


def begun(user: User, text: str = "I live in Rome") -> Conversation:
    exchange = turn.begin(user, None, text, temporary=True)
    list(turn.fill(user.pk, exchange.answer.pk))
    return exchange.question.conversation


def later(user: User, hours: float) -> None:
    """As if all that is due then were due now."""
    with acting_as(user):
        long_ago = now() - timedelta(hours=hours)
        Conversation.objects.filter(user=user).update(last_at=long_ago)
        Work.objects.filter(user=user).update(run_after=long_ago, lease_until=None)
    work.do_waiting_work()


def test_it_is_private_and_goes_with_everything_in_it(alice: User) -> None:
    talk = begun(alice)
    assert talk.privacy == Conversation.Privacy.PRIVATE
    later(alice, 25)
    with acting_as(alice):
        for table in (Conversation, Message, Passage, ProfileFact, Memory):
            assert not table._default_manager.filter(user=alice).exists()


def test_every_word_gives_it_another_day(alice: User) -> None:
    talk = begun(alice)
    later(alice, 23)
    with acting_as(alice):
        assert Conversation.objects.filter(pk=talk.pk).exists()
        left = Work.objects.get(user=alice, kind="vanish").run_after - now()
    assert timedelta(minutes=50) < left < timedelta(minutes=61)
    later(alice, 25)
    with acting_as(alice):
        assert not Conversation.objects.filter(pk=talk.pk).exists()


def test_one_that_is_kept_stays_and_stays_private(alice: User, as_alice: Client) -> None:
    talk = begun(alice)
    page = as_alice.get(f"/talk/{talk.pk}/").content.decode()
    assert "Temporary: deleted a day after the last message" in page
    as_alice.post(f"/talk/{talk.pk}/keep/")
    later(alice, 25)
    with acting_as(alice):
        kept = Conversation.objects.get(pk=talk.pk)
    assert (kept.temporary, kept.privacy) == (False, "private")
    assert "Temporary" not in as_alice.get(f"/talk/{talk.pk}/").content.decode()


def test_it_is_begun_from_the_page_and_by_other_software(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    as_alice.post("/talk/start/", {"content": "Hello there", "temporary": "on"})
    made: dict[str, Any] = alice_api.post("conversations", {"temporary": True}).json()
    assert (made["temporary"], made["privacy"]) == (True, "private")
    with acting_as(alice):
        assert Conversation.objects.filter(temporary=True, privacy="private").count() == 2
