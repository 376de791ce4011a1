"""Tools that take something away ask first, and do what was foreseen."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.tools import registry
from conversations.tools.tool import NotThere
from memory.models import Memory, Merge, ProfileFact
from memory.notes import note_store
from tests.conversations.tooling import asking, call
from tests.people import dispute, the_fact

pytestmark = pytest.mark.django_db
A_MONTH_AGO = now() - timedelta(days=30)


def foresee(user: User, name: str, **arguments: Any) -> Any:
    with acting_as(user):
        return registry.foresee(asking(user), name, arguments)


@pytest.fixture
def untidy(alice: User) -> dict[str, Memory]:
    """Two notes that say the same, a stale one, a slight one, one by hand and one in order."""
    texts = {
        "one": "Building a wooden shed behind the house",
        "same": "Repairs old clocks in the evening",
        "stale": "I bought a red kayak in Bremen for the river.",
        "low": "I visited the lighthouse museum with Johanna in spring.",
        "fine": "I signed the lease for the studio in Porto on 3 May.",
    }
    notes = {}
    with acting_as(alice):
        for name, text in texts.items():
            notes[name] = note_store.write_by_hand(alice.pk, text)
        Memory.objects.update(source="user", priority=1)
        # Only an earlier version of the house kept both.
        words = "Building the wooden shed behind our house"
        twin = Memory.objects.filter(pk=notes["same"].pk)
        twin.update(content=words, content_key=f"{note_store.dedup.make_content_key(words)} our")
        notes["by_hand"] = note_store.write_by_hand(
            alice.pk, "Plays chess on Thursdays in the park"
        )
        long_ago = now() - timedelta(days=900)
        old = Memory.objects.filter(pk__in=[notes["stale"].pk, notes["by_hand"].pk])
        old.update(said_at=long_ago, last_used_at=None)
        Memory.objects.filter(pk=notes["low"].pk).update(priority=0, said_at=A_MONTH_AGO)
    return notes


def statuses(user: User, notes: dict[str, Memory]) -> dict[str, str]:
    with acting_as(user):
        rows = Memory.objects.in_bulk([note.pk for note in notes.values()])
        return {name: rows[note.pk].status for name, note in notes.items()}


def test_tidying_first_says_what_would_go_and_touches_nothing(
    alice: User, untidy: dict[str, Memory]
) -> None:
    before = statuses(alice, untidy)
    would = foresee(alice, "memory_cleanup")
    assert statuses(alice, untidy) == before
    (group,) = would.duplicates
    assert {group.stays.id, group.go[0].id} == {untidy["one"].pk, untidy["same"].pk}
    assert {(one.id, one.why) for one in would.going} == {
        (untidy["stale"].pk, "stale"),
        (untidy["low"].pk, "low_priority"),
    }
    assert not would.done
    assert would.in_words() == "3 memories would be retired"


def test_tidying_does_what_was_foreseen_and_can_be_undone(
    alice: User, untidy: dict[str, Memory]
) -> None:
    would = foresee(alice, "memory_cleanup")
    with acting_as(alice):
        late = note_store.write_by_hand(alice.pk, "Rode the night train to Vienna in October")
        late_row = Memory.objects.filter(pk=late.pk)
        late_row.update(source="user", priority=0, said_at=A_MONTH_AGO)
    done = call(alice, "memory_cleanup", **would.arguments)
    assert (done.done, done.in_words()) == (True, "3 memories retired")
    after = statuses(alice, untidy | {"late": late})
    assert sorted([after["one"], after["same"]]) == ["active", "merged"]
    assert (after["stale"], after["low"]) == ("removed", "removed")
    assert {after["fine"], after["by_hand"], after["late"]} == {"active"}
    with acting_as(alice):
        assert Merge.objects.filter(undone_at__isnull=True).count() == 1
        note_store.restore_note(Memory.objects.get(pk=untidy["stale"].pk))
    assert statuses(alice, untidy)["stale"] == "active"


def test_forgetting_a_fact_says_what_goes_with_it_and_is_done_once(alice: User) -> None:
    dispute(alice)
    fact = the_fact(alice, "employer")
    would = foresee(alice, "forget_fact", fact_id=str(fact.pk))
    assert (would.text, would.instead) == ("Works at Google", ["Works at Microsoft"])
    assert would.in_words() == "1 fact would be forgotten"
    assert the_fact(alice, "employer").value == "Google"
    done = call(alice, "forget_fact", **would.arguments)
    assert (done.done, done.in_words()) == (True, "1 fact forgotten")
    with acting_as(alice):
        assert ProfileFact.objects.get(pk=fact.pk).status == "removed"
    with pytest.raises(NotThere, match="I can’t find a fact or memory with this id"):
        call(alice, "forget_fact", **would.arguments)


def test_forgetting_a_note_takes_it_back(alice: User, untidy: dict[str, Memory]) -> None:
    done = call(alice, "forget_fact", fact_id=untidy["fine"].pk)
    assert (done.kind, done.in_words()) == ("note", "1 memory forgotten")
    assert statuses(alice, untidy)["fine"] == "removed"
