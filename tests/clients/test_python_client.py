"""The Python client against the served site, with and without asyncio."""

import asyncio
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from throughline_client import AsyncThroughline, Throughline, ThroughlineError, types

from accounts.access import tokens
from accounts.models import User
from tests.serving import served

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients" / "python"
SCHEMAS = {
    "Fact": "FactOut",
    "Memory": "MemoryOut",
    "Side": "SideOut",
    "Conflict": "ConflictOut",
    "Conversation": "ConversationOut",
    "Message": "MessageOut",
    "Exchange": "ExchangeOut",
    "Context": "ContextOut",
    "SearchResults": "FoundOut",
    "Ingested": "IngestOut",
    "Page": "PageOfMemoryOut",
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def token(alice: User) -> str:
    return tokens.make(alice)[1]


@pytest.fixture
def me(address: str, token: str) -> Iterator[Throughline]:
    with Throughline(address, token) as client:
        yield client


def test_the_types_have_the_fields_that_the_api_answers() -> None:
    described: Any = SchemaGenerator().get_schema(request=None, public=True)
    schemas = described["components"]["schemas"]
    for name, schema in SCHEMAS.items():
        fields = set(getattr(types, name).__annotations__)
        assert fields == set(schemas[schema]["properties"]), name
    assert set(types.Resolution.__args__) == set(schemas["ResolutionEnum"]["enum"])


def test_the_client_without_asyncio_is_the_other_one_without_it() -> None:
    made = runpy.run_path(str(CLIENT / "make_sync.py"))["synchronous"]
    package = CLIENT / "throughline_client"
    formatted = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "-"],
        input=made((package / "_async.py").read_text()),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout
    assert (package / "_sync.py").read_text() == formatted


def test_what_is_said_is_remembered_found_and_corrected(me: Throughline) -> None:
    talk = me.start_conversation("Home")
    exchange = me.say(talk["id"], "I live in Lyon")
    assert exchange["reply"]["content"]
    (home,) = me.profile()
    assert (home["slot"], home["value"]) == ("location", "Lyon")
    assert "Lyon" in me.context("Where do I live?")["text"]
    assert me.search("Lyon")["results"]
    assert [row["role"] for row in me.messages(talk["id"])["results"]] == ["user", "assistant"]
    assert me.conversations()["results"][0]["title"] == "Home"
    me.end_fact(home["id"])
    assert me.profile() == []
    assert me.add_fact("location", "Nice")["value"] == "Nice"


def test_a_memory_is_added_changed_and_removed(me: Throughline) -> None:
    added = me.add_memory("The boiler is serviced in May")
    changed = me.change_memory(added["id"], "The boiler is serviced in June")
    assert "June" in changed["content"]
    assert me.memories("boiler")["count"] == 1
    me.remove_memory(changed["id"])
    assert me.memories(status="active")["count"] == 0


def test_a_conflict_is_resolved(me: Throughline) -> None:
    me.confirm_fact(me.add_fact("employer", "Initech")["id"])
    talk = me.start_conversation()
    me.say(talk["id"], "I work at Globex")
    (conflict,) = me.conflicts(status="open")["results"]
    assert me.resolve_conflict(conflict["id"], "keep_new")["resolution"]
    assert [fact["value"] for fact in me.profile()] == ["Globex"]


def test_a_message_is_sent_once_and_its_answer_streamed(me: Throughline) -> None:
    talk = me.start_conversation()
    events = [event.event for event in me.stream(talk["id"], "I live in Lyon", key="once")]
    assert events[0] == "message"
    assert events[-1] == "done"
    me.say(talk["id"], "I live in Lyon", key="once")
    assert me.messages(talk["id"])["count"] == 2


def test_messages_of_elsewhere_are_stored(me: Throughline) -> None:
    talk = me.start_conversation()
    said = {"role": "user", "content": "I live in Lyon", "external_id": "1"}
    assert me.ingest(talk["id"], [said])["new"] == 1
    assert me.ingest(talk["id"], [said])["new"] == 0


def test_a_refusal_says_what_to_do(me: Throughline) -> None:
    with pytest.raises(ThroughlineError) as refused:
        me.add_fact("nonsense", "x")
    assert refused.value.status == 400
    assert "slot" in refused.value.errors
    assert refused.value.request_id
    with pytest.raises(ThroughlineError, match="anything at this address"):
        me.memory("01a230de-ae1f-771d-8b54-e051f938df70")


def test_the_same_works_with_asyncio(address: str, token: str) -> None:
    async def walk() -> list[str]:
        async with AsyncThroughline(address, token) as me:
            talk = await me.start_conversation()
            events = [event async for event in me.stream(talk["id"], "I live in Lyon")]
            assert events[-1].event == "done"
            with pytest.raises(ThroughlineError):
                await me.resolve_conflict("01a230de-ae1f-771d-8b54-e051f938df70", "keep_new")
            return [fact["value"] for fact in await me.profile()]

    assert asyncio.run(walk()) == ["Lyon"]


def test_the_example_runs(address: str, token: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "remember.py")],
        env=os.environ
        | {"THROUGHLINE_URL": address, "THROUGHLINE_TOKEN": token, "PYTHONPATH": str(CLIENT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Lives in: Lyon" in done.stdout
