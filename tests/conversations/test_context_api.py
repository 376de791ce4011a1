"""The memory that a prompt would hold for a question, as other software asks for it."""

from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import prompt
from conversations.models import Conversation
from conversations.turns import turn
from memory.language.text.token_count import count_tokens
from memory.models import Override
from tests.people import Api, tell

pytestmark = pytest.mark.django_db
QUESTION = "Where do I work, and what do you know about my rowing?"
TOLD = (
    "I work at Google.",
    "My name is Alice.",
    "I row on the lake every Sunday with the Thistlewick club.",
    "My rowing coach says that my work on the catch has become better.",
)


@pytest.fixture
def told(alice: User) -> list[Any]:
    return [tell(alice, text) for text in TOLD]


def context(api: Api, question: str = QUESTION, **more: Any) -> dict[str, Any]:
    answer = api.post("context", {"question": question, **more})
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_it_is_the_block_that_a_prompt_holds(alice: User, alice_api: Api, told: list[Any]) -> None:
    found = context(alice_api)
    with acting_as(alice):
        question = turn.begin(alice, None, QUESTION).question
        held = prompt.build(question)
        system = str(prompt.as_messages(held)[0]["content"])
    assert "Google" in found["text"]
    assert found["text"] in system
    assert [item["id"] for item in found["items"]] == [str(one.id) for one in held.injected.items]


@pytest.mark.parametrize("budget", [100, 800])
def test_the_text_keeps_to_its_budget(budget: int, alice: User, alice_api: Api) -> None:
    for number in range(12):
        tell(alice, f"{TOLD[2]} The boat has the number {number}, and I paint it each spring.")
    found = context(alice_api, budget=budget)
    assert found["budget"] == budget
    assert 0 < found["tokens"] == count_tokens(found["text"]) <= budget


def test_no_word_of_a_private_conversation_appears(alice: User, alice_api: Api) -> None:
    with acting_as(alice):
        private = Conversation.objects.create(user=alice, privacy=Conversation.Privacy.PRIVATE)
    tell(alice, TOLD[2], private)
    tell(alice, TOLD[0])
    for more in ({}, {"conversation": str(private.pk)}):
        found = context(alice_api, **more)
        assert "Thistlewick" not in str(found)
        assert "Google" in found["text"]


def test_what_holds_in_one_conversation_is_told_there_alone(alice: User, alice_api: Api) -> None:
    tell(alice, "I live in Rome.")
    with acting_as(alice):
        there = Conversation.objects.create(user=alice)
        Override.objects.create(user=alice, conversation=there, slot="location", value="Porto")
    assert "Porto" not in context(alice_api, "Where do I live?")["text"]
    found = context(alice_api, "Where do I live?", conversation=str(there.pk))
    assert "Porto" in found["text"]
    assert [item["because"] for item in found["items"] if "Porto" in item["text"]] == [
        "It applies only to this conversation, so it comes first."
    ]


def test_with_memory_off_it_is_empty(alice: User, alice_api: Api, told: list[Any]) -> None:
    User.objects.filter(pk=alice.pk).update(memory_on=False)
    found = context(alice_api)
    assert (found["text"], found["items"], found["tokens"]) == ("", [], 0)


def test_a_secret_is_told_nowhere(alice: User, alice_api: Api) -> None:
    told = tell(alice, "My rowing club password is Xk9-quarry-77 and I work at Google.")
    there = {"conversation": str(told.conversation_id)}
    for more in ({}, there):
        assert "quarry" not in str(context(alice_api, "What is my rowing password?", **more))
