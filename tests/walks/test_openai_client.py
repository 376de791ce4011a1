"""The official client of OpenAI's API against the served site, with no more than its address and a
token changed.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from pytest_django import Settings

from accounts.access import tokens
from accounts.database.connections import release_connection
from accounts.models import User
from conversations.web.streams import ANSWERS
from tests.conversations.chatting import sizes, stored
from tests.conversations.conftest import serve
from tests.fakes.model_server import Serve, calls, cut, failing, normal
from tests.people import values
from tests.serving import served

__all__ = ["serve"]

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[2]
HELLO: Any = [{"role": "user", "content": "Hello"}]
WEATHER: Any = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}},
}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as port:
        yield port


@pytest.fixture
def keys(alice: User, port: int) -> dict[str, Any]:
    """What a person fills in: the address and the key."""
    secret = tokens.make(alice)[1]
    return {"base_url": f"http://127.0.0.1:{port}/v1", "api_key": secret, "max_retries": 0}


@pytest.fixture
def client(keys: dict[str, Any]) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(**keys) as client:
        yield client


def test_a_conversation_goes_on_and_another_remembers(alice: User, client: openai.OpenAI) -> None:
    said: Any = [{"role": "user", "content": "I live in Lyon"}]
    first = client.chat.completions.create(model="throughline", messages=said)
    said += [first.choices[0].message, {"role": "user", "content": "I work at Qwertzfirm"}]
    client.chat.completions.create(model="throughline", messages=said)
    asked: Any = [{"role": "user", "content": "Where do I live?"}]
    answer = client.chat.completions.create(model="throughline", messages=asked)
    assert "Lyon" in (answer.choices[0].message.content or "")
    assert answer.usage is not None
    assert answer.usage.total_tokens > 0
    used: Any = (answer.model_extra or {})["throughline"]
    assert len(used["used_facts"]) == 1
    assert sizes(alice) == [4, 2]
    assert values(alice, "employer") == {"Qwertzfirm"}


def test_a_stream_has_the_shape_of_openais(client: openai.OpenAI, serve: Serve) -> None:
    serve(normal("Good morning to you", usage=(40, 4)))
    with client.chat.completions.create(
        model="throughline", messages=HELLO, stream=True, stream_options={"include_usage": True}
    ) as stream:
        first, *pieces, last, usage = stream
    assert first.object == "chat.completion.chunk"
    assert (first.choices[0].delta.role, first.choices[0].delta.content) == ("assistant", "")
    text = "".join(piece.choices[0].delta.content or "" for piece in pieces)
    assert text == "Good morning to you"
    assert {piece.choices[0].finish_reason for piece in [first, *pieces]} == {None}
    assert last.choices[0].finish_reason == "stop"
    assert (last.model_extra or {})["throughline"]["conversation"]
    assert {one.usage for one in [first, *pieces, last]} == {None}
    assert usage.choices == []
    assert usage.usage is not None
    assert usage.usage.total_tokens == 44
    assert len({one.id for one in [first, *pieces, last, usage]}) == 1


def test_a_stream_ends_with_done_and_counts_nothing_unasked(client: openai.OpenAI) -> None:
    body = {"model": "throughline", "messages": HELLO, "stream": True}
    events = client.post("/chat/completions", body=body, cast_to=str).split("\n\n")
    assert events[-2:] == ["data: [DONE]", ""]
    pieces = [json.loads(event.removeprefix("data: ")) for event in events[:-2]]
    assert all("usage" not in piece for piece in pieces)


@pytest.mark.parametrize("memory", ["on", "off"])
def test_a_stream_ends_before_a_stop_sequence(
    client: openai.OpenAI, serve: Serve, memory: str
) -> None:
    serve(normal("One and two and END three"))
    with client.chat.completions.create(
        model="throughline",
        messages=HELLO,
        stop="END",
        stream=True,
        extra_headers={"X-Memory": memory},
    ) as stream:
        text = "".join(piece.choices[0].delta.content or "" for piece in stream)
    assert text == "One and two and "


def test_a_streamed_call_of_the_clients_tool_comes_whole_and_goes_on(
    alice: User, client: openai.OpenAI, serve: Serve
) -> None:
    serve(normal(calls(("get_weather", {"place": "Lyon"})), "It rains"))
    said = list(HELLO)
    with client.chat.completions.stream(
        model="throughline", messages=said, tools=[WEATHER]
    ) as stream:
        choice = stream.get_final_completion().choices[0]
    assert choice.finish_reason == "tool_calls"
    (call,) = choice.message.tool_calls or []
    assert json.loads(call.function.arguments) == {"place": "Lyon"}
    said += [choice.message, {"role": "tool", "tool_call_id": call.id, "content": "Rain"}]
    answer = client.chat.completions.create(model="throughline", messages=said, tools=[WEATHER])
    assert answer.choices[0].message.content == "It rains"
    assert stored(alice) == [["Hello", "It rains"]]


def test_it_answers_an_asynchronous_client_too(alice: User, keys: dict[str, Any]) -> None:
    async def ask() -> list[str]:
        async with openai.AsyncOpenAI(**keys) as client:
            asked = [
                client.chat.completions.create(
                    model="throughline", messages=[{"role": "user", "content": text}]
                )
                for text in ("Where do I live?", "Where do I work?")
            ]
            stream = await client.chat.completions.create(
                model="throughline", messages=HELLO, stream=True
            )
            async with stream:
                pieces = [piece async for piece in stream]
            answers = await asyncio.gather(*asked)
            texts = [answer.choices[0].message.content or "" for answer in answers]
            streamed = "".join(piece.choices[0].delta.content or "" for piece in pieces)
            return [*texts, streamed]

    assert all(asyncio.run(ask()))
    assert sizes(alice) == [2, 2, 2]


def test_the_models_are_listed(client: openai.OpenAI) -> None:
    names = [model.id for model in client.models.list()]
    assert names == ["throughline", "throughline-read-only", "throughline-no-memory"]
    assert client.models.retrieve("throughline").owned_by == "throughline"


def test_errors_are_those_that_the_client_knows(
    alice: User, bob: User, client: openai.OpenAI, settings: Settings
) -> None:
    create = client.chat.completions.create
    with pytest.raises(openai.NotFoundError) as unknown:
        create(model="gpt-9", messages=HELLO)
    assert (unknown.value.code, unknown.value.param) == ("model_not_found", "model")
    with pytest.raises(openai.BadRequestError) as many:
        create(model="throughline", messages=HELLO, n=2)
    assert (many.value.type, many.value.param) == ("invalid_request_error", "n")
    with pytest.raises(openai.AuthenticationError) as wrong:
        client.with_options(api_key="sk-wrong").models.list()
    assert wrong.value.code == "invalid_api_key"
    limited = tokens.make(alice, scopes=["shared.people"])[1]
    with pytest.raises(openai.PermissionDeniedError):
        client.with_options(api_key=limited).models.list()
    mine = create(model="throughline", messages=HELLO)
    named = (mine.model_extra or {})["throughline"]["conversation"]
    theirs = client.with_options(api_key=tokens.make(bob)[1])
    with pytest.raises(openai.NotFoundError) as other:
        theirs.chat.completions.create(
            model="throughline", messages=HELLO, metadata={"conversation": named}
        )
    assert other.value.code == "conversation_not_found"
    settings.STREAMS_PER_PERSON = 1
    held = ANSWERS.open(alice.pk)
    with pytest.raises(openai.RateLimitError) as busy:
        create(model="throughline", messages=HELLO, stream=True)
    assert busy.value.response.headers["retry-after"] == "5"
    held.end()


def test_a_model_that_fails_in_a_stream_with_memory_off_raises(
    client: openai.OpenAI, serve: Serve
) -> None:
    serve(failing(500))
    with (
        client.chat.completions.create(
            model="throughline-no-memory", messages=HELLO, stream=True
        ) as stream,
        pytest.raises(openai.APIError) as failed,
    ):
        list(stream)
    assert failed.value.code == "model_unavailable"


def test_a_model_that_breaks_off_in_a_stream_leaves_what_it_said(
    client: openai.OpenAI, serve: Serve
) -> None:
    serve(cut("One two three four", pieces=2))
    with client.chat.completions.create(model="throughline", messages=HELLO, stream=True) as stream:
        pieces = list(stream)
    text = "".join(piece.choices[0].delta.content or "" for piece in pieces)
    assert text.startswith("One")
    assert pieces[-1].choices[0].finish_reason == "length"


def test_the_example_runs(alice: User, keys: dict[str, Any]) -> None:
    release_connection()
    address = str(keys["base_url"]).removesuffix("/v1")
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "openai_chat.py")],
        env=os.environ | {"THROUGHLINE_URL": address, "THROUGHLINE_TOKEN": keys["api_key"]},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Lyon" in done.stdout.splitlines()[-1]
    assert sizes(alice) == [4, 2]
