"""The person's own hand on a fact: what is ended stays in the history, and no slot holds two."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction, Resolution
from ledger.promotion import candidate_promotion
from ledger.promotion.gates import Gates, SourcedCandidate
from memory import manager
from memory.facts import blocked_slots, revision
from memory.facts.revision import SlotTaken
from memory.language.text import embeddings
from memory.models import ProfileFact
from tests.people import candidate, dispute, said, scope_of, tell, the_fact, together, values

pytestmark = pytest.mark.django_db


def by_hand(user: User, slot: str = "employer", value: str = "Google") -> ProfileFact:
    with acting_as(user):
        return revision.write_by_hand(user.pk, slot, value)


def rewrite(user: User, value: str, slot: str = "employer") -> ProfileFact:
    fact = the_fact(user, slot)
    with acting_as(user):
        return revision.rewrite(fact, value)


def do(user: User, deed: Callable[..., Any], *args: Any) -> Any:
    with acting_as(user):
        return deed(*args)


def test_a_line_written_by_hand_is_as_sure_as_can_be(alice: User) -> None:
    fact = by_hand(alice)
    assert (fact.trust, fact.confidence, fact.source) == (1.0, 1.0, "manual")
    assert fact.embedding is not None


@pytest.mark.parametrize(
    ("slot", "first", "second"),
    [
        ("employer", "Google", "Microsoft"),
        ("employer", "Google", "google"),
        ("pets", "a dog", "Dogs"),
    ],
)
def test_a_slot_that_is_taken_is_not_taken_twice(
    alice: User, slot: str, first: str, second: str
) -> None:
    by_hand(alice, slot, first)
    with pytest.raises(SlotTaken):
        by_hand(alice, slot, second)
    assert values(alice, slot) == {first}


def test_rewriting_keeps_the_old_wording_in_the_history(alice: User) -> None:
    tell(alice, "I work at Google")
    old = the_fact(alice, "employer")
    new = rewrite(alice, "Microsoft")
    assert (new.replaces_id, new.trust, new.value_key) == (old.pk, 1.0, "microsoft")
    assert values(alice, "employer") == {"Microsoft"}
    past = the_fact(alice, "employer", status="past")
    assert (past.pk, past.value, past.valid_to) == (old.pk, "Google", past.valid_to)
    assert past.valid_to is not None


@pytest.mark.parametrize("value", ["Google", "google", "Google LLC"])
def test_another_spelling_of_the_same_only_confirms_it(alice: User, value: str) -> None:
    tell(alice, "I work at Google")
    fact = rewrite(alice, value)
    assert fact.trust == 1.0
    assert values(alice, "employer") == {value}
    with acting_as(alice):
        assert ProfileFact.objects.count() == 1


def test_a_city_written_with_and_without_its_region_can_be_told_apart_later(alice: User) -> None:
    by_hand(alice, "location", "Portland, Oregon")
    rewrite(alice, "Portland", "location")
    rewrite(alice, "Portland, Maine", "location")
    message = said(alice, "I live in Portland, Oregon")
    with acting_as(alice):
        told = [SourcedCandidate(candidate("location", "Portland, Oregon"))]
        list(candidate_promotion.consider_all(scope_of(message), message.content, told, Gates()))
    assert values(alice, "location") == {"Portland, Maine"}
    assert values(alice, "location", "challenger") == {"Portland, Oregon"}


def test_a_value_of_a_slot_for_many_is_not_rewritten_into_its_neighbour(alice: User) -> None:
    by_hand(alice, "pets", "a dog")
    by_hand(alice, "pets", "a cat")
    cat = the_fact(alice, "pets", value="a cat")
    with pytest.raises(SlotTaken):
        do(alice, revision.rewrite, cat, "dogs")
    assert values(alice, "pets") == {"a dog", "a cat"}


def test_what_is_taken_back_can_be_brought_back(alice: User) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    do(alice, manager.retract, fact)
    do(alice, manager.retract, fact)
    assert values(alice, "employer") == set()
    do(alice, manager.restore, fact)
    do(alice, manager.restore, fact)
    back = the_fact(alice, "employer")
    assert (back.pk, back.valid_to) == (fact.pk, None)


@pytest.mark.parametrize("text", ["I work at Microsoft", "I work at google"])
def test_what_was_taken_back_does_not_come_back_over_a_later_value(alice: User, text: str) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    do(alice, manager.retract, fact)
    tell(alice, text)
    with pytest.raises(SlotTaken):
        do(alice, manager.restore, fact)
    assert len(values(alice, "employer")) == 1


def test_confirming_says_that_it_is_right_today(alice: User) -> None:
    tell(alice, "I work at Google", said_at=now().replace(year=2020))
    fact = the_fact(alice, "employer")
    do(alice, revision.confirm, fact)
    fact = the_fact(alice, "employer")
    assert (fact.trust, fact.last_verified.date()) == (1.0, now().date())


@pytest.mark.parametrize("value", ["\ufdfa" * 100, "½" * 400, "㋿" * 400], ids=["ﷺ", "½", "㋿"])
def test_letters_that_unfold_into_many_can_be_written_by_hand(alice: User, value: str) -> None:
    fact = by_hand(alice, "preferences", value)
    assert fact.value == value


# --- A disputed fact under the hand --------------------------------------------------------------


def settled(entry: Contradiction) -> Resolution:
    with acting_as(entry.user):
        entry.refresh_from_db()
        assert entry.status == Contradiction.Status.RESOLVED
        return Resolution.objects.get(contradiction=entry)


@pytest.mark.parametrize(
    "value", ["Amazon", "Microsoft"], ids=["a third value", "the challenger's"]
)
def test_rewriting_a_disputed_fact_settles_it_as_overtaken(alice: User, value: str) -> None:
    entry = dispute(alice)
    rewrite(alice, value)
    assert values(alice, "employer") == {value}
    assert values(alice, "employer", "challenger") == set()
    resolution = settled(entry)
    assert (resolution.method, resolution.by) == ("overtaken", None)


def test_removing_a_disputed_fact_leaves_the_other_side_as_the_only_one(alice: User) -> None:
    entry = dispute(alice)
    do(alice, manager.retract, the_fact(alice, "employer"))
    assert values(alice, "employer") == {"Microsoft"}
    assert values(alice, "employer", "removed") == {"Google"}
    assert settled(entry).method == "overtaken"


def test_removing_a_fact_with_two_rivals_leaves_the_newest_with_one_rival(alice: User) -> None:
    older, newest = dispute(alice), dispute(alice, new="Amazon")
    do(alice, manager.retract, the_fact(alice, "employer"))
    assert values(alice, "employer") == {"Amazon"}
    assert values(alice, "employer", "challenger") == {"Microsoft"}
    assert settled(newest).method == "overtaken"
    with acting_as(alice):
        older.refresh_from_db()
        assert older.is_open
        assert older.old_fact.value == "Amazon"


# --- Two hands at once ---------------------------------------------------------------------------


@pytest.fixture
def at_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two writers meet between looking and writing, as two tabs of a browser can."""
    meeting = threading.Barrier(2)
    embed = embeddings.embed

    def meet(text: str) -> Any:
        # Where the second has to wait for the first to be done, they never meet.
        with suppress(threading.BrokenBarrierError):
            meeting.wait(1)
        return embed(text)

    monkeypatch.setattr(embeddings, "embed", meet)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slot", ["employer", "pets"])
def test_a_form_sent_twice_at_once_writes_one_line_and_says_so(
    alice: User, slot: str, at_the_same_moment: None
) -> None:
    results = together(*[lambda: by_hand(alice, slot, "Google").value] * 2)
    assert "Google" in results
    assert [type(r) for r in results if r != "Google"] == [SlotTaken]
    assert values(alice, slot) == {"Google"}


@pytest.mark.django_db(transaction=True)
def test_a_fact_rewritten_in_two_windows_at_once_has_one_value_and_no_crash(
    alice: User, at_the_same_moment: None
) -> None:
    tell(alice, "I work at Google")
    results = together(lambda: rewrite(alice, "Amazon"), lambda: rewrite(alice, "Microsoft"))
    assert [r for r in results if not isinstance(r, ProfileFact | SlotTaken)] == []
    assert len(values(alice, "employer")) == 1


def test_a_city_rewritten_into_what_stands_against_it_settles_that(alice: User) -> None:
    by_hand(alice, "location", "Portland, Oregon")
    tell(alice, "I live in Portland, Maine")
    rewrite(alice, "Portland", "location")
    rewrite(alice, "Portland, Maine", "location")
    assert values(alice, "location") == {"Portland, Maine"}
    assert values(alice, "location", "challenger") == set()
    with acting_as(alice):
        assert not Contradiction.objects.open().exists()


def test_the_contrary_of_what_is_noted_is_not_written_beside_it(alice: User) -> None:
    with acting_as(alice):
        liked = revision.write_by_hand(alice.pk, "likes", "olives")
        with pytest.raises(SlotTaken, match="Your profile says the opposite: Likes olives"):
            revision.write_by_hand(alice.pk, "dislikes", "olives")
        revision.retract(liked)
        revision.write_by_hand(alice.pk, "dislikes", "olives")
        with pytest.raises(SlotTaken, match="Your profile says the opposite: Dislikes olives"):
            revision.restore(liked)


def test_a_closed_kind_is_opened_before_a_hand_writes_in_it(alice: User) -> None:
    with acting_as(alice):
        fact = revision.write_by_hand(alice.pk, "employer", "Google")
        blocked_slots.block_slot(alice.pk, "employer")
        for deed in (
            lambda: revision.restore(fact),
            lambda: revision.write_by_hand(alice.pk, "employer", "Apple"),
        ):
            with pytest.raises(SlotTaken, match="never to note things like this"):
                deed()
        blocked_slots.unblock(alice.pk, "employer")
        revision.restore(fact)
    assert values(alice, "employer") == {"Google"}
