"""The profile page: finding a line, writing one, and answering what waits."""

import re
from html import unescape

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from memory.core.scope import Scope
from memory.facts import blocked_slots
from memory.language.origin import Origin
from memory.models import BlockedSlot, Memory
from memory.notes import note_store
from memory.notes.drafts import NoteDraft
from tests.people import tell, values

pytestmark = pytest.mark.django_db
PAGE = "/notebook/profile/"


def read(client: Client, path: str = PAGE) -> str:
    return unescape(re.sub(r"\s+", " ", client.get(path).content.decode()))


def waiting(user: User, message: Message, slot: str, value: str) -> Memory:
    draft = NoteDraft(
        content=f"{slot} {value}",
        category=Memory.Category.FACT,
        kind=Memory.Kind.SEMANTIC,
        confidence=0.9,
        trust=0.9,
        origin=Origin.PASTED,
        slot=slot,
        value=value,
    )
    with acting_as(user):
        kept = note_store.keep_note(
            Scope(user.pk, message.conversation_id, message.pk, message.said_at), draft
        )
    assert isinstance(kept, note_store.NoteKept)
    return kept.memory


def test_what_waits_is_kept_declined_or_never_asked_about_again(
    alice: User, as_alice: Client
) -> None:
    message = tell(alice, "See what they wrote")
    keep, no, never = (
        waiting(alice, message, slot, value)
        for slot, value in (("pets", "a hen"), ("likes", "tea"), ("languages", "Welsh"))
    )
    page = read(as_alice)
    assert "Waiting for you" in page
    assert f'href="{message.get_absolute_url()}"' in page
    assert "Keep all 3 from" in page
    assert "Never note this kind of fact: Languages" in page
    as_alice.post(f"/notebook/proposals/{keep.pk}/accept/")
    as_alice.post(f"/notebook/proposals/{no.pk}/decline/")
    as_alice.post(f"/notebook/proposals/{never.pk}/decline/", {"never": "1"})
    assert values(alice, "pets") == {"a hen"}
    assert values(alice, "likes") == set()
    assert "Waiting for you" not in read(as_alice)
    with acting_as(alice):
        assert list(BlockedSlot.objects.values_list("slot", flat=True)) == ["languages"]
        assert blocked_slots.slots_of(alice.pk) == {"languages"}
