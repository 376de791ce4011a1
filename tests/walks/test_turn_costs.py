"""A turn is a handful of short transactions with few statements, by whichever door it comes."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import AsyncClient, Client

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support.counting import Record, recording
from conversations.models import LearningOutcome, Message
from tests.people import Api, Talk, values

pytestmark = pytest.mark.django_db(transaction=True)

THREE_FACTS = "My name is Ada, I work at Google and live in Seattle."
A_FACT_AND_A_NOTE = "I work at Google, and I booked a flight to Lisbon for the 12th of May."
QUESTION = "Where do I work?"
Say = Callable[[str], Record]


@pytest.fixture
def by_api(alice: User, alice_api: Api) -> Say:
    talk = alice_api.post("conversations").json()["id"]

    def say(text: str) -> Record:
        headers = {"Idempotency-Key": text}
        with recording() as record:
            response = alice_api.post(
                f"conversations/{talk}/messages", {"content": text}, **headers
            )
        assert response.status_code == 201
        return record

    return say


@pytest.fixture
def by_page(alice: User, as_alice: Client) -> Say:
    """As the page does it: the form, then the stream that its answer opens."""
    talk = Talk(alice)
    talk.say("Hello there")
    assert talk.conversation is not None
    address = f"{talk.conversation.get_absolute_url()}messages/"

    async def read(url: str) -> None:
        client = AsyncClient()
        client.cookies = as_alice.cookies
        response: Any = await client.get(url)
        sent = [piece async for piece in response.streaming_content]
        assert any(b"event: done" in piece for piece in sent)
        await sync_to_async(connections.close_all)()

    def say(text: str) -> Record:
        form = {"content": text, "client_key": text}
        with recording() as record:
            page = as_alice.post(address, form, headers={"HX-Request": "true"})
            (stream,) = set(re.findall(r'"([^"]+/stream/)"', page.content.decode()))
            asyncio.run(read(stream))
        return record

    return say


def was_answered(user: User) -> None:
    with acting_as(user):
        last = Message.objects.latest("said_at", "number")
        assert (last.role, last.state) == (Message.Role.ASSISTANT, Message.State.DONE)


@pytest.mark.parametrize("door", ["by_api", "by_page"])
def test_a_turn_takes_five_transactions_and_47_statements_at_most_and_two_more_a_fact(
    alice: User, request: pytest.FixtureRequest, door: str
) -> None:
    say: Say = request.getfixturevalue(door)
    say("Hello again")
    said = {text: say(text) for text in (A_FACT_AND_A_NOTE, QUESTION, THREE_FACTS)}
    was_answered(alice)
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "location") == {"Seattle"}
    with acting_as(alice):
        assert LearningOutcome.objects.filter(kind=LearningOutcome.Kind.MEMORY).count() == 1
    # Three facts are three rows, three mentions and three lines of the log.
    # In two of the transactions the last statement saves the traces. What is stated is looked
    # for once more by meaning: it may not go together with what was said before. With the last it
    # is written down that topics are to be looked for.
    most = {A_FACT_AND_A_NOTE: 47, QUESTION: 42, THREE_FACTS: 53}
    for text, record in said.items():
        assert record.transactions <= 5, f"{text}\n{record.listing()}"
        # What is the site's is read again each few seconds, which falls into some turns.
        cached = sum('FROM "accounts_flag"' in one.text for one in record.sent)
        cached += sum('FROM "personas_persona"' in one.text for one in record.sent)
        cached += sum('FROM "conversations_modelconnection"' in one.text for one in record.sent)
        assert record.statements - cached <= most[text], f"{text}\n{record.listing()}"
        # Whose session or token it is, for each of the requests.
        assert record.signing_in <= 4, record.listing()
