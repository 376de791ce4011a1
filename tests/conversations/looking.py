"""A model listens to a conversation: what it returns, and what comes of it."""

import json
from typing import Any

import pytest

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.learning import listening_runs
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
NOTE = "Keys to that place of ours in Leeds are on the hook by the door"


def operation(**changes: Any) -> dict[str, Any]:
    """What a model returns to add a note about the first line; each detail open to change."""
    line, words = changes.pop("line", 1), changes.pop("words", QUOTE)
    sound = {
        "op": "add",
        "target": "none",
        "slot": "none",
        "value": "",
        "text": NOTE,
        "category": "fact",
        "reason": "none",
        "day": "",
        "since": "",
        "scope": "everywhere",
        "sensitive": "none",
        "confidence": 0.9,
        "quotes": [{"line": line, "words": words}],
    }
    return sound | changes


def fact(slot: str, value: str, words: str, **changes: Any) -> dict[str, Any]:
    """What a model returns to add a fact."""
    return operation(**{"slot": slot, "value": value, "text": "", "words": words} | changes)


def answer(*operations: dict[str, Any], summary: str = "") -> str:
    return json.dumps({"operations": list(operations), "summary": summary})


def answered(user: User, conversation: Conversation, text: str, **changes: Any) -> Message:
    return turn.record(user, conversation, NewMessage(Message.Role.ASSISTANT, text, **changes))


def look(user: User, conversation: Conversation) -> int:
    """Have a conversation read and let the worker do it at once; returns how much was done."""
    with acting_as(user):
        listening_runs.listen_soon(user, conversation)
    return work_on(user)


def work_on(user: User) -> int:
    """Let the worker have what waits to be read by the model."""
    let_time_pass(user, kind="reflect")
    return work.do_waiting_work()


def work_through(user: User) -> None:
    """And what that leaves to be read next, in transactions of its own."""
    while work_on(user):
        pass


def notes(user: User) -> list[str]:
    """What is noted and in use or waits, summaries aside."""
    with acting_as(user):
        rows = Memory.objects.for_user(user.pk).shown().exclude(category=Memory.Category.SUMMARY)
        return sorted(rows.values_list("content", flat=True))


def the_note(user: User) -> Memory:
    with acting_as(user):
        return (
            Memory.objects.for_user(user.pk)
            .shown()
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
