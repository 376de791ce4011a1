"""The language model over real HTTP: what is sent, what comes back, what a person reads."""

import socket
from typing import Any

import pytest
from pydantic import BaseModel
from pytest_django import Settings

from conversations import llm
from conversations.llm import (
    ChatMessage,
    ModelFailure,
    connection,
)
from conversations.llm.calling import CallAssembler, CallPiece
from tests.fakes.model_server import Serve, normal, slow

pytestmark = pytest.mark.django_db
HELLO: list[ChatMessage] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Where do I live? ünïcödé  "},
]


class City(BaseModel):
    name: str
    sure: bool


@pytest.fixture
def serve(serve: Serve, settings: Settings) -> Serve:
    """With waits that a test can sit out, and one more try."""
    settings.MODEL_CONNECT_TIMEOUT = settings.MODEL_READ_TIMEOUT = 2.0
    settings.MODEL_RETRIES = 1
    return serve


def read() -> tuple[str, ModelFailure | None]:
    """What a person gets to see of a stream: the text, and how it failed if it did."""
    text = ""
    try:
        for piece in llm.stream(HELLO):
            text += piece
    except ModelFailure as failure:
        return text, failure
    return text, None


def test_a_model_that_does_not_begin_is_slow_and_asked_only_once(serve: Serve) -> None:
    # A socket that accepts and stays silent: not even the headers come.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        serve(normal(), OPENAI_BASE_URL=url, MODEL_READ_TIMEOUT=0.5, MODEL_RETRIES=2)
        _, failure = read()
        silent.accept()[0].close()
        silent.settimeout(0)
        with pytest.raises(BlockingIOError):
            silent.accept()
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("slow", True)


def test_closing_the_stream_ends_the_request(serve: Serve) -> None:
    server = serve(slow("word " * 500, pause=0.01))
    stream = llm.stream(HELLO)
    assert next(stream) == "word "
    stream.close()
    assert server.abandoned.wait(3)


def a_piece(arguments: str, name: str | None = None, **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}, **more}


@pytest.mark.parametrize(
    "given",
    [
        # As OpenAI sends them: mixed, told apart by the index.
        [
            a_piece("", "look", id="a", index=0),
            a_piece("", "find", id="b", index=1),
            a_piece('{"x"', index=0),
            a_piece("{", index=1),
            a_piece(": 1}", index=0),
            a_piece("}", index=1),
        ],
        # Whole, and all under the same index.
        [a_piece('{"x": 1}', "look", id="a", index=0), a_piece("{}", "find", id="b", index=0)],
        # Without an index.
        [
            a_piece('{"x"', "look", id="a"),
            a_piece(": 1}"),
            a_piece("{", "find", id="b"),
            a_piece("}", id="b"),
        ],
    ],
)
def test_calls_are_put_together_however_a_server_sends_them(given: list[dict[str, Any]]) -> None:
    gathering = CallAssembler()
    for piece in given:
        gathering.add([CallPiece.model_validate(piece)])
    made = [(call.id, call.name, call.arguments) for call in gathering.finished()]
    assert made == [("a", "look", '{"x": 1}'), ("b", "find", "{}")]


def test_a_base_url_alone_is_enough(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    server = serve(normal("Fine."), OPENAI_API_KEY="")
    assert llm.configured()
    assert read() == ("Fine.", None)
    # A key that the settings do not know must not travel to somebody else's server.
    assert "from-the-environment" not in server.headers[0]["authorization"]


def test_a_key_alone_goes_to_openai_whatever_the_environment_says(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.example/v1")
    serve(normal(), OPENAI_BASE_URL="")
    client = connection.from_settings()
    assert str(client.base_url) == "https://api.openai.com/v1/"


@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```"])
def test_an_answer_with_a_schema_is_an_instance_of_it(serve: Serve, fence: str) -> None:
    server = serve(normal(fence.replace("{}", '{"name": "Lyon", "sure": true}')))
    assert llm.ask(HELLO, schema=City) == City(name="Lyon", sure=True)
    wanted = server.requests[0]["response_format"]
    assert wanted["json_schema"]["strict"] is True
    assert wanted["json_schema"]["schema"]["required"] == ["name", "sure"]


def test_a_failure_quotes_nothing_that_was_said(
    serve: Serve, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(normal('{"name": 7, "sure": "marzipan"}'))
    caplog.set_level("DEBUG")
    with pytest.raises(ModelFailure) as caught:
        llm.ask(HELLO, schema=City)
    assert caught.value.__suppress_context__
    shown = capsys.readouterr()
    logged = caplog.text + shown.out + shown.err
    assert "model.failed" in logged
    assert "marzipan" not in logged
    assert "Where do I live" not in logged
