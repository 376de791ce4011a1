"""The person's own hand on a fact: what is ended stays in the history, and no slot holds two."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction, Resolution
from memory import manager
from memory.facts import blocked_slots, revision
from memory.facts.revision import SlotTaken
from memory.language.text import embeddings
from memory.models import ProfileFact
from tests.people import dispute, tell, the_fact, together, values

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


def test_rewriting_keeps_the_old_wording_in_the_history(alice: User) -> None:
    tell(alice, "I work at Google")
    old = the_fact(alice, "employer")
    new = rewrite(alice, "Microsoft")
    assert (new.replaces_id, new.trust, new.value_key) == (old.pk, 1.0, "microsoft")
    assert values(alice, "employer") == {"Microsoft"}
    past = the_fact(alice, "employer", status="past")
    assert (past.pk, past.value, past.valid_to) == (old.pk, "Google", past.valid_to)
    assert past.valid_to is not None


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
