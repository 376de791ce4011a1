"""Lessons made of a conversation: of the names of subjects alone, the same for who works alike."""

import pytest

from accounts import work
from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User
from conversations.models import Conversation
from memory.lessons import contribution, guard, workflows
from memory.lessons.contribution import field_terms_of
from memory.lessons.workflows import ToolRequest
from memory.models import Lesson, LessonSupport
from personas import seeding
from personas.models import Persona
from tests.people import Talk, let_time_pass
from tests.personas.conftest import Join

QSR = Persona(handle="qsr_real_estate", **seeding.described()["qsr_real_estate"])
NEXT = "After site selection, people ask for cannibalization next: offer it at once."


def taught(*requests: str) -> list[str]:
    return workflows.workflow_lessons(QSR, [ToolRequest(text) for text in requests])


@pytest.mark.parametrize(
    ("requests", "lesson"),
    [
        (
            (
                "I need to find candidate sites for a new Chick-fil-A in Dallas",
                "How much would they take from our existing stores?",
            ),
            NEXT,
        ),
        (
            ("Looking for new Taco Bell locations in Houston", "ok", "Any cannibalization there?"),
            NEXT,
        ),
        (
            ("Compare the trade areas of both", "No, I meant the drive-time ones"),
            "Requests about trade area often take a second try, so ask first what matters.",
        ),
    ],
)
def test_what_followed_on_what_becomes_a_lesson_without_a_word_that_was_typed(
    requests: tuple[str, ...], lesson: str
) -> None:
    assert lesson in taught(*requests)


@pytest.mark.parametrize(
    "requests",
    [
        ("Where do I live?", "What is my sister called?"),
        ("Find candidate sites near the station",),
        ("Any cannibalization?", "a", "b", "c", "d", "Now find candidate sites"),
    ],
    ids=["nothing of the field", "one request", "too far apart"],
)
def test_what_teaches_nothing_makes_no_lesson(requests: tuple[str, ...]) -> None:
    assert taught(*requests) == []


@pytest.mark.parametrize("handle", seeding.described())
def test_every_lesson_that_can_be_made_of_a_persona_passes_the_guard(handle: str) -> None:
    persona = Persona(handle=handle, **seeding.described()[handle])
    names = [line.partition(":")[0] for line in persona.subjects]
    steps = ("searching earlier conversations", "reading the profile")
    for name in names:
        requests = [
            ToolRequest(f"{name} please", steps),
            ToolRequest(" and ".join(names)),
            ToolRequest("again"),
        ]
        for text in workflows.workflow_lessons(persona, requests):
            verdict = guard.check_shareable(text, terms=field_terms_of(persona))
            assert verdict.accepted, (text, verdict.reason, verdict.words)


def rested(user: User) -> None:
    """The conversation has rested, and the worker has done what waits."""
    let_time_pass(user)
    work.do_waiting_work()


def works_on_sites(user: User, brand: str, place: str) -> Conversation:
    talk = Talk(user)
    talk.say(f"I need to find candidate sites for a new {brand} in {place}")
    talk.say(f"Would they take visits from our existing stores in {place}?")
    rested(user)
    assert talk.conversation is not None
    return talk.conversation


@pytest.mark.django_db(transaction=True)
def test_a_conversation_that_rested_supports_what_it_teaches_until_it_is_deleted(
    join: Join,
) -> None:
    ann, ben = join("ann@one.example"), join("ben@two.example")
    talk = works_on_sites(ann, "Chick-fil-A", "Dallas")
    works_on_sites(ben, "Taco Bell", "Houston")
    with acting_as_cohort():
        assert list(Lesson.objects.values_list("text", "supporters")) == [(NEXT, 2)]
    with acting_as(ann):
        talk.delete()
        assert not LessonSupport.objects.exists()
    with acting_as_cohort():
        assert Lesson.objects.get().supporters == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("because", ["of a private talk", "they opted out", "they have no persona"])
def test_nothing_is_contributed(join: Join, alice: User, because: str) -> None:
    user = alice if because == "they have no persona" else join("ann@one.example")
    talk = Talk(user)
    talk.say("Hello there")
    assert talk.conversation is not None
    with acting_as(user):
        if because == "they opted out":
            contribution.opt_out(user.pk)
        if because == "of a private talk":
            Conversation.objects.filter(pk=talk.conversation.pk).update(privacy="private")
    talk.say("I need to find candidate sites for a new store")
    talk.say("Would they take visits from our existing stores?")
    rested(user)
    with acting_as_cohort():
        assert not Lesson.objects.exists()
