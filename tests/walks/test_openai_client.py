"""The official client of OpenAI's API against the served site, with no more than its address and a
token changed.
"""

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
from tests.conversations.chatting import sizes
from tests.conversations.conftest import serve
from tests.fakes.model_server import Serve, normal
from tests.people import values
from tests.serving import served

__all__ = ["serve"]

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[2]
HELLO: Any = [{"role": "user", "content": "Hello"}]


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
