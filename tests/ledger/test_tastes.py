"""One thing that is liked in two ways is one line, and goes or stays as one."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.conflicts.resolution import Answer, resolve
from ledger.conflicts.undo import undo
from ledger.models import Contradiction
from memory.maintenance import lifecycle
from memory.models import ProfileFact
from tests.memory.test_lifecycle import do_the_round
from tests.people import tell, values

pytestmark = pytest.mark.django_db


def test_loving_what_one_is_into_is_the_same_said_again(alice: User) -> None:
    tell(alice, "I'm into photography")
    tell(alice, "I love photography")
    assert values(alice, "interests") | values(alice, "likes") == {"photography"}
    with acting_as(alice):
        assert ProfileFact.objects.count() == 1
        assert ProfileFact.objects.get().mentions.count() == 2


def told_twice(user: User) -> None:
    """Two lines of before the two ways were heard as one."""
    tell(user, "I'm into photography")
    with acting_as(user):
        ProfileFact.objects.filter(value="photography").update(slot="preferences")
    tell(user, "I love photography")
    with acting_as(user):
        ProfileFact.objects.exclude(slot="preferences").update(slot="likes")
        ProfileFact.objects.filter(slot="preferences").update(slot="interests")


def hated_in_old_notes(user: User) -> Contradiction:
    """The same two, and the word against both."""
    told_twice(user)
    tell(user, "I hate photography")
    with acting_as(user):
        return Contradiction.objects.open().get()


@pytest.mark.parametrize("answer", [Answer("keep_new"), Answer("timeline")])
def test_who_hates_it_now_neither_likes_nor_enjoys_it(alice: User, answer: Answer) -> None:
    entry = hated_in_old_notes(alice)
    with acting_as(alice):
        resolve(entry, answer, by=alice)
    assert values(alice, "dislikes") == {"photography"}
    assert values(alice, "likes") | values(alice, "interests") == set()
    with acting_as(alice):
        undo(entry)
    assert values(alice, "likes") & values(alice, "interests") == {"photography"}
    assert values(alice, "dislikes", "challenger") == {"photography"}


def test_what_old_notes_hold_twice_is_counted_and_made_one_until_it_is_undone(
    alice: User, as_alice: Client
) -> None:
    told_twice(alice)
    with acting_as(alice):
        assert lifecycle.figures(alice.pk, now()).duplicates == 1
    work.enqueue_daily(lifecycle.TEND_NOTES)
    do_the_round(alice)
    with acting_as(alice):
        (gone,) = ProfileFact.objects.filter(status="removed")
        (stays,) = ProfileFact.objects.current()
        assert (gone.value, stays.value) == ("photography", "photography")
    as_alice.post(reverse("memory:restore", args=[gone.pk]))
    with acting_as(alice):
        assert lifecycle.fold_facts(alice.pk) == [], "what was brought back is let alone"
        assert ProfileFact.objects.current().count() == 2
