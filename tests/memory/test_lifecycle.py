"""What happens to notes while nobody looks."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from memory.maintenance import lifecycle
from memory.models import Memory, Merge, SiteQuality, TrustChange
from memory.notes import note_gate, note_store
from tests.memory.test_memories import active, keep
from tests.people import let_time_pass, tell

Status, Priority = Memory.Status, Memory.Priority
LONG_AGO = timedelta(days=31)


def aged(user: User, memory: Memory, by: timedelta = LONG_AGO) -> None:
    with acting_as(user):
        Memory.objects.filter(pk=memory.pk).update(created_at=now() - by, said_at=now() - by)


def priority(user: User, memory: Memory) -> int:
    with acting_as(user):
        return int(Memory.objects.get(pk=memory.pk).priority)


def twins(user: User) -> tuple[Memory, Memory]:
    """Two notes so alike that only an earlier version of the house kept both."""
    first = keep(user, "Building a wooden shed behind the house")
    second = keep(user, "Oh well, never mind")
    words = "Building the wooden shed behind our house"
    with acting_as(user):
        Memory.objects.filter(pk=second.pk).update(
            content=words, content_key=f"{note_store.dedup.make_content_key(words)} our"
        )
        second.refresh_from_db()
    return first, second


def do_the_round(*users: User) -> None:
    for user in users:
        let_time_pass(user)
    work.do_waiting_work()


def test_what_is_not_always_in_mind_fades_by_one_step_a_month_without_use(alice: User) -> None:
    memory = keep(alice, priority=Priority.HIGH)
    core = keep(alice, "Rows on the lake with Anna", priority=Priority.CORE)
    aged(alice, memory)
    aged(alice, core)
    with acting_as(alice):
        assert lifecycle.fade(alice.pk, now()) == 1
        assert lifecycle.fade(alice.pk, now()) == 0
    assert priority(alice, memory) == Priority.NORMAL
    with acting_as(alice):
        assert lifecycle.fade(alice.pk, now() + LONG_AGO) == 1
        assert lifecycle.fade(alice.pk, now() + 2 * LONG_AGO) == 0
    assert priority(alice, memory) == Priority.LOW


def test_notes_that_say_the_same_become_one_and_the_merge_can_be_undone(alice: User) -> None:
    first, second = twins(alice)
    with acting_as(alice):
        (merge,) = lifecycle.consolidate_notes(alice.pk, now())
    assert len(active(alice)) == 1
    with acting_as(alice):
        lifecycle.undo_merge(merge)
        assert set(Memory.objects.active()) == {first, second}
        assert Memory.objects.get(pk=merge.kept_id).trust == pytest.approx(merge.trust_before)
        causes = TrustChange.objects.order_by("pk").values_list("cause", flat=True)
        assert list(causes) == ["merged", "undone"]
        # What its owner took apart is not merged again.
        assert lifecycle.consolidate_notes(alice.pk, now()) == []
        with pytest.raises(note_gate.NotKept):
            lifecycle.undo_merge(merge)


def test_a_merge_is_not_undone_beside_a_note_that_says_the_same_by_now(alice: User) -> None:
    twins(alice)
    with acting_as(alice):
        (merge,) = lifecycle.consolidate_notes(alice.pk, now())
        put_aside = Memory.objects.get(status=Memory.Status.MERGED)
        put_aside.pk, put_aside.status = None, Memory.Status.ACTIVE
        put_aside.superseded_by = put_aside.ended_at = None
        put_aside.save()
        with pytest.raises(note_gate.NotKept):
            lifecycle.undo_merge(merge)
        merge.refresh_from_db()
        assert merge.undone_at is None


def test_a_merge_that_fails_half_way_leaves_every_source(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins(alice)
    before = active(alice)

    def fail(*args: object) -> None:
        raise RuntimeError("half way")

    monkeypatch.setattr(lifecycle.trust, "move_trust", fail)
    with pytest.raises(RuntimeError), acting_as(alice):
        lifecycle.consolidate_notes(alice.pk, now())
    assert active(alice) == before
    with acting_as(alice):
        assert not Merge.objects.exists()


def test_every_person_gets_the_daily_round_once(alice: User, bob: User) -> None:
    tell(alice, "I work at Google")
    assert work.enqueue_daily(lifecycle.TEND_NOTES) == 2
    do_the_round(alice, bob)
    assert work.enqueue_daily(lifecycle.TEND_NOTES) == 0
    alice.refresh_from_db()
    assert alice.tended_on == now().date()
    assert SiteQuality.objects.get().people == 2


def test_a_failing_step_gives_the_round_back_and_changes_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins(alice)
    before = active(alice)

    def fail(*args: object) -> None:
        raise RuntimeError("no figures today")

    monkeypatch.setattr(lifecycle, "measure", fail)
    work.enqueue_daily(lifecycle.TEND_NOTES)
    do_the_round(alice)
    assert active(alice) == before
    assert work.enqueue_daily(lifecycle.TEND_NOTES) == 1
