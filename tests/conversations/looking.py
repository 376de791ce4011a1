"""A second look at a conversation: what a model finds, and what comes of it."""

import json
from typing import Any

import pytest

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.learning import reflection_runs
from conversations.messages import NewMessage
from conversations.models import Conversation, Message
from conversations.turns import turn
from memory.models import Memory
from tests.fakes.model_server import ModelServer
from tests.people import let_time_pass

alone = pytest.mark.django_db
for_real = pytest.mark.django_db(transaction=True)
# Plain to a reader, and nothing that a rule could take hold of.
MOVED = "New flat, new street, hello Leeds"
FIRST_DAY = "That is that, my first day at Globex starts soon"
KEYS = "The keys to that place of ours in Leeds are finally on the hook by the door"
QUOTE = "keys to that place of ours"


def finding(**changes: Any) -> dict[str, Any]:
    sound = {
        "content": "Keys to that place of ours in Leeds are on the hook by the door",
        "category": "fact",
        "kind": "episodic",
        "slot": "none",
        "value": "",
        "confidence": 0.9,
        "said_in": 1,
        "quote": QUOTE,
        "happened_on": "",
        "replaces": 0,
    }
    return sound | changes


def answer(*findings: dict[str, Any], summary: str = "") -> str:
    return json.dumps({"notes": list(findings), "summary": summary})


def answered(user: User, conversation: Conversation, text: str, **changes: Any) -> Message:
    return turn.record(user, conversation, NewMessage(Message.Role.ASSISTANT, text, **changes))


def look(user: User, conversation: Conversation) -> int:
    """Ask for a second look and let the worker have it at once; returns how much was done."""
    with acting_as(user):
        reflection_runs.reflect_soon(user, conversation)
    return work_on(user)


def work_on(user: User) -> int:
    """Let the worker have what waits for a second look."""
    let_time_pass(user, kind="reflect")
    return work.do_waiting_work()


def work_through(user: User) -> None:
    """And what that leaves to be looked at next, in transactions of its own."""
    while work_on(user):
        pass


def notes(user: User) -> list[str]:
    """What is noted, summaries aside."""
    with acting_as(user):
        rows = Memory.objects.for_user(user.pk).exclude(category=Memory.Category.SUMMARY)
        return sorted(rows.values_list("content", flat=True))


def the_note(user: User) -> Memory:
    with acting_as(user):
        return (
            Memory.objects.for_user(user.pk)
            .exclude(source=Memory.Source.MANUAL)
            .get(category=Memory.Category.FACT)
        )


def summaries(user: User) -> list[str]:
    with acting_as(user):
        rows = Memory.objects.for_user(user.pk).active()
        return list(rows.filter(category=Memory.Category.SUMMARY).values_list("content", flat=True))


def waiting(user: User) -> list[Work]:
    with acting_as(user):
        return list(Work.objects.filter(user=user, kind="reflect"))


def read_up_to(conversation: Conversation) -> int:
    with acting_as(conversation.user_id):
        return Conversation.objects.get(pk=conversation.pk).reflected_up_to


def sent(server: ModelServer, place: int = -1) -> str:
    """The conversation as the model got it."""
    return str(server.requests[place]["messages"][-1]["content"])
