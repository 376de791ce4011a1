"""What a language model is shown in a turn: few tools, whole quotes, plain notes, and no more."""

import json
from datetime import datetime, timedelta

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import prompt
from conversations.learning import message_learning
from conversations.llm import Function
from conversations.messages import NewMessage
from conversations.models import Conversation, Message
from conversations.prompt import Prompt
from conversations.tools import registry
from conversations.tools.tool import OfferedTo
from conversations.turns import tool_loop, turn
from memory.context import prompt_items
from memory.language.text.token_count import count_tokens
from tests.conversations.tooling import call, talk_of
from tests.memory.test_memories import keep
from tests.people import tell

pytestmark = pytest.mark.django_db
AUDIENCES = [
    {OfferedTo.EVERYBODY},
    {OfferedTo.EVERYBODY, OfferedTo.MEMBERS},
    {OfferedTo.EVERYBODY, OfferedTo.NEWCOMERS},
]


def built(user: User, text: str) -> Prompt:
    """The prompt of a question in a new conversation."""
    with acting_as(user):
        conversation = Conversation.objects.create(user=user)
    question = turn.record(user, conversation, NewMessage(Message.Role.USER, text))
    with acting_as(user):
        rows = Message.objects.select_related("conversation", "user")
        return prompt.build(rows.get(pk=question.pk))


def notes(user: User, text: str) -> str:
    return built(user, text).injected.text


def played(
    user: User, author: str, text: str, talk: Conversation | None = None, at: datetime | None = None
) -> Message:
    """A turn of a dialogue that is played back, in which the person is Ada."""
    role = Message.Role.USER if author == "Ada" else Message.Role.ASSISTANT
    with acting_as(user):
        talk = talk or Conversation.objects.create(user=user)
    draft = NewMessage(role, text, author=author, said_at=at or now())
    message = turn.record(user, talk, draft)
    message_learning.learn_now(message)
    return message


def definitions(functions: list[Function]) -> int:
    return count_tokens(json.dumps([function.as_offered() for function in functions]))


@pytest.mark.parametrize("audiences", AUDIENCES)
def test_a_model_is_offered_at_most_eight_tools_in_900_tokens(audiences: set[OfferedTo]) -> None:
    tools = [
        Function(tool.name, tool.purpose, tool.parameters) for tool in registry.offered(audiences)
    ]
    assert len(tools) <= 8
    assert definitions(tools) <= 900


def test_a_first_turn_costs_at_most_1600_tokens_beside_the_message(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conversations.llm.takes_tools", lambda: True)
    for text in ("I'm Alice.", "I'm allergic to peanuts.", "I work at Google.", "I live in Leeds."):
        tell(alice, text)
    asked = built(alice, "Hello!")
    (rules, *_) = prompt.as_messages(asked)
    tools = definitions(tool_loop.offered(asked))
    assert tools > 0
    assert count_tokens(rules["content"]) + count_tokens(tool_loop.RULES) + tools <= 1600


def test_today_stands_with_its_weekday_and_what_is_due_with_its_own(alice: User) -> None:
    today = now()
    keep(alice, "The dentist sees me at nine", happened_on=(today + timedelta(days=3)).date())
    keep(alice, "The thesis is due", happened_on=(today + timedelta(days=90)).date())
    text = notes(alice, "Hello!")
    assert f"Today is {today:%A} {today.day} {today:%B %Y}." in text
    due = today + timedelta(days=3)
    expected = f"Coming up:\n{due:%A} {due.day} {due:%B %Y}:\n- The dentist sees me at nine."
    assert expected in text
    assert "thesis" not in text


def test_facts_and_notes_that_do_not_fit_stay_out(alice: User) -> None:
    tell(alice, "I work at Google.")
    keep(alice, "Repaired the blue tractor in May")
    text = notes(alice, "Tell me a joke about owls")
    assert "Google" not in text
    assert "tractor" not in text


def test_one_search_looks_through_facts_notes_and_messages_of_a_time_a_talk_and_a_speaker(
    alice: User,
) -> None:
    old = now() - timedelta(days=40)
    first = played(alice, "Ada", "I sail to Naxos with the blue boat.", at=old)
    played(alice, "Ben", "The blue boat leaks.", talk_of(alice, first), at=old)
    keep(alice, "Painted the blue boat in May")
    tell(alice, "I live in Leeds.")

    def texts(**arguments: str) -> set[str]:
        return {thing.text for thing in call(alice, "search_memory", **arguments).found}

    assert "Lives in Leeds" in texts(query="Where do I live?", kind="facts")
    assert "Painted the blue boat in May" in texts(query="blue boat", kind="notes")
    assert "The blue boat leaks." not in texts(query="blue boat", kind="notes")
    messages = {"I sail to Naxos with the blue boat.", "The blue boat leaks."}
    assert texts(query="blue boat", kind="messages") == messages
    assert texts(query="blue boat", kind="messages", speaker="Ben") == {"The blue boat leaks."}
    day = old.date().isoformat()
    assert texts(kind="messages", **{"from": day, "to": day}) == messages
    assert texts(kind="messages", conversation=str(first.pk)) == messages
    assert prompt_items.SAID in notes(alice, "Who sails to Naxos?")
