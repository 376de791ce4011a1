"""The tools: what each answers its owner with, what stays private, and what asks first."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.models import Conversation, Message
from conversations.tools import registry
from conversations.tools.tool import ToolRefused
from memory.models import Memory
from memory.notes import note_store
from tests.conversations.tooling import (
    SECRET,
    about,
    call,
    talk_of,
    told,
)
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db
# Tools that look through all, with arguments with which each can be called.
PLAIN: dict[str, dict[str, Any]] = {
    "find_personal_variables": {},
    "get_conversations_by_topic": {"topic": "sailing"},
    "get_topic_statistics": {},
    "get_user_conversations": {},
    "memory_cleanup": {},
    "memory_export": {},
    "memory_insights": {},
    "recall_memories": {"query": "sailing"},
    "recall_memories_with_time": {"when": "this year"},
    "search_conversations": {"query": "sailing"},
}
OF_ONE_TALK = (
    "get_conversation_details",
    "get_conversation_summary",
    "get_topics_by_conversation",
)


def test_what_takes_away_or_writes_a_block_asks_first_and_can_say_what_would_be() -> None:
    asks = {name for name, tool in registry.tools().items() if tool.asks_first}
    forget = {"memory_cleanup", "forget_fact", "forget_message"}
    assert asks == forget | {"append_memory_block", "replace_memory_block"}
    assert all(bool(tool.foresee) == tool.asks_first for tool in registry.tools().values())


def test_each_schema_is_one_that_models_can_be_given() -> None:
    for name, tool in registry.tools().items():
        schema = tool.schema()
        assert len(name) <= 64
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz_")
        assert 20 < len(tool.purpose) <= 300, name
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert "$" not in json.dumps(schema)
        for argument in schema["properties"].values():
            assert isinstance(argument["type"], str)
            assert len(argument["description"]) > 10
            assert argument.get("default", 0) is not None


@pytest.mark.parametrize("name", PLAIN)
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


def test_facts_are_found_by_slot_by_words_and_by_question(alice: User) -> None:
    message = tell(alice, "I work at Initech and I live in Lisbon.")
    for wanted in (
        {"slots": ["employer"]},
        {"query": "work"},
        {"query": "Initech"},
        {"query": "Where do I work?"},
    ):
        (fact,) = call(alice, "find_personal_variables", **wanted).facts
        assert (fact.value, fact.sentence) == ("Initech", "Works at Initech")
        assert fact.said_in.id == message.conversation_id
        assert fact.said_at == message.get_absolute_url()
        assert fact.link.endswith(f"#fact-{fact.id}")
        assert (fact.times_said, fact.disputed, fact.gives_way) == (1, False, False)
    everything = call(alice, "find_personal_variables")
    assert {fact.slot for fact in everything.facts} == {"employer", "location"}
    assert everything.in_words() == "2 facts"
    few = call(alice, "find_personal_variables", limit=1)
    assert (len(few.facts), few.total) == (1, 2)
    assert call(alice, "find_personal_variables", query="tortoise").in_words() == "nothing found"


def test_what_holds_in_one_conversation_is_told_in_it_alone(
    alice: User, talk: Callable[..., Talk]
) -> None:
    tell(alice, "Call me Alice")
    one = talk()
    one.say("call me Tortuga in this chat")
    inside = call(alice, "find_personal_variables", here=one.conversation)
    assert [held.value for held in inside.here_only] == ["Tortuga"]
    assert "Tortuga" not in told(call(alice, "find_personal_variables"))


def test_a_fact_from_a_conversation_that_became_private_names_it_no_more(alice: User) -> None:
    message = tell(alice, "I live in Lisbon.")
    there = talk_of(alice, message)
    with acting_as(alice):
        privacy.choose(there, "private")
    (fact,) = call(alice, "find_personal_variables").facts
    assert (fact.value, fact.said_in, fact.said_at) == ("Lisbon", None, "")
    (fact,) = call(alice, "find_personal_variables", here=there).facts
    assert fact.said_in.id == there.pk


def test_a_private_title_cannot_be_guessed_by_counting(alice: User, secret: Conversation) -> None:
    counts = {
        call(alice, "get_user_conversations", title=word).private for word in (SECRET, "Nowhere")
    }
    assert counts == {1}


def test_the_summary_of_inside_is_told_inside_with_what_was_said_since(
    alice: User, sailing: Conversation
) -> None:
    with acting_as(alice):
        Conversation.objects.filter(pk=sailing.pk).update(
            compact_summary=f"Kiel is a pretext for {SECRET}.", compacted_up_to=1
        )
    inside = call(alice, "get_conversation_summary", here=sailing)
    assert SECRET in inside.summary
    assert (inside.made, inside.up_to) == ("summary", 1)
    assert any("Johanna" in sentence for sentence in inside.since_then)
    outside = call(alice, "get_conversation_summary", conversation_id=sailing.pk)
    assert SECRET not in told(outside)
    details = call(alice, "get_conversation_details", conversation_id=sailing.pk)
    assert SECRET not in told(details)


def test_a_summary_leaves_out_what_was_taken_back(alice: User, sailing: Conversation) -> None:
    with acting_as(alice):
        for note in Memory.objects.active().filter(content__icontains="Kiel"):
            note_store.remove_note(note)
    found = call(alice, "get_conversation_summary", conversation_id=sailing.pk)
    assert "Kiel" not in found.summary


def test_topics_lead_to_conversations_and_back(alice: User, sailing: Conversation) -> None:
    about(alice, sailing, "Sailing course", messages=2)
    other = talk_of(alice, tell(alice, "The sailing course starts at noon."))
    about(alice, other, "Sailing course", messages=1)
    about(alice, other, "Noon")
    of_one = call(alice, "get_topics_by_conversation", conversation_id=other.pk)
    assert {topic.name for topic in of_one.topics} == {"Sailing course", "Noon"}
    for name in ("Sailing course", "sailing courses", "SAILING"):
        found = call(alice, "get_conversations_by_topic", topic=name)
        assert found.found_by == "topic"
        assert {one.conversation.id for one in found.conversations} == {sailing.pk, other.pk}
    counted = call(alice, "get_topic_statistics")
    assert [(t.name, t.conversations, t.messages) for t in counted.topics] == [
        ("Sailing course", 2, 3),
        ("Noon", 1, 2),
    ]
    assert counted.in_words() == "2 topics"
