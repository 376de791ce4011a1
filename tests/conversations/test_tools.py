"""The tools: what each answers its owner with, what stays private, and what asks first."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.tools import registry
from conversations.tools.tool import NotThere, ToolRefused, UnknownTool
from memory.models import Memory
from tests.conversations.tooling import (
    SECRET,
    about,
    asking,
    call,
    talk_of,
    told,
)
from tests.people import tell

pytestmark = pytest.mark.django_db
THIRTEEN = {
    "find_personal_variables",
    "get_conversation_details",
    "get_conversation_summary",
    "get_conversations_by_topic",
    "get_topic_statistics",
    "get_topics_by_conversation",
    "get_user_conversations",
    "memory_cleanup",
    "memory_export",
    "memory_insights",
    "recall_memories",
    "recall_memories_with_time",
    "search_conversations",
}
FORGET = {"forget_fact", "forget_message"}
OF_A_ROLE = {
    "append_memory_block",
    "list_available_personas",
    "read_memory_block",
    "replace_memory_block",
    "update_user_persona_profile_in_db",
}
AHEAD = {"get_upcoming_plans"}
ALL = THIRTEEN | AHEAD | FORGET | OF_A_ROLE | {"search_memory", "remember", "update_memory"}
# Arguments with which each tool can be called, whoever asks and whatever is there.
PLAIN: dict[str, dict[str, Any]] = {name: {} for name in THIRTEEN | AHEAD} | {
    "recall_memories": {"query": "sailing"},
    "recall_memories_with_time": {"when": "this year"},
    "search_conversations": {"query": "sailing"},
    "get_conversations_by_topic": {"topic": "sailing"},
}
OF_ONE_TALK = (
    "get_conversation_details",
    "get_conversation_summary",
    "get_topics_by_conversation",
)


def test_the_table_has_these_tools() -> None:
    assert set(registry.tools()) == ALL


def test_what_takes_away_or_writes_a_block_asks_first_and_can_say_what_would_be() -> None:
    asks = {name for name, tool in registry.tools().items() if tool.asks_first}
    writes = {"append_memory_block", "replace_memory_block"}
    assert asks == {"memory_cleanup"} | FORGET | writes
    assert all(bool(tool.foresee) == tool.asks_first for tool in registry.tools().values())


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_schema_is_one_that_models_can_be_given(name: str) -> None:
    tool = registry.tools()[name]
    schema = tool.schema()
    assert len(name) <= 64
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz_")
    assert 20 < len(tool.purpose) <= 300
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert "$" not in json.dumps(schema)
    for argument in schema["properties"].values():
        assert isinstance(argument["type"], str)
        assert len(argument["description"]) > 10
        assert argument.get("default", 0) is not None


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_schema_is_a_json_schema(name: str) -> None:
    # The library comes with others; where it does not, the test above still holds.
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(registry.tools()[name].schema())
    validator = jsonschema.Draft202012Validator(registry.tools()[name].schema())
    assert list(validator.iter_errors({"no such argument": 1}))
    if name in PLAIN:
        assert not list(validator.iter_errors(PLAIN[name]))


def test_no_argument_has_a_name_that_the_api_keeps_for_itself() -> None:
    names = {n for tool in registry.tools().values() for n in tool.schema()["properties"]}
    assert not names & {"confirm", "asked_in"}


def test_an_unknown_tool_is_refused_with_the_names_of_those_there_are(alice: User) -> None:
    with pytest.raises(UnknownTool, match="There is no tool called fly.*recall_memories"):
        call(alice, "fly")


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("recall_memories", {}, "query: Field required"),
        ("recall_memories", {"query": "x" * 401}, "at most 400"),
        ("recall_memories", {"query": ["boat"]}, "query"),
        ("recall_memories_with_time", {}, "Give a time"),
        ("recall_memories_with_time", {"since": "0001-01-01"}, "between 1900"),
        (
            "recall_memories_with_time",
            {"since": "today", "until": "last year"},
            "is after the last day",
        ),
        ("memory_export", {"parts": ["passwords"]}, "parts"),
        ("forget_fact", {}, "fact_id"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_words(
    alice: User, name: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(ToolRefused) as refused:
        call(alice, name, **arguments)
    assert words in str(refused.value)


@pytest.mark.parametrize("name", sorted(THIRTEEN))
def test_who_has_nothing_is_answered_with_nothing(alice: User, name: str) -> None:
    if name in OF_ONE_TALK:
        with acting_as(alice):
            empty = Conversation.objects.create(user=alice)
        result = call(alice, name, here=empty)
    else:
        result = call(alice, name, **PLAIN[name])
    assert registry.in_words(result) in {
        "nothing found",
        "nothing yet",
        "nothing to tidy up",
        "not enough to sum up",
    }


@pytest.mark.parametrize("name", sorted(THIRTEEN - set(OF_ONE_TALK)))
def test_a_stranger_is_told_nothing_of_the_owners(
    alice: User, bob: User, sailing: Conversation, name: str
) -> None:
    about(alice, sailing, "Sailing")
    for here in (None, sailing):
        answer = told(call(bob, name, here=here, **PLAIN[name]))
        assert not [word for word in ("Kiel", "Johanna", "sourdough", "Sailing") if word in answer]
        assert str(sailing.pk) not in answer


@pytest.mark.parametrize("name", OF_ONE_TALK)
def test_a_conversation_of_somebody_else_is_not_found(
    bob: User, sailing: Conversation, name: str
) -> None:
    for arguments in ({"here": sailing}, {"conversation_id": str(sailing.pk)}):
        with pytest.raises(NotThere, match="I can’t find a conversation with this id"):
            call(bob, name, **arguments)


@pytest.mark.parametrize("name", sorted(THIRTEEN - set(OF_ONE_TALK)))
def test_what_is_private_is_told_in_its_own_conversation_alone(
    alice: User, sailing: Conversation, secret: Conversation, name: str
) -> None:
    about(alice, secret, SECRET)
    with_words = PLAIN[name] | ({"topic": SECRET} if "topic" in PLAIN[name] else {})
    for here in (None, sailing):
        answer = told(call(alice, name, here=here, **with_words))
        assert SECRET not in answer
        assert str(secret.pk) not in answer


@pytest.mark.parametrize("name", OF_ONE_TALK)
def test_a_private_conversation_is_looked_into_from_inside_it_alone(
    alice: User, sailing: Conversation, secret: Conversation, name: str
) -> None:
    for here in (None, sailing):
        with pytest.raises(ToolRefused, match="private"):
            call(alice, name, here=here, conversation_id=secret.pk)
    assert SECRET in told(call(alice, name, here=secret))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("recall_memories", {"query": "sailing trip"}),
        ("recall_memories_with_time", {"when": "today", "query": "sailing trip"}),
        ("recall_memories_with_time", {"when": "today"}),
        ("search_conversations", {"query": "sailing trip"}),
        ("search_conversations", {"query": SECRET, "title_only": True}),
        ("get_conversations_by_topic", {"topic": "sailing trip"}),
        ("get_user_conversations", {"title": SECRET}),
    ],
)
def test_from_inside_what_is_private_is_found(
    alice: User, secret: Conversation, name: str, arguments: dict[str, Any]
) -> None:
    assert str(secret.pk) in told(call(alice, name, here=secret, **arguments))
    assert str(secret.pk) not in told(call(alice, name, **arguments))


def test_a_confidential_message_is_quoted_in_its_own_conversation_alone(alice: User) -> None:
    message = tell(alice, "Between us: the sailing club in Zanzibar owes me money.")
    with acting_as(alice):
        Message.objects.filter(pk=message.pk).update(confidential=True)
    there = talk_of(alice, message)
    finding = [
        ("recall_memories", {"query": "sailing club"}),
        ("recall_memories_with_time", {"when": "today", "query": "sailing"}),
        ("recall_memories_with_time", {"when": "today"}),
        ("search_conversations", {"query": "sailing club"}),
    ]
    for name, arguments in finding:
        assert str(message.pk) not in told(call(alice, name, **arguments))
        assert str(message.pk) in told(call(alice, name, here=there, **arguments))


def tell_with_memory_off(user: User, text: str) -> Message:
    User.objects.filter(pk=user.pk).update(memory_on=False)
    user.refresh_from_db()
    message = tell(user, text)
    User.objects.filter(pk=user.pk).update(memory_on=True)
    user.refresh_from_db()
    return message


def test_what_was_said_with_memory_off_and_what_was_taken_out_is_not_recalled(alice: User) -> None:
    tell_with_memory_off(alice, "I sailed to Zanzibar.")
    gone = tell(alice, "I sailed to Bornholm.")
    with acting_as(alice):
        Message.objects.filter(pk=gone.pk).update(state=Message.State.REMOVED, content="")
        Memory.objects.all().delete()
    assert call(alice, "recall_memories_with_time", when="today").found == []
    assert call(alice, "recall_memories", query="sailed").found == []


def test_what_was_said_with_memory_off_is_summed_up_in_its_own_conversation_alone(
    alice: User,
) -> None:
    message = tell_with_memory_off(alice, "I booked a flight to Zanzibar for the 12th of May.")
    there = talk_of(alice, message)
    assert SECRET in call(alice, "get_conversation_summary", here=there).summary
    outside = call(alice, "get_conversation_summary", conversation_id=there.pk)
    assert (outside.summary, outside.in_words()) == ("", "not enough to sum up")


@pytest.mark.parametrize("name", sorted(THIRTEEN))
def test_a_tool_costs_the_same_with_little_and_with_much(alice: User, name: str) -> None:
    def fill(numbers: range) -> None:
        for number in numbers:
            message = tell(alice, f"I like sailing to island {number} and I bought boat {number}.")
            about(alice, talk_of(alice, message), f"Sailing {number}")

    def cost() -> int:
        with acting_as(alice):
            here = Conversation.objects.earliest("started_at")
        # What is tidied is written row by row; what would be is read as everything else.
        ask = registry.foresee if registry.tools()[name].asks_first else registry.call
        with acting_as(alice), CaptureQueriesContext(connection) as captured:
            ask(asking(alice, here), name, PLAIN[name])
        return len(captured)

    fill(range(3))
    few = cost()
    fill(range(3, 9))
    assert cost() == few <= 18
