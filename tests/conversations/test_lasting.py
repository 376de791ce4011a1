"""Asked since when, the answer speaks of the value that is named, and of no other."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from conversations.notebook.profile.profile import slots_of

from accounts.models import User
from conversations.notebook.profile import since_when
from memory.language import Reading
from memory.language.queries.query_intent import IntentKind
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db
MARCH = datetime(2026, 3, 12, 9, tzinfo=UTC)
Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Since when do I live in Leipzig?", "Leipzig"),
        ("Since when do I live here?", ""),
        ("How long have I had my job?", ""),
        ("When did I move to Bonn?", "Bonn"),
        ("When did I start at Google?", "Google"),
        ("When did I become a nurse?", "nurse"),
        ("How long have I worked as a nurse now?", "nurse"),
        ("Since when am I vegetarian?", "vegetarian"),
    ],
)
def test_a_question_names_a_value_or_means_the_one_that_holds(question: str, name: str) -> None:
    wish = Reading(question).intent
    assert wish is not None
    assert wish.kind is IntentKind.SINCE
    assert since_when._name(wish.about, slots_of(wish.about)) == name


def test_the_named_value_is_told_and_no_other(alice: User, talk: Talks) -> None:
    tell(alice, "I have lived in Leipzig since 2019")
    tell(alice, "I am a baker", said_at=MARCH)
    there = talk()
    for question, answer in {
        "Since when do I live in Leipzig?": "Leipzig: since 2019",
        "Since when do I work as a baker?": "baker: since 12 March 2026",
        "When did I move to Bonn?": "no note of Bonn as your city",
        "Since when do I work at Google?": "no note of Google as your employer",
        "How long have I lived in Dresden?": "no note of Dresden",
    }.items():
        said = there.say(question).content
        assert answer in said
        others = {"Leipzig", "baker"} - set(question.rstrip("?").split())
        assert not any(f"{other}: since" in said for other in others)


def test_what_waits_for_a_yes_is_told_as_waiting(alice: User, talk: Talks) -> None:
    tell(alice, "I am a baker since 2019")
    pasted = "I've been at Google since March 2021"
    tell(alice, f"What do you make of this? {pasted}", pasted=(pasted,))
    asked = talk().say("Since when do I work at Google?").content
    assert asked.startswith("“Works at Google since March 2021” waits for your yes")
    assert "2019" not in asked


def test_what_is_over_is_told_with_its_years(alice: User, talk: Talks) -> None:
    tell(alice, "I lived in Rome from 2015 to 2019.")
    assert "Rome: 2015 to 2019, and no longer." in talk().say("When did I move to Rome?").content


def test_a_dispute_about_the_named_value_is_told(alice: User, talk: Talks) -> None:
    tell(alice, "I am a bookkeeper", said_at=MARCH)
    there = talk()
    there.say("I am a nurse")
    asked = there.say("Since when do I work as a nurse?").content
    assert "nurse is not settled" in asked
    assert "bookkeeper: since" not in asked
    held = there.say("How long have I been a bookkeeper?").content
    assert "bookkeeper: since 12 March 2026" in held
    assert "nurse is not settled" in held
