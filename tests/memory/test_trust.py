"""Why something is believed more or less than before: a line for every move."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction
from memory.facts import revision
from memory.models import ProfileFact, TrustChange
from tests.people import Talk, dispute, tell, the_fact, values


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


def test_one_message_lowers_trust_once_however_often_it_is_learned_from(alice: User) -> None:
    dispute(alice)
    tell(alice, "I work at Microsoft")
    causes = [cause for cause, _, _ in log(alice)]
    assert causes.count("drift") == 2
    assert causes.count("agreement") == 1


def test_confidence_never_moves(alice: User) -> None:
    tell(alice, "I work at Google")
    at_birth = the_fact(alice, "employer").confidence
    dispute(alice)
    assert the_fact(alice, "employer").confidence == at_birth


@pytest.mark.parametrize("method", ["keep_old", "keep_new"])
def test_what_its_owner_settled_for_is_as_sure_as_can_be(alice: User, method: str) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer(method), by=alice)
    assert the_fact(alice, "employer").trust == 1.0
    assert log(alice)[-1][0] == "settled"


def test_staff_who_settle_do_not_make_it_surer(alice: User, mira: User) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=mira)
    assert the_fact(alice, "employer").trust < 1.0


def test_confirming_by_hand_is_logged(alice: User) -> None:
    tell(alice, "I work at Google")
    with acting_as(alice):
        revision.confirm(ProfileFact.objects.get(slot="employer"))
    assert log(alice) == [("confirmed", 0.9, 1.0)]


# --- Likes against dislikes ----------------------------------------------------------------------


def contraries(user: User) -> Contradiction:
    tell(user, "I love olives")
    tell(user, "I hate olives")
    with acting_as(user):
        return Contradiction.objects.for_user(user.pk).open().get()


def test_liking_and_disliking_the_same_thing_is_a_contradiction(alice: User) -> None:
    entry = contraries(alice)
    assert {entry.old_fact.slot, entry.new_fact.slot} <= {"likes", "interests", "dislikes"}
    assert values(alice, "dislikes") == set()
    assert entry.drift == 1.0


def test_liking_one_thing_and_disliking_another_is_none(alice: User) -> None:
    tell(alice, "I love olives")
    tell(alice, "I hate mushrooms")
    with acting_as(alice):
        assert not Contradiction.objects.exists()


def test_many_likes_stand_beside_each_other(alice: User) -> None:
    tell(alice, "I love olives")
    tell(alice, "I love capers")
    with acting_as(alice):
        assert not Contradiction.objects.exists()


def test_the_newer_taste_takes_over_when_its_owner_says_so(alice: User) -> None:
    entry = contraries(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=alice)
    assert values(alice, "dislikes") == {"olives"}
    assert values(alice, "likes") | values(alice, "interests") == set()


def test_taking_back_what_was_noted_opens_a_question_and_changes_nothing(
    alice: User, talk: Callable[..., Talk]
) -> None:
    here = talk()
    here.say("I live in Rome")
    here.say("No, I meant Lisbon")
    assert values(alice, "location") == {"Rome"}
    with acting_as(alice):
        assert Contradiction.objects.get().new_fact.value == "Lisbon"
