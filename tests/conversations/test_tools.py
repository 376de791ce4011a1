"""The tools: what each answers its owner with, what stays private, and what asks first."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.models import Conversation, ConversationTopic, Message, Topic
from conversations.tools import recalling, table
from conversations.tools.arguments import Period, period
from conversations.tools.table import Asking, NotThere, ToolRefused, UnknownTool
from memory import memories
from memory.models import Memory, Merge, ProfileFact
from tests.people import Talk, dispute, tell, the_fact

pytestmark = pytest.mark.django_db

# A Saturday.
ASKED_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
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
# Arguments with which each tool can be called, whoever asks and whatever is there.
PLAIN: dict[str, dict[str, Any]] = {name: {} for name in THIRTEEN} | {
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
SECRET = "Zanzibar"


def call(user: User, name: str, *, here: Any = None, **arguments: Any) -> Any:
    """Call a tool as this person, from inside the conversation `here` or from nowhere."""
    with acting_as(user):
        return table.call(asking(user, here), name, arguments)


def foresee(user: User, name: str, **arguments: Any) -> Any:
    with acting_as(user):
        return table.foresee(asking(user), name, arguments)


def asking(user: User, here: Conversation | None = None) -> Asking:
    return Asking(user.pk, now(), here.pk if here else None)


def told(result: Any) -> str:
    return str(result.model_dump_json())


def private_talk(user: User, text: str) -> Conversation:
    with acting_as(user):
        made = Conversation.objects.create(user=user, privacy="private", title=f"About {SECRET}")
    tell(user, text, made)
    return made


def about(user: User, conversation: Conversation, name: str, messages: int = 2) -> Topic:
    """A topic of a conversation."""
    with acting_as(user):
        topic, _ = Topic.objects.get_or_create(user=user, key=name.lower(), defaults={"name": name})
        ConversationTopic.objects.create(
            user=user,
            conversation=conversation,
            topic=topic,
            weight=0.5,
            messages=messages,
            first_at=conversation.started_at,
            last_at=conversation.last_at,
        )
    return topic


def talk_of(user: User, message: Message) -> Conversation:
    with acting_as(user):
        return Conversation.objects.get(pk=message.conversation_id)


@pytest.fixture
def sailing(alice: User) -> Conversation:
    """A talk of Alice's about sailing, and another about bread."""
    message = tell(alice, "I booked the sailing course in Kiel for 3 May, it costs 400 euros.")
    tell(alice, "We decided to sail with Johanna on the blue boat.", message.conversation)
    tell(alice, "I bake sourdough bread every Sunday.")
    return talk_of(alice, message)


@pytest.fixture
def secret(alice: User) -> Conversation:
    return private_talk(alice, f"I plan a sailing trip to {SECRET} in June with my sister.")


# --- The table -----------------------------------------------------------------------------------


def test_the_table_has_the_thirteen_tools_and_what_forgets_one_thing() -> None:
    assert set(table.tools()) == THIRTEEN | {"forget_fact", "forget_message"}


def test_what_takes_something_away_asks_first_and_can_say_what_would_go() -> None:
    asks = {name for name, tool in table.tools().items() if tool.asks_first}
    assert asks == {"memory_cleanup", "forget_fact", "forget_message"}
    assert all(bool(tool.foresee) == tool.asks_first for tool in table.tools().values())


@pytest.mark.parametrize("name", sorted(THIRTEEN | {"forget_fact", "forget_message"}))
def test_a_schema_is_one_that_models_can_be_given(name: str) -> None:
    tool = table.tools()[name]
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


@pytest.mark.parametrize("name", sorted(THIRTEEN | {"forget_fact", "forget_message"}))
def test_a_schema_is_a_json_schema(name: str) -> None:
    # The library comes with others; where it does not, the test above still holds.
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(table.tools()[name].schema())
    validator = jsonschema.Draft202012Validator(table.tools()[name].schema())
    assert list(validator.iter_errors({"no such argument": 1}))
    if name in PLAIN:
        assert not list(validator.iter_errors(PLAIN[name]))


def test_no_argument_has_a_name_that_the_api_keeps_for_itself() -> None:
    names = {n for tool in table.tools().values() for n in tool.schema()["properties"]}
    assert not names & {"confirm", "asked_in"}


def test_an_unknown_tool_is_refused_with_the_names_of_those_there_are(alice: User) -> None:
    with pytest.raises(UnknownTool, match="There is no tool called fly.*recall_memories"):
        call(alice, "fly")


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("recall_memories", {}, "query: Field required"),
        ("recall_memories", {"query": None}, "query: Field required"),
        ("recall_memories", {"query": " \x00 ?!"}, "Name something to look for"),
        ("recall_memories", {"query": "x" * 401}, "at most 400"),
        ("recall_memories", {"query": "boat", "limit": 31}, "limit"),
        ("recall_memories", {"query": "boat", "limit": "many"}, "limit"),
        ("recall_memories", {"query": "boat", "said_by": "Bob"}, "said_by"),
        ("recall_memories", {"query": ["boat"]}, "query"),
        ("recall_memories", {"query": "\ud800"}, "query"),
        ("recall_memories", {"query": "boat", "user_id": str(uuid4())}, "user_id"),
        ("recall_memories_with_time", {}, "Say which time"),
        ("recall_memories_with_time", {"when": "soonish"}, "cannot read 'soonish'"),
        ("recall_memories_with_time", {"since": "2026-02-30"}, "cannot read '2026-02-30'"),
        ("recall_memories_with_time", {"since": "0001-01-01"}, "I count from 1900"),
        ("recall_memories_with_time", {"until": "9999-12-31"}, "I count from 1900"),
        ("recall_memories_with_time", {"when": "today", "since": "2026-01-01"}, "either as 'when'"),
        ("recall_memories_with_time", {"since": "today", "until": "last year"}, "lies after"),
        ("get_conversation_details", {"conversation_id": "7"}, "conversation_id"),
        ("get_conversation_details", {}, "Say which conversation"),
        ("find_personal_variables", {"slots": ["shoe_size"]}, "There is no 'shoe_size'. There are"),
        ("memory_export", {"parts": ["passwords"]}, "parts"),
        ("memory_insights", {"months": 0}, "months"),
        ("memory_cleanup", {"kinds": []}, "kinds"),
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
    assert table.in_words(result) in {
        "nothing found",
        "nothing yet",
        "nothing to tidy",
        "too little to sum up",
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
        with pytest.raises(NotThere, match="I find no conversation with this id"):
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
    assert (outside.summary, outside.in_words()) == ("", "too little to sum up")


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
        ask = table.foresee if table.tools()[name].asks_first else table.call
        with acting_as(alice), CaptureQueriesContext(connection) as captured:
            ask(asking(alice, here), name, PLAIN[name])
        return len(captured)

    fill(range(3))
    few = cost()
    fill(range(3, 9))
    assert cost() == few <= 18


# --- Facts ---------------------------------------------------------------------------------------


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


def test_a_disputed_fact_says_so_and_what_stands_against_it(alice: User) -> None:
    dispute(alice)
    (fact,) = call(alice, "find_personal_variables", slots=["employer"]).facts
    assert fact.disputed
    assert fact.against == ["Works at Microsoft"]
    assert fact.trust_in_words == "Disputed"


def test_what_holds_in_one_conversation_is_told_in_it_alone(
    alice: User, talk: Callable[..., Talk]
) -> None:
    tell(alice, "Call me Alice")
    one = talk()
    one.say("call me Tortuga in this chat")
    inside = call(alice, "find_personal_variables", here=one.conversation)
    assert [held.value for held in inside.here_only] == ["Tortuga"]
    assert "Tortuga" not in told(call(alice, "find_personal_variables"))


def test_a_fact_of_before_is_told_when_it_is_asked_for(alice: User) -> None:
    tell(alice, "I work at Initech")
    with acting_as(alice):
        ProfileFact.objects.update(status="past", valid_to=now())
    assert call(alice, "find_personal_variables", slots=["employer"]).facts == []
    (fact,) = call(alice, "find_personal_variables", slots=["employer"], past=True).facts
    assert fact.until is not None


def test_a_fact_from_a_conversation_that_became_private_names_it_no_more(alice: User) -> None:
    message = tell(alice, "I live in Lisbon.")
    there = talk_of(alice, message)
    with acting_as(alice):
        privacy.choose(there, "private")
    (fact,) = call(alice, "find_personal_variables").facts
    assert (fact.value, fact.said_in, fact.said_at) == ("Lisbon", None, "")
    (fact,) = call(alice, "find_personal_variables", here=there).facts
    assert fact.said_in.id == there.pk


# --- Numbers, and all of it ----------------------------------------------------------------------


def test_insights_count_what_is_kept_and_how_it_grew(
    alice: User, sailing: Conversation, secret: Conversation
) -> None:
    with acting_as(alice):
        old = Conversation.objects.create(
            user=alice, started_at=now() - timedelta(days=70), archived_at=now()
        )
        notes = Memory.objects.active().count()
    told = call(alice, "memory_insights", months=6)
    assert (told.conversations, told.private, told.archived) == (4, 1, 1)
    assert (told.from_person, told.from_assistant) == (4, 0)
    assert told.notes == notes > 0
    assert told.first_at == old.started_at
    assert len(told.months) == 6
    assert told.months == sorted(told.months, key=lambda month: month.month)
    assert told.months[-1].month == now().date().replace(day=1)
    assert (told.months[-1].conversations, told.months[-1].messages) == (3, 4)
    assert sum(month.conversations for month in told.months) == 4
    assert told.in_words().endswith("4 conversations")


def test_an_export_holds_facts_notes_timeline_and_the_list_of_conversations(
    alice: User, sailing: Conversation, secret: Conversation
) -> None:
    tell(alice, "I work at Initech")
    made = call(alice, "memory_export")
    assert [fact.value for fact in made.profile if fact.slot == "employer"] == ["Initech"]
    assert any("sailing" in note.text.lower() for note in made.notes)
    assert any(strand.sentence.startswith("Employer: Initech") for strand in made.timeline)
    assert sailing.pk in {talk.id for talk in made.conversations}
    assert (made.private_conversations, made.left_out) == (1, {})
    assert made.links["profile"] == "/notebook/profile/"
    json.loads(told(made))


def test_an_export_is_bounded_and_says_where_the_rest_is(
    alice: User, sailing: Conversation
) -> None:
    made = call(alice, "memory_export", parts=["conversations"], limit=1)
    assert (len(made.conversations), made.profile, made.notes) == (1, [], [])
    assert made.left_out == {"conversations": 1}
    assert made.more == {"conversations": "/api/v1/conversations"}


# --- Conversations -------------------------------------------------------------------------------


def test_conversations_are_listed_by_title_and_time_those_put_away_on_demand(
    alice: User, sailing: Conversation, secret: Conversation
) -> None:
    with acting_as(alice):
        Conversation.objects.filter(pk=sailing.pk).update(title="The blue boat", archived_at=now())
        long_ago = Conversation.objects.create(
            user=alice,
            title="Boat prices",
            started_at=now() - timedelta(days=400),
            last_at=now() - timedelta(days=400),
        )
    listed = call(alice, "get_user_conversations")
    assert (len(listed.conversations), listed.total, listed.private) == (2, 2, 1)
    assert sailing.pk not in {one.id for one in listed.conversations}
    boats = call(alice, "get_user_conversations", title="boat", archived=True)
    assert [one.id for one in boats.conversations] == [sailing.pk, long_ago.pk]
    assert boats.conversations[0].archived
    assert boats.conversations[0].link == sailing.get_absolute_url()
    today = call(alice, "get_user_conversations", when="today", archived=True)
    assert (today.total, today.in_words()) == (2, "2 conversations")
    before = call(alice, "get_user_conversations", until=now() - timedelta(days=300))
    assert [one.id for one in before.conversations] == [long_ago.pk]
    inside = call(alice, "get_user_conversations", here=secret)
    assert (inside.total, inside.private) == (3, 0)


def test_a_private_title_cannot_be_guessed_by_counting(alice: User, secret: Conversation) -> None:
    counts = {
        call(alice, "get_user_conversations", title=word).private for word in (SECRET, "Nowhere")
    }
    assert counts == {1}


def test_details_tell_counts_dates_and_topics(
    alice: User, talk: Callable[..., Talk], sailing: Conversation
) -> None:
    one = talk()
    one.say("I booked the sailing course in Kiel for 3 May.")
    one.say("What else?")
    assert one.conversation is not None
    about(alice, one.conversation, "Sailing course")
    with acting_as(alice):
        Message.objects.filter(conversation=one.conversation, number=3).update(
            state=Message.State.REMOVED, content=""
        )
    found = call(alice, "get_conversation_details", conversation_id=str(one.conversation.pk))
    assert (found.messages, found.from_person, found.from_assistant) == (3, 1, 2)
    assert (found.taken_out, found.first_number, found.last_number) == (1, 1, 4)
    assert [topic.name for topic in found.topics] == ["Sailing course"]
    assert found.conversation.link == one.conversation.get_absolute_url()
    assert found.in_words() == "3 messages"


def test_a_summary_is_made_of_what_says_most_where_none_is_kept(
    alice: User, sailing: Conversation
) -> None:
    found = call(alice, "get_conversation_summary", conversation_id=sailing.pk)
    assert "Kiel" in found.summary
    assert (found.made, found.up_to, found.since_then) == ("now", 2, [])


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
            memories.remove(note)
    found = call(alice, "get_conversation_summary", conversation_id=sailing.pk)
    assert "Kiel" not in found.summary


# --- Topics --------------------------------------------------------------------------------------


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


def test_topics_are_narrowed_by_time(alice: User, sailing: Conversation) -> None:
    about(alice, sailing, "Sailing course")
    assert call(alice, "get_topic_statistics", when="last year").total == 0
    assert call(alice, "get_topic_statistics", since="today").total == 1
    assert call(alice, "get_conversations_by_topic", topic="sailing", when="last year").total == 0


def test_where_no_topic_has_the_name_its_words_are_looked_for(
    alice: User, sailing: Conversation
) -> None:
    found = call(alice, "get_conversations_by_topic", topic="sourdough")
    assert (found.found_by, found.total) == ("words", 1)
    assert found.conversations[0].conversation.id != sailing.pk


def test_a_word_that_nobody_said_is_stood_in_for_by_one_like_it(
    alice: User, sailing: Conversation
) -> None:
    trip = tell(alice, "The trip to Bornholm took two weeks.")
    found = call(alice, "get_conversations_by_topic", topic="travel")
    assert [one.conversation.id for one in found.conversations] == [trip.conversation_id]
    said = tell(alice, "I want to travel light.")
    found = call(alice, "get_conversations_by_topic", topic="travel")
    assert [one.conversation.id for one in found.conversations] == [said.conversation_id]


# --- Recall --------------------------------------------------------------------------------------


def test_recall_finds_messages_and_notes_with_dates_links_and_reasons(
    alice: User, sailing: Conversation
) -> None:
    with acting_as(alice):
        memories.write_by_hand(alice.pk, "Sailing needs a licence")
    found = call(alice, "recall_memories", query="What about the sailing course?").found
    message = next(one for one in found if "Kiel" in one.text)
    assert message.kind == "message"
    assert message.speaker == "person"
    assert message.conversation.id == sailing.pk
    assert message.link.startswith(sailing.get_absolute_url())
    assert {"s", "rho", "w", "R", "meaning"} <= message.why.keys()
    (note,) = [one for one in found if one.kind == "note"]
    assert note.text == "Sailing needs a licence"
    assert note.link.endswith(f"#memory-{note.id}")
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert not any("sourdough" in one.text for one in found)
    assert len(call(alice, "recall_memories", query="sailing course", limit=1).found) == 1


def test_recall_passes_over_the_question_itself_and_what_has_nothing_to_do_with_it(
    alice: User, sailing: Conversation
) -> None:
    question = tell(alice, "What do I know about sailing?", sailing)
    with acting_as(alice):
        inside = Asking(alice.pk, now(), sailing.pk, question.pk)
        found = table.call(inside, "recall_memories", {"query": question.content})
    assert str(question.pk) not in told(found)
    assert call(alice, "recall_memories", query="quarterly tax declaration").found == []


def test_recall_looks_through_the_words_of_whom_it_is_told_to(
    alice: User, talk: Callable[..., Talk]
) -> None:
    one = talk()
    answer = one.say("I live in Lisbon")
    with acting_as(alice):
        table_of = {
            who: {
                found.speaker
                for found in call(alice, "recall_memories", query="Lisbon", said_by=who).found
            }
            for who in ("person", "assistant", "anyone")
        }
    assert "Lisbon" in answer.content
    assert "assistant" not in table_of["person"]
    assert table_of["assistant"] <= {"assistant"}
    assert "person" in table_of["anyone"]


def past(user: User, text: str, at: datetime) -> Message:
    return tell(user, text, said_at=at)


def test_recall_with_a_time_finds_what_was_said_then(alice: User) -> None:
    at = now()
    old = past(alice, "I sailed around Bornholm.", at - timedelta(days=40))
    older = past(alice, "I painted the kitchen blue.", at - timedelta(days=45))
    new = past(alice, "I sailed to Kiel.", at)
    since, until = at - timedelta(days=50), at - timedelta(days=30)

    def messages(**more: Any) -> list[UUID]:
        found = call(alice, "recall_memories_with_time", **more).found
        return [one.id for one in found if one.kind == "message"]

    assert messages(since=since, until=until) == [old.pk, older.pk]
    assert messages(since=since, until=until, order="oldest") == [older.pk, old.pk]
    assert messages(since=since, until=until, query="sailed") == [old.pk]
    assert messages(since=since.date(), until=until.date(), query="sail", order="best") == [old.pk]
    assert messages(when="today") == [new.pk]
    assert messages(when="today", query="kitchen") == []
    assert messages(since=since, said_by="assistant") == []


def test_recall_with_a_time_tells_only_what_speaks_of_it_itself(alice: User) -> None:
    first = tell(alice, "My work at the bakery begins at five.")
    tell(alice, "The weather was fine, so I walked.", first.conversation)
    found = call(alice, "recall_memories_with_time", when="today", query="work").found
    assert [one.id for one in found if one.kind == "message"] == [first.pk]


def test_much_that_is_private_does_not_hide_what_is_not(alice: User) -> None:
    message = tell(alice, "I sailed to Kiel.")
    with acting_as(alice):
        private = Conversation.objects.create(user=alice, privacy="private")
    for number in range(4):
        tell(alice, f"I sailed to {SECRET} {number}.", private)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(recalling, "_LOOKED_AT", 3)
        found = call(alice, "recall_memories_with_time", when="today", said_by="anyone").found
    assert [one.id for one in found if one.kind == "message"] == [message.pk]


def test_recall_with_a_time_tells_what_happened_then_whenever_it_was_told(alice: User) -> None:
    day = now().date() - timedelta(days=60)
    with acting_as(alice):
        note = memories.write_by_hand(alice.pk, "Moved into the flat by the canal")
        Memory.objects.filter(pk=note.pk).update(happened_on=day)
    found = call(alice, "recall_memories_with_time", when=day.isoformat()).found
    assert [(one.kind, one.id, one.at.date()) for one in found] == [("note", note.pk, day)]
    assert call(alice, "recall_memories_with_time", when="today").found == []


def test_conversations_are_searched_by_title_and_by_what_was_said(
    alice: User, sailing: Conversation
) -> None:
    with acting_as(alice):
        titled = Conversation.objects.create(user=alice, title="Sailing gear")
    found = call(alice, "search_conversations", query="sailing")
    assert [one.conversation.id for one in found.conversations] == [titled.pk, sailing.pk]
    by_title, said = found.conversations
    assert by_title.in_title
    assert said.messages >= 1
    assert said.quotes[0].link.startswith(sailing.get_absolute_url())
    only = call(alice, "search_conversations", query="sailing", title_only=True)
    assert titled.pk in {one.conversation.id for one in only.conversations}
    assert not any(one.quotes for one in only.conversations)
    assert call(alice, "search_conversations", query="sailing", when="last year").total == 0


# --- What asks first -----------------------------------------------------------------------------


@pytest.fixture
def untidy(alice: User) -> dict[str, Memory]:
    """Two notes that say the same, a stale one, a slight one, one by hand and one in order."""
    texts = {
        "one": "Building a wooden shed behind the house",
        "same": "Repairs old clocks in the evening",
        "stale": "I bought a red kayak in Bremen for the river.",
        "low": "I visited the lighthouse museum with Johanna in spring.",
        "fine": "I signed the lease for the studio in Porto on 3 May.",
    }
    notes = {}
    with acting_as(alice):
        for name, text in texts.items():
            notes[name] = memories.write_by_hand(alice.pk, text)
        Memory.objects.update(source="user", priority=1)
        # Only an earlier version of the house kept both.
        words = "Building the wooden shed behind our house"
        twin = Memory.objects.filter(pk=notes["same"].pk)
        twin.update(content=words, content_key=f"{memories.dedup.key(words)} our")
        notes["by_hand"] = memories.write_by_hand(alice.pk, "Plays chess on Thursdays in the park")
        long_ago = now() - timedelta(days=900)
        old = Memory.objects.filter(pk__in=[notes["stale"].pk, notes["by_hand"].pk])
        old.update(said_at=long_ago, last_used_at=None)
        Memory.objects.filter(pk=notes["low"].pk).update(priority=0)
    return notes


def statuses(user: User, notes: dict[str, Memory]) -> dict[str, str]:
    with acting_as(user):
        rows = Memory.objects.in_bulk([note.pk for note in notes.values()])
        return {name: rows[note.pk].status for name, note in notes.items()}


def test_tidying_first_says_what_would_go_and_touches_nothing(
    alice: User, untidy: dict[str, Memory]
) -> None:
    before = statuses(alice, untidy)
    would = foresee(alice, "memory_cleanup")
    assert statuses(alice, untidy) == before
    (group,) = would.duplicates
    assert {group.stays.id, group.go[0].id} == {untidy["one"].pk, untidy["same"].pk}
    assert {(one.id, one.why) for one in would.going} == {
        (untidy["stale"].pk, "stale"),
        (untidy["low"].pk, "low_priority"),
    }
    assert not would.done
    assert would.in_words() == "3 notes would go"


def test_tidying_does_what_was_foreseen_and_can_be_undone(
    alice: User, untidy: dict[str, Memory]
) -> None:
    would = foresee(alice, "memory_cleanup")
    with acting_as(alice):
        late = memories.write_by_hand(alice.pk, "Rode the night train to Vienna in October")
        Memory.objects.filter(pk=late.pk).update(source="user", priority=0)
    done = call(alice, "memory_cleanup", **would.arguments)
    assert (done.done, done.in_words()) == (True, "3 notes put away")
    after = statuses(alice, untidy | {"late": late})
    assert sorted([after["one"], after["same"]]) == ["active", "merged"]
    assert (after["stale"], after["low"]) == ("removed", "removed")
    assert {after["fine"], after["by_hand"], after["late"]} == {"active"}
    with acting_as(alice):
        assert Merge.objects.filter(undone_at__isnull=True).count() == 1
        memories.bring_back(Memory.objects.get(pk=untidy["stale"].pk))
    assert statuses(alice, untidy)["stale"] == "active"


def test_tidying_what_was_foreseen_as_nothing_does_nothing(alice: User) -> None:
    would = foresee(alice, "memory_cleanup")
    with acting_as(alice):
        late = memories.write_by_hand(alice.pk, "Rode the night train to Vienna in October")
        Memory.objects.filter(pk=late.pk).update(source="user", priority=0)
    assert call(alice, "memory_cleanup", **would.arguments).in_words() == "nothing to tidy"
    assert statuses(alice, {"late": late}) == {"late": "active"}


def test_tidying_looks_only_at_what_it_is_told_to(alice: User, untidy: dict[str, Memory]) -> None:
    would = foresee(alice, "memory_cleanup", kinds=["stale"])
    assert would.duplicates == []
    assert [one.id for one in would.going] == [untidy["stale"].pk]
    assert foresee(alice, "memory_cleanup", only=[untidy["low"].pk]).in_words() == "1 note would go"


def test_a_strangers_notes_are_never_tidied(
    alice: User, bob: User, untidy: dict[str, Memory]
) -> None:
    before = statuses(alice, untidy)
    ids = [str(note.pk) for note in untidy.values()]
    assert call(bob, "memory_cleanup", only=ids).in_words() == "nothing to tidy"
    assert statuses(alice, untidy) == before


def test_forgetting_a_fact_says_what_goes_with_it_and_is_done_once(alice: User) -> None:
    dispute(alice)
    fact = the_fact(alice, "employer")
    would = foresee(alice, "forget_fact", fact_id=str(fact.pk))
    assert (would.text, would.instead) == ("Works at Google", ["Works at Microsoft"])
    assert would.in_words() == "1 fact would go"
    assert the_fact(alice, "employer").value == "Google"
    done = call(alice, "forget_fact", **would.arguments)
    assert (done.done, done.in_words()) == (True, "1 fact forgotten")
    with acting_as(alice):
        assert ProfileFact.objects.get(pk=fact.pk).status == "removed"
    with pytest.raises(NotThere, match="I find no fact or note with this id"):
        call(alice, "forget_fact", **would.arguments)


def test_forgetting_a_note_takes_it_back(alice: User, untidy: dict[str, Memory]) -> None:
    done = call(alice, "forget_fact", fact_id=untidy["fine"].pk)
    assert (done.kind, done.in_words()) == ("note", "1 note forgotten")
    assert statuses(alice, untidy)["fine"] == "removed"


def test_what_is_somebody_elses_cannot_be_forgotten(
    alice: User, bob: User, untidy: dict[str, Memory]
) -> None:
    tell(alice, "I work at Initech")
    for pk in (the_fact(alice, "employer").pk, untidy["fine"].pk, uuid4()):
        with pytest.raises(NotThere, match="I find no fact or note with this id"):
            call(bob, "forget_fact", fact_id=pk)
    assert the_fact(alice, "employer").value == "Initech"


def test_a_tool_that_takes_nothing_away_has_nothing_to_foresee(alice: User) -> None:
    with pytest.raises(ToolRefused, match="takes nothing away"):
        foresee(alice, "memory_insights")


# --- Times ---------------------------------------------------------------------------------------


def days(**given: str) -> tuple[str, str]:
    asked = Asking(uuid4(), ASKED_AT)
    read = period(asked, **given)
    return tuple(f"{at:%Y-%m-%d}" if at else "" for at in (read.since, read.until))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"when": "last week"}, ("2026-11-09", "2026-11-16")),
        ({"when": "March"}, ("2026-03-01", "2026-04-01")),
        ({"when": "march 2025"}, ("2025-03-01", "2025-04-01")),
        ({"when": "2025-03"}, ("2025-03-01", "2025-04-01")),
        ({"when": "2024"}, ("2024-01-01", "2025-01-01")),
        ({"when": "summer"}, ("2026-06-01", "2026-09-01")),
        ({"when": "Monday"}, ("2026-11-16", "2026-11-17")),
        ({"when": "yesterday"}, ("2026-11-20", "2026-11-21")),
        ({"when": "last 10 days"}, ("2026-11-11", "2026-11-22")),
        ({"when": "2026-11-03"}, ("2026-11-03", "2026-11-04")),
        ({"since": "2026-11-03"}, ("2026-11-03", "")),
        ({"until": "2026-11-03"}, ("", "2026-11-04")),
        ({"since": "March", "until": "May"}, ("2026-03-01", "2026-06-01")),
        ({"since": "2026-11-03T10:00:00Z"}, ("2026-11-03", "")),
        ({}, ("", "")),
    ],
)
def test_a_time_is_read_from_words_and_from_days(
    given: dict[str, str], expected: tuple[str, str]
) -> None:
    assert days(**given) == expected


def test_a_period_holds_its_beginning_and_not_its_end() -> None:
    one = Period(ASKED_AT, ASKED_AT + timedelta(days=1))
    assert one.holds(ASKED_AT)
    assert not one.holds(ASKED_AT + timedelta(days=1))
    assert Period().holds(ASKED_AT)
    assert not Period()


@given(st.text(max_size=70))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_as_a_time_or_refused_with_words(text: str) -> None:
    with suppress(ToolRefused):
        read = period(Asking(uuid4(), ASKED_AT), when=text)
        assert not text or (read.since and read.until)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)


@pytest.fixture
def inside(alice: User) -> Iterator[Asking]:
    with acting_as(alice):
        yield Asking(alice.pk, now())


@given(data=st.data())
@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_whatever_a_tool_is_called_with_is_answered_or_refused_in_words(
    inside: Asking, data: st.DataObject
) -> None:
    tool = table.tools()[data.draw(st.sampled_from(sorted(table.tools())))]
    names = st.sampled_from([*tool.schema()["properties"], "other"])
    arguments = data.draw(st.dictionaries(names, JSON | st.text(max_size=60), max_size=3))
    with suppress(ToolRefused):
        result = table.call(inside, tool.name, arguments)
        assert table.in_words(result)
        assert result.model_dump_json()


def test_an_answer_that_repeats_a_confidence_is_told_of_in_its_own_conversation_alone(
    alice: User, talk: Callable[..., Talk]
) -> None:
    here = talk()
    message = here.say("I was diagnosed with lymphoma by doctor Brzezinski last week.")
    here.say("What was I diagnosed with last week?")
    there = talk().say("Hello there").conversation
    with acting_as(alice):
        for name, words in (
            ("recall_memories", {"query": "lymphoma diagnosed", "said_by": "anyone"}),
            ("search_conversations", {"query": "lymphoma"}),
            ("recall_memories_with_time", {"when": "today", "said_by": "anyone"}),
        ):
            asking = Asking(alice.pk, now(), there.pk)
            assert "Brzezinski" not in table.call(asking, name, words).model_dump_json()
        question = Message.objects.get(conversation=message.conversation, number=1)
        with pytest.raises(ToolRefused):
            table.foresee(
                Asking(alice.pk, now(), there.pk), "forget_message", {"message_id": question.pk}
            )
