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
from ledger.history import timeline
from ledger.history.timeline import period
from ledger.models import Contradiction
from ledger.web import present
from memory.language.dates import time_expressions
from memory.models import Precision, ProfileFact
from memory.web import present as memory_present
from memory.web.api.facts import FactOut
from tests.people import Talk, the_fact

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


@pytest.mark.parametrize(
    ("first", "end", "exactly", "said"),
    [
        (date(2026, 3, 1), None, ("month", "day"), "since March"),
        (date(2026, 1, 1), None, ("year", "day"), "since 2026"),
        (date(2026, 11, 1), None, ("month", "day"), "since November"),
        (date(2026, 2, 4), date(2026, 3, 1), ("day", "month"), "4 February to March"),
        (date(2026, 2, 1), date(2026, 3, 1), ("month", "month"), "February to March"),
        (date(2026, 3, 1), date(2026, 3, 20), ("month", "day"), "March"),
        (date(2026, 1, 1), date(2026, 3, 20), ("year", "day"), "2026"),
    ],
)
def test_a_period_is_no_finer_than_its_ends(
    first: date, end: date | None, exactly: tuple[str, str], said: str
) -> None:
    assert period(first, end, TODAY, exactly) == said


def test_months_and_weekdays_are_written_with_capitals() -> None:
    assert time_expressions.capitalize_time_words("since march") == "since March"
    assert (
        time_expressions.capitalize_time_words("last tuesday in may 2024")
        == "last Tuesday in May 2024"
    )


@pytest.fixture
def moved(talk: Callable[..., Talk], alice: User) -> Talk:
    """Alice is noted to live in Rome, and says that she lives in Lisbon since January."""
    there = talk()
    there.say("I live in Rome")
    there.say("I live in Lisbon since january")
    return there


@pytest.mark.django_db
def test_a_change_that_was_told_by_its_month_is_shown_by_its_month(
    moved: Talk, alice: User
) -> None:
    with acting_as(alice):
        entry = Contradiction.objects.open().get()
        shown = present.view(entry)
        assert "january" not in f"{shown.suggestion}"
        timeline_answer = shown.answers[0]
        assert timeline_answer.words == "Lisbon since January"
        settle_as_suggested(entry, alice)
        fact = ProfileFact.objects.with_evidence().get(slot="location", status="current")
        assert memory_present.row(fact).since_words == "January"
        assert FactOut(fact).data["from_precision"] == Precision.MONTH
        (strand,) = timeline.slot_histories(timeline.read(alice.pk))
        assert [span.words(fact.valid_from.date()) for span in strand.spans if span.is_current] == [
            "since January"
        ]
        entry.refresh_from_db()
        assert "Lisbon since January." in present.settled(entry, fact.last_verified)
    assert "since January" in moved.say("since when do I live in Lisbon?").content


@pytest.mark.django_db
def test_a_typed_year_is_kept_as_a_year(moved: Talk, alice: User) -> None:
    moved.say("Lisbon since 2024")
    assert the_fact(alice, "location").from_precision == Precision.YEAR


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
