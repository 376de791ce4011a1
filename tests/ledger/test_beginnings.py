"""Since when and until when something holds is kept as it was said, and no finer."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.utils.timezone import localtime

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.models import LearningOutcome
from conversations.web.present import chips
from ledger.conflicts.resolution import Answer, resolve
from ledger.conflicts.undo import undo
from ledger.models import Contradiction
from ledger.web import present
from memory.facts import revision
from memory.models import ProfileFact
from tests.people import Talk, tell, the_fact

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


def test_undoing_puts_the_precision_back(talk: Callable[..., Talk], alice: User) -> None:
    there = talk()
    there.say("I live in Rome")
    there.say("I live in Lisbon since january")
    with acting_as(alice):
        entry = Contradiction.objects.open().get()
        tip = present.view(entry).suggestion
        assert tip is not None
        resolve(entry, Answer(tip.method, until=tip.until, since=tip.since), by=alice)
        undo(entry)
        facts = ProfileFact.objects.filter(slot="location")
        assert {(one.value, one.from_precision, one.to_precision) for one in facts} == {
            ("Rome", "day", "day"),
            ("Lisbon", "month", "day"),
        }
        assert LearningOutcome.objects.filter(contradiction=entry).exists()


@pytest.mark.parametrize(
    "said",
    [
        "I was wrong: I do not live in Hamburg yet, I live in Gratwein until January.",
        "I live in Gratwein from Monday 7 December",
    ],
)
def test_when_a_value_ends_is_not_proposed_as_its_beginning(alice: User, said: str) -> None:
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "location", "Hamburg")
    tell(alice, said, said_at=datetime(2026, 11, 18, 10, tzinfo=UTC))
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
        assert (entry.since, entry.since_words) == (None, "")
        words = [answer.words for answer in present.view(entry).answers]
    assert words == ["Gratwein is right", "Hamburg is right"]


def test_a_value_that_is_said_to_be_right_is_chosen_as_its_button_does(
    alice: User, talk: Callable[..., Talk]
) -> None:
    tell(alice, "I live in Hamburg.")
    here = talk()
    here.say("I live in Gratwein since March.")
    assert "since March" not in here.say("Gratwein is right").content
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).get()
        assert entry.resolution is not None
        assert entry.resolution.method == "keep_new"
