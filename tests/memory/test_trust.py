"""Why something is believed more or less than before: a line for every move."""

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction
from memory.models import TrustChange
from tests.people import dispute, tell, the_fact, values


def log(user: User) -> list[tuple[str, float, float]]:
    with acting_as(user):
        rows = TrustChange.objects.order_by("pk").values_list("cause", "before", "after")
        return [(cause, round(before, 4), round(after, 4)) for cause, before, after in rows]


def test_saying_it_again_raises_trust_and_names_the_message(alice: User) -> None:
    tell(alice, "I work at Google")
    again = tell(alice, "I work at Google")
    assert log(alice) == [("agreement", 0.9, 0.91)]
    with acting_as(alice):
        assert TrustChange.objects.get().message_id == again.pk


def test_saying_something_else_lowers_trust_by_how_far_away_it_is(alice: User) -> None:
    entry = dispute(alice)
    ((cause, before, after),) = log(alice)
    assert (cause, before) == ("drift", 0.9)
    assert after == pytest.approx(0.9 - 0.2 * entry.drift, abs=1e-3)


@pytest.mark.parametrize("by_owner", [True, False])
def test_what_its_owner_settled_is_as_sure_as_can_be_and_what_staff_settled_is_not(
    alice: User, mira: User, by_owner: bool
) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=alice if by_owner else mira)
    assert (the_fact(alice, "employer").trust == 1.0) is by_owner


def test_liking_and_disliking_the_same_thing_is_a_contradiction(alice: User) -> None:
    tell(alice, "I love olives")
    tell(alice, "I hate olives")
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
    assert {entry.old_fact.slot, entry.new_fact.slot} <= {"likes", "interests", "dislikes"}
    assert values(alice, "dislikes") == set()
    assert entry.drift == 1.0
