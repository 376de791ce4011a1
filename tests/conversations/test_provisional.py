"""What the trained reader noted at once, after a language model has read the message."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import LearningOutcome, Message
from ledger.history import log_lines, log_search
from ledger.history.log_search import LogQuery
from ledger.models import Contradiction, Decision
from memory.facts import revision
from memory.models import ProfileFact
from tests.conversations.looking import alone, answer, fact, look, notes, operation
from tests.fakes.model_server import Serve, normal
from tests.people import tell, the_fact, values

WORKS = "I work at Acme"
HOME = "My better half and I finally got the keys to our place in Leeds"
Kind = LearningOutcome.Kind


def chips(message: Message) -> list[str]:
    with acting_as(message.user_id):
        return sorted(
            LearningOutcome.objects.filter(message=message).values_list("kind", flat=True)
        )


def read(user: User, serve: Serve, message: Message, *operations: dict[str, Any]) -> None:
    """Have a model read the message, and return these operations."""
    serve(normal(answer(*operations)))
    look(user, message.conversation)


@alone
def test_a_fact_that_the_model_says_too_stays_without_a_second_chip(
    alice: User, serve: Serve
) -> None:
    message = tell(alice, WORKS)
    held = the_fact(alice, "employer")
    read(alice, serve, message, fact("employer", "acme", WORKS))
    assert the_fact(alice, "employer") == held
    assert chips(message) == [Kind.STORED]


@alone
def test_what_its_owner_confirmed_by_hand_stays(alice: User, serve: Serve) -> None:
    message = tell(alice, WORKS)
    with acting_as(alice):
        revision.confirm(ProfileFact.objects.for_user(alice.pk).get(slot="employer"))
    read(alice, serve, message)
    assert (values(alice, "employer"), chips(message)) == ({"Acme"}, [Kind.STORED])


@alone
def test_a_question_that_the_model_does_not_ask_is_closed(alice: User, serve: Serve) -> None:
    tell(alice, "I live in York")
    trust = the_fact(alice, "location").trust
    message = tell(alice, "I live in Leeds")
    assert chips(message) == [Kind.CONFLICT]
    read(alice, serve, message)
    assert (values(alice, "location"), chips(message)) == ({"York"}, [])
    assert the_fact(alice, "location").trust == pytest.approx(trust)
    with acting_as(alice):
        assert not Contradiction.objects.for_user(alice.pk).open().exists()
        assert not Contradiction.objects.for_user(alice.pk).settled().exists()


@alone
def test_a_note_that_was_taken_over_by_mistake_is_in_use_again(alice: User, serve: Serve) -> None:
    swims = "Mia's swimming course is on Tuesdays at 5"
    read(alice, serve, tell(alice, swims), operation(text=f"{swims}.", words=swims))
    message = tell(alice, "Sorry, I told you wrong: Mia's swimming course is on Thursdays")
    read(alice, serve, message)
    assert notes(alice) == [f"{swims}."]


def profile(user: User) -> list[set[str]]:
    return [
        values(user, slot, status)
        for slot in ("employer", "location")
        for status in ("current", "past")
    ]


def history(user: User) -> list[str]:
    with acting_as(user):
        lines = log_lines.lines_from(user.pk, list(log_search.find(user.pk, LogQuery())))
    return [line.sentence for line in lines]


@alone
@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("", WORKS),
        ("", "I worked at Initech until 2019"),
        (WORKS, "I left Acme last week"),
        (WORKS, "I started at Globex on Monday"),
        ("I live in York", "I live in Leeds"),
        ("I live in Leeds", "I live in Headingley, Leeds"),
        ("I have a cat called Gravy", "Actually my cat is called Grady, not Gravy"),
        ("", HOME),
    ],
)
def test_a_reading_that_the_model_does_not_share_changes_nothing_and_is_in_no_history(
    before: str, text: str, alice: User, as_alice: Client, serve: Serve
) -> None:
    if before:
        tell(alice, before)
    earlier, held = history(alice), profile(alice)
    message = tell(alice, text)
    read(alice, serve, message)
    assert (history(alice), profile(alice)) == (earlier, held)
    gone = as_alice.get(reverse("memory:memories"), {"show": "gone"}).content.decode()
    assert "make room" not in gone
    assert HOME not in gone
    with acting_as(alice):
        assert not Decision.objects.filter(user=alice).exists()
