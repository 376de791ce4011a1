"""A time is shown as exactly as it was said, and no finer."""

from collections.abc import Callable
from datetime import date

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support import formatting
from conversations.models import LearningOutcome
from ledger.conflicts.resolution import Answer, resolve
from ledger.conflicts.undo import undo
from ledger.models import Contradiction
from ledger.web import present
from memory.models import ProfileFact
from tests.people import Talk

TODAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("exactly", "said", "in_full"),
    [
        ("day", "1 March", "1 March 2026"),
        ("month", "March", "March 2026"),
        ("year", "spring 2026", "spring 2026"),
    ],
)
def test_a_day_in_words_is_as_exact_as_it_was_told(exactly: str, said: str, in_full: str) -> None:
    day = date(2026, 3, 1)
    assert formatting.day_as_told(day, TODAY, exactly) == said
    assert formatting.told_in_full(day, exactly) == in_full
    assert formatting.day_as_told(date(2024, 3, 1), TODAY, "month") == "March 2024"


@pytest.fixture
def moved(talk: Callable[..., Talk], alice: User) -> Talk:
    """Alice is noted to live in Rome, and says that she lives in Lisbon since January."""
    there = talk()
    there.say("I live in Rome")
    there.say("I live in Lisbon since january")
    return there


@pytest.mark.django_db
def test_undoing_puts_the_precision_back(moved: Talk, alice: User) -> None:
    with acting_as(alice):
        entry = Contradiction.objects.open().get()
        settle_as_suggested(entry, alice)
        undo(entry)
        facts = ProfileFact.objects.filter(slot="location")
        assert {(one.value, one.from_precision, one.to_precision) for one in facts} == {
            ("Rome", "day", "day"),
            ("Lisbon", "month", "day"),
        }
        assert LearningOutcome.objects.filter(contradiction=entry).exists()


def settle_as_suggested(entry: Contradiction, by: User) -> None:
    tip = present.view(entry).suggestion
    assert tip is not None
    resolve(entry, Answer(tip.method, until=tip.until, since=tip.since), by=by)
