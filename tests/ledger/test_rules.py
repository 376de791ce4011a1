"""What the ledger suggests, and what it settles by itself for those who turned that on."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from accounts.audit import By
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, PrivacySettings, User
from conversations.web.present import chips
from ledger.conflicts import auto_settling
from ledger.conflicts.resolution import Answer, UnfitAnswer, resolve
from ledger.conflicts.undo import undo
from ledger.models import Contradiction, Resolution
from memory.facts import revision
from memory.models import ProfileFact
from tests.people import Talk, dispute, tell, values

pytestmark = pytest.mark.django_db


def entry_of(user: User) -> Contradiction:
    with acting_as(user):
        return Contradiction.objects.for_user(user.pk).latest("opened_at")


def believe(fact: ProfileFact, trust: float, days_ago: int = 0) -> None:
    verified = now() - timedelta(days=days_ago)
    ProfileFact.objects.filter(pk=fact.pk).update(trust=trust, last_verified=verified)


def turn_it_on(user: User) -> None:
    with acting_as(user):
        PrivacySettings.objects.create(user=user, settle_by_rule=True)


def test_equals_are_too_close_to_call(alice: User) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        believe(entry.old_fact, 0.9)
        believe(entry.new_fact, 0.9)
    assert auto_settling.suggest(entry_of(alice)) is None
    with acting_as(alice), pytest.raises(UnfitAnswer, match="equally sure"):
        resolve(entry_of(alice), Answer("trust_based"), by=alice)
    assert entry_of(alice).is_open


@pytest.mark.parametrize(("old", "new", "wins"), [(0.9, 0.5, "Google"), (0.5, 0.9, "Microsoft")])
def test_the_more_trusted_value_wins_and_gets_no_surer_by_that(
    alice: User, old: float, new: float, wins: str
) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        believe(entry.old_fact, old)
        believe(entry.new_fact, new)
        made = resolve(entry_of(alice), Answer("trust_based"), by=alice)
        assert made.kept is not None
        made.kept.refresh_from_db()
        assert (made.kept.value, made.kept.trust) == (wins, 0.9)


@pytest.mark.parametrize("by_rule", [False, True])
def test_a_change_in_the_words_is_settled_as_a_timeline(alice: User, by_rule: bool) -> None:
    if by_rule:
        turn_it_on(alice)
    Talk(alice).say("I work at Google")
    question = tell(alice, "I work at Microsoft now")
    with acting_as(alice):
        made = Resolution.objects.get()
        line = AuditEvent.objects.get(deed="settled")
    assert (made.method, made.by, made.by_whom) == ("timeline", None, By.RULE)
    assert (line.by, line.before, line.after) == (By.RULE, "Google", "Microsoft")
    assert (values(alice, "employer"), values(alice, "employer", "past")) == (
        {"Microsoft"},
        {"Google"},
    )
    with acting_as(alice):
        (chip,) = chips.notes_of(question)
    assert chip.conflict is not None
    assert chip.conflict.chip_text == "Works at Microsoft, was Google", "never silently"


def test_a_change_of_what_was_written_by_hand_is_asked_about(alice: User) -> None:
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "employer", "Google")
    tell(alice, "I work at Microsoft now")
    assert entry_of(alice).is_open
    assert values(alice, "employer") == {"Google"}


def test_a_change_that_was_settled_can_be_undone(alice: User) -> None:
    tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft now")
    with acting_as(alice):
        undo(entry_of(alice))
    assert entry_of(alice).is_open
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "employer", "challenger") == {"Microsoft"}


def heard_long_ago_and_then_another(user: User) -> None:
    """A value that weighs little by now, and one that speaks clearly against it."""
    tell(user, "I work at Google")
    with acting_as(user):
        believe(ProfileFact.objects.get(slot="employer"), 0.6, days_ago=400)
    tell(user, "I work at Microsoft")


def test_nothing_is_settled_by_its_score_unless_that_is_turned_on(alice: User) -> None:
    heard_long_ago_and_then_another(alice)
    assert entry_of(alice).is_open


def test_a_clear_score_settles_it_for_who_turned_it_on(alice: User) -> None:
    turn_it_on(alice)
    heard_long_ago_and_then_another(alice)
    assert values(alice, "employer") == {"Microsoft"}
    with acting_as(alice):
        assert Resolution.objects.get().method == "trust_based"
