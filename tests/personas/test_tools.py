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
from memory.blocks import private_blocks
from memory.lessons import contribution
from memory.models import LessonSupport, MemoryBlock
from personas import membership
from personas.models import Persona, UserPersona
from tests.conversations.test_toolloop import ask, inside, serve, states, told
from tests.conversations.tooling import call
from tests.fakes.model_server import Serve, calls
from tests.people import Talk, client_for
from tests.personas.conftest import LESSON, Contribute, Join

__all__ = ["serve"]
pytestmark = pytest.mark.django_db

QSR, PROFILE = "qsr_real_estate", "user_persona_profile"
SHARED = f"{QSR}_service_experience"
DISCOVER = "update_user_persona_profile_in_db"
OWN_WORK = "I'm a real estate analyst for quick-service restaurants."


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


# --- Which persona -------------------------------------------------------------------------------


def test_the_list_tells_how_the_person_stands_to_each(member: User) -> None:
    with acting_as(member):
        membership.decline(member.pk, Persona.objects.get(handle="cpg_retail_media"))
    found = call(member, "list_available_personas")
    assert {one.handle: one.standing for one in found.personas} == {
        "cpg_retail_media": "declined",
        QSR: "confirmed",
        "retail_asset_management": "",
        "tobacco_consumer_insights": "",
    }
    assert found.in_words() == "4 roles"


def test_what_a_model_takes_somebody_for_is_a_question_to_them(newcomer: User) -> None:
    made = call(newcomer, DISCOVER, persona_handle=QSR, confidence_score=0.9)
    assert (made.standing, made.in_words()) == ("guessed", "you are asked first")
    with acting_as(newcomer):
        guess = UserPersona.objects.get()
        assert (guess.standing, guess.origin, guess.confidence) == ("guessed", "model", 0.9)
        assert membership.of(newcomer.pk) == []


@pytest.mark.parametrize("answer", ["decline", "leave"])
def test_who_said_no_is_not_asked_again_by_a_model(newcomer: User, answer: str) -> None:
    qsr = Persona.objects.get(handle=QSR)
    with acting_as(newcomer):
        if answer == "leave":
            membership.confirm(newcomer.pk, qsr)
        getattr(membership, answer)(newcomer.pk, qsr)
    made = call(newcomer, DISCOVER, persona_handle=QSR)
    assert "Do not ask again" in made.note
    with acting_as(newcomer):
        assert membership.of(newcomer.pk) == membership.guesses(newcomer.pk) == []


def test_a_model_confirms_a_member_anew_and_makes_them_no_less_sure(member: User) -> None:
    with acting_as(member):
        before = UserPersona.objects.get()
    made = call(member, DISCOVER, persona_handle=QSR, confidence_score=0.1)
    with acting_as(member):
        after = UserPersona.objects.get()
    assert (made.standing, after.confidence, after.origin) == ("confirmed", 1.0, "owner")
    assert before.last_confirmed is not None
    assert after.last_confirmed is not None
    assert after.last_confirmed > before.last_confirmed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"persona_handle": "space_pirate"}, "There is no persona 'space_pirate'"),
        ({"persona_handle": QSR, "confidence_score": 1.5}, "confidence_score"),
        ({}, "persona_handle: Field required"),
    ],
)
def test_a_persona_that_there_is_not_is_refused_in_words(
    newcomer: User, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(ToolRefused, match=words):
        call(newcomer, DISCOVER, **arguments)


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


# --- Blocks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "begins", "limit", "read_only"),
    [
        ("agent_persona", "Throughline is an assistant", 2000, True),
        ("human", "User name: Nora", 3000, False),
        (PROFILE, "Cannot yet determine a persona", 5000, False),
    ],
)
def test_a_block_is_read_as_it_begins(
    newcomer: User, label: str, begins: str, limit: int, *, read_only: bool
) -> None:
    block = call(newcomer, "read_memory_block", label=label)
    assert block.content.startswith(begins)
    assert (block.limit, block.read_only) == (limit, read_only)
    assert block.used == len(block.content)


def test_the_profile_cannot_be_written_before_the_persona_is_theirs(newcomer: User) -> None:
    for attempt in (foresee, call):
        with pytest.raises(ToolRefused, match=DISCOVER):
            attempt(newcomer, "append_memory_block", label=PROFILE, text="Plans new restaurants.")
    with acting_as(newcomer):
        membership.confirm(newcomer.pk, Persona.objects.get(handle=QSR))
    call(newcomer, "append_memory_block", label=PROFILE, text="Plans new restaurants.")
    block = call(newcomer, "read_memory_block", label=PROFILE)
    assert block.content == "Plans new restaurants."


def test_a_block_is_added_to_and_changed_and_its_history_says_by_whom(member: User) -> None:
    would = foresee(member, "append_memory_block", label="human", text="Likes tables.")
    assert would.named() == "would be written down: “Likes tables.”"
    with acting_as(member):
        assert private_blocks.read_block(member, "human").version == 0
    call(member, "append_memory_block", label="human", text="Likes tables.")
    call(member, "append_memory_block", label="human", text="Reads in the evening.")
    call(member, "replace_memory_block", label="human", old="tables", new="short tables")
    with acting_as(member):
        versions = private_blocks.history(member.pk, "human")
    assert versions[0].content == "Likes short tables.\nReads in the evening."
    assert [(one.version, one.written_by) for one in versions] == [
        (3, "assistant"),
        (2, "assistant"),
        (1, "assistant"),
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("append_memory_block", {"label": "agent_persona", "text": "Obeys."}, "cannot be changed"),
        ("append_memory_block", {"label": "diary", "text": "Likes tables."}, "no block diary"),
        ("append_memory_block", {"label": "human", "text": "x" * 3000}, "can hold 3000 characters"),
        ("append_memory_block", {"label": "human", "text": " "}, "text"),
        ("replace_memory_block", {"label": "human", "old": "tea", "new": ""}, "0 times"),
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


def test_who_opted_out_contributes_nothing_through_a_model_either(member: User) -> None:
    with acting_as(member):
        contribution.opt_out(member.pk)
    with pytest.raises(ToolRefused, match="turned off sharing"):
        foresee(member, "append_memory_block", label=SHARED, text=LESSON)


def test_nothing_of_another_is_read_or_written(member: User, newcomer: User) -> None:
    call(member, "append_memory_block", label="human", text="Keeps bees at Thistlewick.")
    assert "Thistlewick" not in call(newcomer, "read_memory_block", label="human").content
    with pytest.raises(ToolRefused, match="Only its members"):
        call(newcomer, "read_memory_block", label=SHARED)
    with pytest.raises(NotThere):
        call(newcomer, DISCOVER, persona_handle=f"{QSR}_")


# --- With a model that calls them ----------------------------------------------------------------


def offered(server: Any) -> set[str]:
    tools = {one["function"]["name"] for one in server.requests[-1]["tools"]}
    assert "search_memory" in tools
    assert len(tools) <= 8
    return tools & (BLOCKS | DISCOVERY)


DISCOVERY = {"list_available_personas", DISCOVER}
BLOCKS = {"append_memory_block", "replace_memory_block"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("How long do potatoes boil?", set()),
        ("I like tables and my sister works in retail media.", set()),
        (OWN_WORK, DISCOVERY),
    ],
)
def test_a_model_is_offered_them_only_where_work_is_told_of(
    newcomer: User, serve: Serve, said: str, expected: set[str]
) -> None:
    server = serve("All right.")
    ask(newcomer, said)
    assert offered(server) == expected


def test_for_a_member_a_model_is_offered_the_blocks(member: User, serve: Serve) -> None:
    server = serve("All right.")
    ask(member, "How long do potatoes boil?")
    assert offered(server) == BLOCKS


def test_a_model_that_takes_somebody_for_something_has_them_asked_beneath_its_answer(
    newcomer: User, serve: Serve
) -> None:
    server = serve(
        calls(("list_available_personas", {})),
        calls((DISCOVER, {"persona_handle": "retail_asset_management"})),
        "I have asked you below.",
    )
    answer = ask(newcomer, "I look after the rents of our stores, it is my job.")
    assert states(answer) == [("list_available_personas", "done"), (DISCOVER, "done")]
    assert inside(told(server)[-1])["standing"] == "guessed"
    page = client_for(newcomer).get(f"/talk/{answer.conversation_id}/").content.decode()
    assert page.count("Do you work in this role") == 1


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


# --- Without a model -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("What has my cohort learned?", LESSON),
        ("What did others in my role learn?", LESSON),
        ("Stop sharing lessons", "turn sharing off"),
        ("Leave my role", "leave the role"),
    ],
)
def test_the_notebook_tells_what_a_role_learned_and_how_to_leave_it(
    cohort: list[User], contribute: Contribute, said: str, words: str
) -> None:
    for user in cohort:
        contribute(user)
    answer = Talk(cohort[0]).say(said)
    assert words in answer.content
    assert "/notebook/cohort/" in answer.content
    with acting_as(cohort[0]):
        assert len(membership.of(cohort[0].pk)) == 1


def test_the_notebook_tells_nothing_of_lessons_to_who_has_no_role(newcomer: User) -> None:
    assert (
        "This may help right now" not in Talk(newcomer).say("What has my cohort learned?").content
    )
