"""What an answer used, as the API names it: the same that its page opens."""

from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from memory.models import Memory
from tests.fakes.model_server import Serve, normal
from tests.people import Api, dispute, tell, the_fact

pytestmark = pytest.mark.django_db
ROWING = "I row on the lake every Sunday with the Thistlewick club."


def ask(api: Api, question: str) -> dict[str, Any]:
    conversation = api.post("conversations").json()["id"]
    sent = api.post(f"conversations/{conversation}/messages", {"content": question})
    reply: dict[str, Any] = sent.json()["reply"]
    assert api.get(f"conversations/{conversation}/messages").json()["results"][-1] == reply
    return reply


def notes_from(message: Message) -> set[str]:
    with acting_as(message.user_id):
        rows = Memory.objects.filter(source_message=message)
        return {str(pk) for pk in rows.values_list("pk", flat=True)}


@pytest.fixture(params=["without a model", "with a model"])
def api(request: pytest.FixtureRequest, alice_api: Api) -> Api:
    if request.param == "with a model":
        serve: Serve = request.getfixturevalue("serve")
        serve(normal("All is well."))
    return alice_api


def test_it_names_the_fact(alice: User, api: Api) -> None:
    tell(alice, "I work at Google.")
    assert str(the_fact(alice, "employer").pk) in ask(api, "Where do I work?")["used_facts"]


def test_it_names_the_message_or_the_memory_of_it(alice: User, api: Api) -> None:
    told = tell(alice, ROWING)
    reply = ask(api, "With which club do I row on the lake?")
    assert {str(told.pk), *notes_from(told)} & {*reply["used_messages"], *reply["used_memories"]}


def test_it_names_what_is_disputed(alice: User, api: Api) -> None:
    entry = dispute(alice)
    reply = ask(api, "Where do I work?")
    assert str(entry.old_fact_id) in reply["used_facts"]


def test_it_names_nothing_with_memory_off(alice: User, api: Api) -> None:
    tell(alice, "I work at Google.")
    tell(alice, ROWING)
    User.objects.filter(pk=alice.pk).update(memory_on=False)
    reply = ask(api, "Where do I work?")
    used = (reply["used_facts"], reply["used_memories"], reply["used_messages"])
    assert used == ([], [], [])


def test_what_the_page_lists_as_used_is_what_the_api_names(alice: User, api: Api) -> None:
    tell(alice, "I work at Google.")
    tell(alice, ROWING)
    reply = ask(api, "Where do I work, and with which club do I row?")
    with acting_as(alice):
        answer = Message.objects.get(pk=reply["id"])
    kept = [one["id"] for one in answer.recalled if not one.get("offered")]
    named = [*reply["used_facts"], *reply["used_memories"], *reply["used_messages"]]
    assert sorted(named) == sorted(kept)
    assert named
