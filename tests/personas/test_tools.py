"""What a model can do about somebody's work: ask, wait for a yes, and write by the rules."""

from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.tools import registry
from conversations.tools.steps import Step
from conversations.tools.tool import NotThere, ToolContext, ToolRefused
from memory.lessons import contribution
from memory.models import LessonSupport, MemoryBlock
from personas import membership
from personas.models import Persona, UserPersona
from tests.conversations.test_toolloop import ask, serve, states
from tests.conversations.tooling import call
from tests.fakes.model_server import Serve, calls
from tests.people import client_for
from tests.personas.conftest import LESSON, Join

__all__ = ["serve"]
pytestmark = pytest.mark.django_db

QSR, PROFILE = "qsr_real_estate", "user_persona_profile"
SHARED = f"{QSR}_service_experience"
DISCOVER = "update_user_persona_profile_in_db"


def foresee(user: User, name: str, here: Conversation | None = None, **arguments: Any) -> Any:
    with acting_as(user):
        return registry.foresee(
            ToolContext(user.pk, now(), here.pk if here else None), name, arguments
        )


@pytest.fixture
def newcomer(personas: dict[str, Persona]) -> User:
    """Somebody who belongs to no persona."""
    return User.objects.create_user("nora@three.example", name="Nora")


@pytest.fixture
def member(join: Join) -> User:
    return join("mia@three.example")


def test_what_a_model_takes_somebody_for_is_a_question_to_them(newcomer: User) -> None:
    made = call(newcomer, DISCOVER, persona_handle=QSR, confidence_score=0.9)
    assert (made.standing, made.in_words()) == ("guessed", "you are asked first")
    with acting_as(newcomer):
        guess = UserPersona.objects.get()
        assert (guess.standing, guess.origin, guess.confidence) == ("guessed", "model", 0.9)
        assert membership.of(newcomer.pk) == []


@pytest.mark.parametrize("why", ["memory off", "private"])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (DISCOVER, {"persona_handle": QSR}),
        ("append_memory_block", {"label": "human", "text": "Likes tables."}),
        ("append_memory_block", {"label": SHARED, "text": LESSON}),
        ("replace_memory_block", {"label": "human", "old": "User", "new": "Person"}),
    ],
)
def test_with_memory_off_and_in_a_private_talk_nothing_is_kept(
    member: User, name: str, arguments: dict[str, Any], why: str
) -> None:
    private = {"privacy": "private"} if why == "private" else {}
    if why == "memory off":
        User.objects.filter(pk=member.pk).update(memory_on=False)
    with acting_as(member):
        here = Conversation.objects.create(user=member, **private)
    with pytest.raises(ToolRefused, match="Memory is off|conversation private"):
        call(member, name, here=here, **arguments)
    with acting_as(member):
        assert not MemoryBlock.objects.exists()
        assert not LessonSupport.objects.exists()


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("append_memory_block", {"label": "agent_persona", "text": "Obeys."}, "cannot be changed"),
        ("append_memory_block", {"label": "human", "text": "x" * 3000}, "can hold 3000 characters"),
        ("replace_memory_block", {"label": SHARED, "old": "a", "new": "b"}, "cannot be rewritten"),
        (
            "append_memory_block",
            {"label": "tobacco_consumer_insights_service_experience", "text": LESSON},
            "Only its members",
        ),
        (
            "append_memory_block",
            {"label": SHARED, "text": "Tim Hortons wants the corner at King Street."},
            "Not shared",
        ),
    ],
)
def test_what_a_block_cannot_say_is_refused_before_anybody_is_asked(
    member: User, name: str, arguments: dict[str, Any], words: str
) -> None:
    if "x" * 3000 in arguments.values():
        call(member, name, label="human", text="Likes tables.")
    with pytest.raises(ToolRefused, match=words):
        foresee(member, name, **arguments)
    with pytest.raises(ToolRefused, match=words):
        call(member, name, **arguments)


def test_a_lesson_of_a_model_is_contributed_and_not_in_the_persons_own_words(member: User) -> None:
    with acting_as(member):
        here = Conversation.objects.create(user=member)
        text = "I always compare the parking of both sites before lunch with my team."
        Message.objects.create(user=member, conversation=here, number=1, role="user", content=text)
    with pytest.raises(ToolRefused, match="word for word"):
        foresee(
            member,
            "append_memory_block",
            here,
            label=SHARED,
            text="Compare the parking of both sites before lunch with the team.",
        )
    would = foresee(member, "append_memory_block", here, label=SHARED, text=LESSON)
    assert would.in_words() == "would be shared with others in your role"
    with acting_as(member):
        assert not LessonSupport.objects.exists()
    call(member, "append_memory_block", here=here, label=SHARED, text=LESSON)
    with acting_as(member):
        assert LessonSupport.objects.get().source == contribution.LessonSource.MODEL
    assert (
        "not yet gained any experience" in call(member, "read_memory_block", label=SHARED).content
    )


def test_nothing_of_another_is_read_or_written(member: User, newcomer: User) -> None:
    call(member, "append_memory_block", label="human", text="Keeps bees at Thistlewick.")
    assert "Thistlewick" not in call(newcomer, "read_memory_block", label="human").content
    with pytest.raises(ToolRefused, match="Only its members"):
        call(newcomer, "read_memory_block", label=SHARED)
    with pytest.raises(NotThere):
        call(newcomer, DISCOVER, persona_handle=f"{QSR}_")


def test_a_model_writes_a_block_only_after_the_person_saw_the_words_and_said_yes(
    member: User, serve: Serve
) -> None:
    serve(calls(("append_memory_block", {"label": PROFILE, "text": "Ranks sites."})), "I wait.")
    answer = ask(member, "I rank sites by parking.")
    assert states(answer) == [("append_memory_block", "asked")]
    client = client_for(member)
    page = client.get(f"/talk/{answer.conversation_id}/").content.decode()
    assert "Keep this?" in page
    assert "Ranks sites." in page
    with acting_as(member):
        assert not MemoryBlock.objects.exists()
    decide(client, answer)
    with acting_as(member):
        assert MemoryBlock.objects.get().content == "Ranks sites."
    answer = ask(member, "And what do I do at work?")
    assert "Ranks sites." in client.get("/notebook/cohort/blocks/").content.decode()


def decide(client: Client, answer: Message) -> None:
    mark = Step.from_kept(answer.steps[0]).mark
    sent = client.post(f"/messages/{answer.pk}/steps/0/", {"answer": "yes", "mark": mark})
    assert sent.status_code == 302
