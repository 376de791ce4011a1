"""Since when something holds is kept as it was said, wherever it was said first."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from django.utils.timezone import localtime

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.models import Conversation, LearningOutcome
from conversations.web.present import chips
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction
from ledger.promotion import proposals
from ledger.web import present
from memory.facts import start_dates
from memory.models import Precision, ProfileFact
from tests.people import Talk, the_fact

AT = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "began"),
    [
        ("I have lived in Leipzig since 2019", ("2019-01-01", "year")),
        ("I moved to Leipzig in spring 2019", ("2019-03-01", "year")),
        ("I've been vegetarian since March", ("2026-03-01", "month")),
        ("I joined Google last weekend", ("2026-11-14", "week")),
        ("I live in Leipzig and was in Paris in 2019", None),
        ("I live in Bonn now, my sister came last summer", None),
        ("I work at Google from Monday to Friday", None),
        ("I work at Google, started in May 2021", ("2021-05-01", "month")),
    ],
)
def test_a_beginning_is_the_time_that_governs_the_value(
    said: str, began: tuple[str, str] | None
) -> None:
    value = re.search("Leipzig|Bonn|Google|vegetarian", said)
    assert value is not None
    told = start_dates.read_start_date(said, *value.span(), AT)
    assert (told and (told.day.isoformat(), str(told.exactly))) == began


@pytest.mark.parametrize(
    ("told", "known", "better"),
    [
        (("2019-01-01", "year"), ("2021-05-01", "month"), True),
        (("2019-03-01", "month"), ("2019-01-01", "year"), True),
        (("2019-03-04", "day"), ("2019-03-01", "year"), True),
        (("2019-01-01", "year"), ("2019-03-01", "month"), False),
        (("2021-01-01", "year"), ("2019-01-01", "year"), False),
    ],
)
def test_an_earlier_or_a_more_exact_beginning_is_better(
    told: tuple[str, str], known: tuple[str, str], better: bool
) -> None:
    said = start_dates.StartDate(date.fromisoformat(told[0]), Precision(told[1]), "")
    assert said.is_better_than(date.fromisoformat(known[0]), known[1]) is better


pytestmark = pytest.mark.django_db


def begun(fact: ProfileFact) -> tuple[str, str]:
    return localtime(fact.valid_from).date().isoformat(), fact.from_precision


def test_a_time_that_is_told_first_is_kept_and_said_back(
    talk: Callable[..., Talk], alice: User
) -> None:
    there = talk()
    there.say("I have lived in Leipzig since 2019")
    assert begun(the_fact(alice, "location")) == ("2019-01-01", "year")
    with acting_as(alice):
        (chip,) = [chips.note(note) for note in LearningOutcome.objects.all()]
        assert chip.text.endswith("Leipzig, since 2019")
    assert "since 2019" in there.say("Since when do I live in Leipzig?").content


def test_a_beginning_that_is_told_later_moves_it_with_one_line_of_the_log(
    talk: Callable[..., Talk], alice: User
) -> None:
    there = talk()
    there.say("I live in Leipzig")
    assert (
        "I changed the start date of “Leipzig” to spring 2019"
        in there.say("I moved to Leipzig in spring 2019").content
    )
    assert begun(the_fact(alice, "location")) == ("2019-03-01", "year")
    with acting_as(alice):
        (line,) = AuditEvent.objects.filter(deed=AuditEvent.Action.REWRITTEN)
        assert line.after == "Leipzig, since spring 2019"
    assert "so I haven’t changed it" in there.say("I have lived in Leipzig since 2022").content
    assert begun(the_fact(alice, "location")) == ("2019-03-01", "year")


def test_a_proposal_shows_and_carries_its_beginning(alice: User) -> None:
    with acting_as(alice):
        there = Talk(alice, Conversation.objects.create(user=alice, privacy="ask"))
    there.say("I work at Google since March 2021.")
    with acting_as(alice):
        (waiting,) = proposals.waiting(alice.pk)
        assert waiting.content.endswith("Google since March 2021")
    there.say("I work at Google since 2019.")
    with acting_as(alice):
        (waiting,) = proposals.waiting(alice.pk)
        assert waiting.content.endswith("Google since 2019")
        proposals.accept(waiting)
    assert begun(the_fact(alice, "employer")) == ("2019-01-01", "year")


def test_a_challenger_carries_its_beginning_through_settling(
    talk: Callable[..., Talk], alice: User
) -> None:
    there = talk()
    there.say("I live in Leipzig")
    there.say("I live in Bonn since summer 2020.")
    with acting_as(alice):
        entry = Contradiction.objects.open().get()
        assert present.view(entry).answers[0].words == "Bonn since summer 2020"
        resolve(entry, Answer("keep_new"), by=alice)
    assert begun(the_fact(alice, "location")) == ("2020-06-01", "year")
