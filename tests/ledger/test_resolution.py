"""Settling what disagrees: one answer stands, whatever else happens at the same moment."""

import threading
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from ledger.conflicts.resolution import AlreadySettled, Answer, SidesChanged, resolve
from ledger.models import Contradiction, Resolution
from memory import manager
from memory.facts import revision
from memory.language.text import embeddings
from memory.models import Memory, ProfileFact
from tests.people import dispute, tell, the_fact, together, values

pytestmark = pytest.mark.django_db
Status = ProfileFact.Status


def settle(entry: Contradiction, method: str, **more: Any) -> Resolution:
    with acting_as(entry.user_id):
        return resolve(entry, Answer(method), by=entry.user, **more)


def again(entry: Contradiction) -> Contradiction:
    with acting_as(entry.user_id):
        return Contradiction.objects.for_user(entry.user_id).get(pk=entry.pk)


def test_two_values_open_one_entry_that_says_when_and_how_far_apart(alice: User) -> None:
    entry = dispute(alice)
    tell(alice, "I work at Microsoft, as I said")
    with acting_as(alice):
        assert Contradiction.objects.get().pk == entry.pk
    assert (entry.slot, entry.old_fact.value, entry.new_fact.value) == (
        "employer",
        "Google",
        "Microsoft",
    )
    assert 0 < entry.drift <= 1
    assert entry.opened_at == entry.new_fact.valid_from


@pytest.mark.parametrize(
    ("method", "right", "aside"),
    [("keep_old", "Google", "Microsoft"), ("keep_new", "Microsoft", "Google")],
)
def test_the_answer_decides_and_the_other_stays_in_the_history(
    alice: User, method: str, right: str, aside: str
) -> None:
    entry = dispute(alice)
    resolution = settle(entry, method, reason="I should know")
    assert values(alice, "employer") == {right}
    assert values(alice, "employer", "set_aside") == {aside}
    assert the_fact(alice, "employer", value=aside).valid_to == resolution.at
    assert (resolution.by, resolution.reason) == (alice, "I should know")
    assert again(entry).status == "resolved"


@pytest.mark.parametrize("first", ["keep_old", "keep_new"])
@pytest.mark.parametrize("second", ["keep_old", "keep_new"])
def test_of_two_answers_the_first_stands(alice: User, first: str, second: str) -> None:
    entry = dispute(alice)
    settle(again(entry), first)
    before = values(alice, "employer")
    with pytest.raises(AlreadySettled):
        settle(again(entry), second)
    assert values(alice, "employer") == before
    with acting_as(alice):
        assert Resolution.objects.get().method == first


@pytest.mark.django_db(transaction=True)
def test_of_two_who_answer_at_once_one_wins_and_the_other_is_told(alice: User) -> None:
    entry = dispute(alice)
    results = together(
        lambda: settle(again(entry), "keep_old"), lambda: settle(again(entry), "keep_new")
    )
    assert sorted(type(result).__name__ for result in results) == ["AlreadySettled", "Resolution"]
    with acting_as(alice):
        method = Resolution.objects.get().method
    assert values(alice, "employer") == {"Google" if method == "keep_old" else "Microsoft"}


@pytest.mark.parametrize("method", ["overtaken", "nonsense", ""])
def test_a_method_that_is_no_answer_changes_nothing(alice: User, method: str) -> None:
    entry = dispute(alice)
    with pytest.raises((KeyError, ValueError)):
        settle(entry, method)
    assert again(entry).is_open


def test_an_answer_that_fails_half_way_settles_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError

    entry = dispute(alice)
    monkeypatch.setattr("ledger.conflicts.resolution.Resolution.objects.create", fail)
    with pytest.raises(RuntimeError):
        settle(entry, "keep_new")
    assert again(entry).is_open
    assert values(alice, "employer") == {"Google"}


def test_two_entries_read_before_either_was_settled_can_both_be_settled(alice: User) -> None:
    """As from two windows: what the second one read is old by the time it answers."""
    first, second = dispute(alice), dispute(alice, new="Amazon")
    read_early = again(second)
    settle(first, "keep_new")
    settle(read_early, "keep_new")
    assert values(alice, "employer") == {"Amazon"}
    assert values(alice, "employer", "set_aside") == {"Google", "Microsoft"}


def test_an_entry_of_somebody_else_cannot_be_settled(alice: User, bob: User) -> None:
    entry = dispute(alice)
    with acting_as(bob), pytest.raises(AlreadySettled):
        resolve(entry, Answer("keep_new"), by=bob)
    assert again(entry).is_open


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("deed", ["take back", "rewrite", "settle"])
def test_a_rival_that_is_said_at_the_same_moment_stands_against_what_is_current(
    alice: User, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    """The other deed comes between reading what is current and writing the rival."""
    dispute(alice)
    embed, threads = embeddings.embed, []

    def meanwhile(text: str) -> Any:
        if not threads:
            threads.append(threading.Thread(target=together, args=[partial(perform, alice, deed)]))
            threads[0].start()
            threads[0].join(0.7)
        return embed(text)

    monkeypatch.setattr(embeddings, "embed", meanwhile)
    tell(alice, "I work at Amazon")
    threads[0].join(10)
    check_the_books(alice)


def perform(user: User, deed: str) -> None:
    """Take the employer back, rewrite it, or settle what is asked about it."""
    with acting_as(user):
        current = ProfileFact.objects.for_user(user.pk).current().get(slot="employer")
        if deed == "rewrite":
            revision.rewrite(current, "Apple")
        elif deed == "take back":
            manager.retract(current)
        else:
            entry = Contradiction.objects.for_user(user.pk).open().get()
            resolve(entry, Answer("keep_new"), by=user)


def check_the_books(user: User) -> None:
    with acting_as(user):
        facts = list(ProfileFact.objects.for_user(user.pk))
        entries = list(Contradiction.objects.for_user(user.pk))
        settled = set(Resolution.objects.values_list("contradiction_id", flat=True))
    assert sum(fact.status == Status.CURRENT for fact in facts) <= 1
    waiting = [entry for entry in entries if entry.is_open]
    for entry in waiting:
        assert entry.old_fact.status == Status.CURRENT
        assert entry.new_fact.status == Status.CHALLENGER
    asked_about = {entry.new_fact_id for entry in waiting}
    assert {f.pk for f in facts if f.status == Status.CHALLENGER} == asked_about
    assert settled == {entry.pk for entry in entries if not entry.is_open}
    for fact in facts:
        assert fact.value_key == revision.key_of(fact.slot, fact.value)
        live = fact.status in (Status.CURRENT, Status.CHALLENGER)
        assert (fact.valid_to is None) == live


def test_an_answer_to_sides_that_have_changed_is_not_taken_for_another(alice: User) -> None:
    first = dispute(alice, "Google", "Microsoft")
    tell(alice, "I work at Acme")
    with acting_as(alice):
        second = Contradiction.objects.open().exclude(pk=first.pk).get()
        seen = (str(second.old_fact_id), str(second.new_fact_id))
        resolve(first, Answer("keep_new"), by=alice)
        with pytest.raises(SidesChanged):
            resolve(second, Answer("keep_old"), by=alice, sides=seen)
        assert again(second).is_open
    assert values(alice, "employer") == {"Microsoft"}


def test_a_value_said_again_while_its_question_is_open_leaves_no_second_line(
    alice: User,
) -> None:
    tell(alice, "I live in Shrewsbury.")
    tell(alice, "I live in Ludlow.")
    tell(alice, "Both are true in a way: we moved to Ludlow yesterday.")
    with acting_as(alice):
        assert not Memory.objects.for_user(alice.pk).filter(slot="location").exists()
        entry = Contradiction.objects.for_user(alice.pk).open().get()
        assert entry.since == localtime(now()).date() - timedelta(days=1)
        assert entry.new_support == 2


def test_what_waits_for_a_yes_and_is_settled_in_another_way_waits_no_more(alice: User) -> None:
    with acting_as(alice):
        asked_first = Conversation.objects.create(user=alice, privacy="ask")
    tell(alice, "I live in Ludlow.", asked_first)
    tell(alice, "I live in Shrewsbury.")
    tell(alice, "I live in Ludlow.")
    with acting_as(alice):
        waiting = Memory.objects.for_user(alice.pk).filter(slot="location", status="waiting")
        assert waiting.exists()
        entry = Contradiction.objects.for_user(alice.pk).open().get()
        resolve(entry, Answer("keep_old"), by=alice)
        assert not waiting.exists()
