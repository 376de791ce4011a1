"""Settling what disagrees: one answer stands, and no sequence of deeds breaks the books."""

import threading
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.utils.timezone import localtime, now
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st

from accounts.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from ledger.conflicts.resolution import AlreadySettled, Answer, SidesChanged, resolve
from ledger.models import Contradiction, Resolution
from memory import manager
from memory.facts import fact_writing, revision
from memory.facts.revision import SlotTaken
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


def test_another_rival_stands_against_the_winner(alice: User) -> None:
    first, second = dispute(alice), dispute(alice, new="Amazon")
    settle(first, "keep_new")
    assert again(second).is_open
    assert again(second).old_fact.value == "Microsoft"
    settle(again(second), "keep_new")
    assert values(alice, "employer") == {"Amazon"}


def test_two_entries_read_before_either_was_settled_can_both_be_settled(alice: User) -> None:
    """As from two windows: what the second one read is old by the time it answers."""
    first, second = dispute(alice), dispute(alice, new="Amazon")
    read_early = again(second)
    settle(first, "keep_new")
    settle(read_early, "keep_new")
    assert values(alice, "employer") == {"Amazon"}
    assert values(alice, "employer", "set_aside") == {"Google", "Microsoft"}


def test_a_value_set_aside_may_be_said_again_and_is_asked_about_again(alice: User) -> None:
    settle(dispute(alice), "keep_old")
    tell(alice, "I work at Microsoft")
    with acting_as(alice):
        assert Contradiction.objects.open().get().new_fact.value == "Microsoft"
        assert Contradiction.objects.count() == 2


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
    embed, threads = fact_writing.embeddings.embed, []

    def meanwhile(text: str) -> Any:
        if not threads:
            word = {"rewrite": "Apple", "settle": "keep_new"}.get(deed, "")
            act = partial(perform, alice, deed, "employer", word)
            threads.append(threading.Thread(target=together, args=[act]))
            threads[0].start()
            threads[0].join(0.7)
        return embed(text)

    monkeypatch.setattr(fact_writing.embeddings, "embed", meanwhile)
    tell(alice, "I work at Amazon")
    threads[0].join(10)
    check_the_books(alice)


# --- After any sequence of deeds -----------------------------------------------------------------

SPOKEN = {"employer": "I work at {}", "location": "I live in {}"}
WORDS = {
    "employer": ["Google", "Microsoft", "Amazon", "google"],
    "location": ["Rome", "Portland", "Portland, Maine", "Portland, Oregon"],
}


def deeds_about(slot: str) -> st.SearchStrategy[tuple[str, list[tuple[str, str]]]]:
    """A slot, and what is done to it one after the other."""
    word = st.sampled_from(WORDS[slot])
    deed = st.one_of(
        st.tuples(st.just("say"), word),
        st.tuples(st.just("rewrite"), word),
        st.tuples(st.just("settle"), st.sampled_from(["keep_old", "keep_new"])),
        st.tuples(st.sampled_from(["take back", "bring back"]), st.just("")),
    )
    return st.tuples(st.just(slot), st.lists(deed, min_size=3, max_size=14))


def perform(user: User, deed: str, slot: str, word: str) -> None:
    """Do one thing where it can be done; a refusal in plain words is an answer too."""
    if deed == "say":
        message = tell(user, SPOKEN[slot].format(word))
        with acting_as(user):
            message.refresh_from_db(fields=["learned_at"])
        assert message.learned_at is not None, f"{message.content} was not learned from"
        return
    with acting_as(user):
        facts = ProfileFact.objects.for_user(user.pk).filter(slot=slot)
        current = facts.current().first()
        entry = Contradiction.objects.for_user(user.pk).open().filter(slot=slot).first()
        removed = facts.filter(status=Status.REMOVED).first()
        try:
            if deed == "rewrite" and current:
                revision.rewrite(current, word)
            elif deed == "take back" and current:
                manager.take_back(current)
            elif deed == "bring back" and removed:
                manager.bring_back(removed)
            elif deed == "settle" and entry:
                resolve(entry, Answer(word), by=user)
        except SlotTaken:
            pass


def check_the_books(user: User) -> None:
    with acting_as(user):
        facts = list(ProfileFact.objects.for_user(user.pk))
        entries = list(Contradiction.objects.for_user(user.pk))
        settled = set(Resolution.objects.values_list("contradiction_id", flat=True))
    for slot in SPOKEN:
        assert sum(f.slot == slot and f.status == Status.CURRENT for f in facts) <= 1
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


@pytest.mark.slow
@trials(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(story=st.one_of(deeds_about("employer"), deeds_about("location")))
def test_after_any_sequence_of_deeds_the_books_are_right(
    django_user_model: type[User], db: None, story: tuple[str, list[tuple[str, str]]]
) -> None:
    user = django_user_model.objects.create(email=f"{uuid4()}@example.org")
    slot, deeds = story
    for deed, word in deeds:
        perform(user, deed, slot, word)
        check_the_books(user)


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


# --- What is said of a value while its question is open ------------------------------------------


@pytest.mark.parametrize(
    "again",
    [
        "Both are true in a way: we moved to Ludlow yesterday.",
        "we live in ludlow since yesterday",
        "I suppose I live in Ludlow since yesterday.",
    ],
)
def test_a_value_said_again_while_its_question_is_open_leaves_no_second_line(
    alice: User, again: str
) -> None:
    tell(alice, "I live in Shrewsbury.")
    tell(alice, "I live in Ludlow.")
    tell(alice, again)
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
