"""'Until' tells when something ends, and never since when it holds."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction
from ledger.web import present
from memory.facts import revision
from memory.language.dates import planned_days
from tests.people import Talk, tell

Talks = Callable[..., Talk]
AT = datetime(2026, 11, 18, 10, tzinfo=UTC)


def opened(user: User, city: str, then: str) -> Contradiction:
    """The question between a city that was written by hand and what was said then."""
    with acting_as(user):
        revision.write_by_hand(user.pk, "location", city)
    tell(user, then, said_at=AT)
    with acting_as(user):
        return Contradiction.objects.for_user(user.pk).open().get()


@pytest.mark.parametrize(
    "said",
    [
        "I was wrong: I do not live in Hamburg yet, I live in Gratwein until January.",
        "I live in Gratwein till March",
        "I live in Gratwein, at least until the end of March.",
        "I live in Gratwein from Monday 7 December",
    ],
)
def test_when_a_value_ends_is_not_proposed_as_its_beginning(alice: User, said: str) -> None:
    entry = opened(alice, "Hamburg", said)
    with acting_as(alice):
        assert (entry.since, entry.since_words) == (None, "")
        words = [answer.words for answer in present.view(entry).answers]
    assert words == ["Gratwein is right", "Hamburg is right"]


def test_a_value_that_is_said_to_be_right_is_chosen_as_its_button_does(
    alice: User, talk: Talks
) -> None:
    tell(alice, "I live in Hamburg.")
    here = talk()
    here.say("I live in Gratwein since March.")
    assert "since March" not in here.say("Gratwein is right").content
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).get()
        assert entry.resolution is not None
        assert entry.resolution.method == "keep_new"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("I stay in Gratwein until January", "until January 2027"),
        ("The shop is open until next month", "until December 2026"),
        ("The viewing was put off until 3 December", "3 December 2026"),
        ("I need the boxes by 30 November", "30 November 2026"),
    ],
)
def test_the_end_of_a_time_is_told_as_an_end(said: str, words: str) -> None:
    found = planned_days.read_sentence_dates(said, AT)
    assert found is not None
    assert found.in_words == words
