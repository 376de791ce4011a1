"""What a language model is shown in a turn: few tools, whole quotes, plain notes, and no more."""

import json
from collections import Counter
from datetime import datetime, timedelta

import pytest
from django.conf import settings
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
from conversations.turns.tool_results import ShortIds, fenced
from memory.context import prompt_items
from memory.language.text.token_count import count_tokens
from memory.models import Memory
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


def test_a_message_of_up_to_300_characters_is_quoted_whole(alice: User) -> None:
    said = "We sailed to Corfu in June, and well, you know, it rained the whole week. " * 4
    tell(alice, said.strip())
    assert said.strip() in notes(alice, "Where did we sail?")


def test_a_longer_message_is_cut_at_sentence_ends_around_what_fits(alice: User) -> None:
    rest = "The weather was quite fine and the food was good all week long. " * 12
    tell(alice, f"{rest}We sailed to Corfu in June. {rest}".strip())
    (line,) = [
        line for line in notes(alice, "When did we sail to Corfu?").splitlines() if "Corfu" in line
    ]
    longest = settings.MEMORY["best_quote_characters"]
    assert len(line) <= longest + len("- ")
    assert line.startswith("- … The weather")
    assert line.endswith("long. …")
    assert "We sailed to Corfu in June. The weather" in line


def test_what_is_asked_is_never_told_back_as_a_note(alice: User) -> None:
    tell(alice, "I keep two goats.")
    asked = "Remember that my goats are called Heidi and Peter, please."
    assert "Heidi" not in notes(alice, asked)


def test_in_replayed_talks_each_quote_names_its_speaker_and_the_person_is_named_once(
    alice: User,
) -> None:
    first = played(alice, "Ada", "I bought a red canoe.")
    played(alice, "Ben", "My canoe leaks already.", talk_of(alice, first))
    text = notes(alice, "Whose canoe leaks?")
    assert "- Ada: I bought a red canoe." in text
    assert "- Ben: My canoe leaks already." in text
    assert text.count("the person is Ada") == 1


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


def test_a_wish_of_the_moment_goes_before_a_stored_one(alice: User) -> None:
    (rules, *_) = prompt.as_messages(built(alice, "Answer at length this time."))
    assert "goes before what they once wished" in rules["content"]


def test_a_note_names_what_it_replaced_and_an_old_message_what_holds_now(alice: User) -> None:
    old = keep(alice, "The kayak stands in the shed")
    new = keep(alice, "The kayak stands behind the mill")
    with acting_as(alice):
        rows = Memory.objects.filter(pk=old.pk)
        rows.update(status=Memory.Status.SUPERSEDED, superseded_by=new.pk)
    assert "(this replaced: The kayak stands in the shed)" in notes(alice, "Where is the kayak?")
    tell(alice, "I live in Leeds.", said_at=now() - timedelta(days=9))
    tell(alice, "I don't live in Leeds any more, I moved to Hull.")
    assert "I live in Leeds. (replaced by: Lives in Hull)" in notes(alice, "Where do I live?")


def test_a_change_of_mind_is_told_of_from_several_talks(alice: User) -> None:
    for days in (200, 100, 1):
        at = now() - timedelta(days=days)
        first = tell(alice, f"Went to the climbing hall for {days} minutes.", said_at=at)
        for number in range(8):
            text = f"The climbing hall again, on a warm evening, and I climbed route {number}."
            tell(alice, text, talk_of(alice, first), said_at=at + timedelta(minutes=number + 1))
    made = built(alice, "How has my opinion of the climbing hall changed?").injected
    talks = Counter(item.conversation_id for item in made.items if item.what == "quote")
    assert len(talks) == 3
    assert min(talks.values()) >= 3


def test_eight_messages_of_a_result_are_whole_with_a_day_and_a_short_id(alice: User) -> None:
    said = [
        f"Trip {number} to the lake. " + f"We saw bird number {number} there and ate soup. " * 14
        for number in range(8)
    ]
    talk = talk_of(alice, tell(alice, said[0].strip()))
    for text in said[1:]:
        tell(alice, text.strip(), talk)
    result = call(alice, "search_memory", query="trip to the lake", kind="messages")
    shown = fenced(result.for_model(), ids := ShortIds())
    assert all(text.strip() in shown for text in said)
    assert len("".join(said)) > 0.85 * len(shown)
    found = json.loads(shown.removeprefix("<result>\n").removesuffix("\n</result>"))["found"]
    assert {tuple(thing) for thing in found} == {("id", "date", "text")}
    assert ids.put_back({"message_id": "id1"}) == {"message_id": str(result.found[0].id)}


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
