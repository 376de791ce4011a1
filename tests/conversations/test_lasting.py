"""Asked since when, the answer speaks of the value that is named, and of no other."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from accounts.models import User
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db
MARCH = datetime(2026, 3, 12, 9, tzinfo=UTC)
Talks = Callable[..., Talk]


def test_the_named_value_is_told_and_no_other(alice: User, talk: Talks) -> None:
    tell(alice, "I have lived in Leipzig since 2019")
    tell(alice, "I am a baker", said_at=MARCH)
    there = talk()
    for question, answer in {
        "Since when do I live in Leipzig?": "Leipzig: since 2019",
        "Since when do I work as a baker?": "baker: since 12 March 2026",
        "When did I move to Bonn?": "I don’t know that yet.",
        "Since when do I work at Google?": "I don’t know that yet.",
    }.items():
        said = there.say(question).content
        assert answer in said
        others = {"Leipzig", "baker"} - set(question.rstrip("?").split())
        assert not any(f"{other}: since" in said for other in others)


def test_what_is_over_is_told_with_its_years(alice: User, talk: Talks) -> None:
    tell(alice, "I lived in Rome from 2015 to 2019.")
    assert "Rome: 2015 to 2019." in talk().say("When did I move to Rome?").content


def test_a_dispute_about_the_named_value_is_told(alice: User, talk: Talks) -> None:
    tell(alice, "I am a bookkeeper", said_at=MARCH)
    there = talk()
    there.say("I am a nurse")
    held = there.say("How long have I been a bookkeeper?").content
    assert "bookkeeper: since 12 March 2026" in held
    assert "bookkeeper or nurse" in held
