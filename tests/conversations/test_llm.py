"""The language model over real HTTP: what is sent, what comes back, what a person reads."""

import re
import socket
import time
from dataclasses import replace
from typing import Any

import httpx2
import openai
import pytest
from pydantic import BaseModel
from pytest_django import Settings

from conversations import llm
from conversations.llm import (
    ChatMessage,
    Function,
    ModelFailure,
    Reply,
    Usage,
    adapting,
    connection,
    failures,
)
from conversations.llm.calling import CallAssembler, CallPiece
from conversations.llm.request import Request
from tests.fakes.model_server import Script, Serve, calls, cut, failing, normal, slow

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


def read(messages: list[ChatMessage] = HELLO) -> tuple[str, ModelFailure | None]:
    """What a person gets to see of a stream: the text, and how it failed if it did."""
    text = ""
    try:
        for piece in llm.stream(messages):
            text += piece
    except ModelFailure as failure:
        return text, failure
    return text, None


def kind_of(result: tuple[str, ModelFailure | None]) -> str | None:
    return result[1].kind if result[1] else None


# --- Streaming -----------------------------------------------------------------------------------


def test_an_answer_arrives_in_pieces_that_add_up_to_it(serve: Serve) -> None:
    serve(normal("You live in  Lyon,\nsince May.\u2028Next line."))
    pieces = list(llm.stream(HELLO))
    assert len(pieces) > 4
    assert "".join(pieces) == "You live in  Lyon,\nsince May.\u2028Next line."


def test_the_model_gets_the_conversation_the_name_and_the_key(serve: Serve) -> None:
    server = serve(normal("Fine."))
    read()
    assert server.requests == [
        {
            "model": "small",
            "messages": HELLO,
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": 2048,
        }
    ]
    assert server.headers[0]["authorization"] == "Bearer key-for-tests"


def test_nothing_is_sent_before_the_first_piece_is_wanted(serve: Serve) -> None:
    server = serve(normal("Fine."))
    llm.stream(HELLO)
    assert server.requests == []


def test_a_busy_model_is_asked_again(serve: Serve) -> None:
    server = serve(failing(429, times=1, retry_after=0.05))
    text, failure = read()
    assert failure is None
    assert text.startswith("You said: Where do I live?")
    assert len(server.requests) == 2


def test_a_model_that_stays_busy_is_named_busy(serve: Serve) -> None:
    server = serve(failing(429, retry_after=0.05))
    text, failure = read()
    assert text == ""
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("busy", True)
    assert failure.words == (
        "The language model is busy right now. Your message is safe. Try again in a minute."
    )
    assert len(server.requests) == 2


def test_nobody_waits_longer_for_a_second_try_than_for_an_answer(serve: Serve) -> None:
    server = serve(failing(429, retry_after=90))
    began = time.monotonic()
    assert kind_of(read()) == "busy"
    assert time.monotonic() - began < 90
    assert len(server.requests) == 1


def test_a_server_error_is_tried_again_and_then_called_trouble(serve: Serve) -> None:
    server = serve(failing(500, retry_after=0.05))
    _, failure = read()
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("busy", True)
    assert "having trouble" in failure.words
    assert len(server.requests) == 2


def test_a_server_that_recovers_answers(serve: Serve) -> None:
    serve(failing(500, times=1, retry_after=0.05))
    assert read()[0].startswith("You said:")


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


def test_a_first_piece_that_does_not_come_is_slow(serve: Serve) -> None:
    serve(slow("Too late.", first_pause=5), MODEL_READ_TIMEOUT=0.3)
    result = read()
    assert result[0] == ""
    assert kind_of(result) == "slow"


def test_pauses_shorter_than_the_limit_are_fine_however_long_it_takes(serve: Serve) -> None:
    serve(slow("one two three four five six", pause=0.15), MODEL_READ_TIMEOUT=0.5)
    assert read() == ("one two three four five six", None)


def test_a_silence_in_mid_answer_keeps_the_text_and_is_cut(serve: Serve) -> None:
    serve(slow("One two three.", pause=5), MODEL_READ_TIMEOUT=0.3)
    result = read()
    assert result[0] == "One "
    assert kind_of(result) == "cut"


def test_a_connection_that_breaks_keeps_the_text_and_is_cut(serve: Serve) -> None:
    serve(cut("You live in Lyon since May.", pieces=3))
    text, failure = read()
    assert text == "You live in "
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("cut", True)
    assert failure.words == "The reply stopped halfway. Your message is safe. Try again."


def test_a_stream_that_ends_without_saying_so_is_cut(serve: Serve) -> None:
    serve(Script(replies=("You live in",), manner="unfinished"))
    result = read()
    assert result[0] == "You live in"
    assert kind_of(result) == "cut"


def test_an_answer_that_hits_the_length_limit_says_so(serve: Serve) -> None:
    serve(normal("You live in", finish="length"))
    text, failure = read()
    assert text == "You live in"
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("cut", False)
    assert "maximum length" in failure.words


def test_an_answer_withheld_by_a_filter_is_refused(serve: Serve) -> None:
    serve(normal("", finish="content_filter"))
    assert kind_of(read()) == "refused"


@pytest.mark.parametrize("script", ["nonsense", "html", "empty"])
def test_what_cannot_be_read_is_nonsense(serve: Serve, script: str) -> None:
    serve(script)
    text, failure = read()
    assert text == ""
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("nonsense", True)


def test_nonsense_after_text_keeps_the_text_and_is_cut(serve: Serve) -> None:
    serve(Script(replies=("You live in Lyon.",), manner="nonsense", pieces=2))
    result = read()
    assert result[0] == "You live "
    assert kind_of(result) == "cut"


def test_a_refused_key_says_what_to_check_and_is_not_tried_again(serve: Serve) -> None:
    server = serve("401")
    _, failure = read()
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("refused", False)
    assert "check the key" in failure.words
    assert len(server.requests) == 1


def test_an_unknown_model_says_what_to_check(serve: Serve) -> None:
    serve(failing(404))
    _, failure = read()
    assert failure is not None
    assert failure.kind == "refused"
    assert "check the model’s name" in failure.words


def test_a_port_where_nobody_listens_is_unreachable(serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    serve(normal(), OPENAI_BASE_URL=f"http://127.0.0.1:{port}/v1", MODEL_RETRIES=0)
    _, failure = read()
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("unreachable", True)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"OPENAI_BASE_URL": "http://localhost:port/v1"}, "refused"),
        ({"OPENAI_BASE_URL": "localhost:1/v1", "MODEL_RETRIES": 0}, "unreachable"),
        ({"OPENAI_API_KEY": "“pasted”"}, "refused"),
    ],
)
def test_a_mistyped_setting_is_told_plainly(
    serve: Serve, changes: dict[str, Any], kind: str
) -> None:
    serve(normal(), **changes)
    assert kind_of(read()) == kind


def test_closing_the_stream_ends_the_request(serve: Serve) -> None:
    server = serve(slow("word " * 500, pause=0.01))
    stream = llm.stream(HELLO)
    assert next(stream) == "word "
    stream.close()
    assert server.abandoned.wait(3)


@pytest.mark.parametrize("situation", sorted(failures.SITUATIONS))
def test_every_failure_is_worded_for_a_person(situation: str) -> None:
    failure = failures.failure(situation)
    unwelcome = r"!|\b(AI|oops|data|error|failed|I|we|our)\b"
    assert not re.search(unwelcome, failure.words, re.IGNORECASE)
    assert failure.words.endswith(".")
    # What happened, and what to do about it.
    assert failure.words.count(". ") >= 1
    assert "ry again" in failure.words or not failure.retryable


@pytest.mark.parametrize(
    ("status", "code", "kind", "word"),
    [
        (400, "context_length_exceeded", "refused", "too long"),
        (400, "invalid_request_error", "refused", "rejected the request"),
        (429, "insufficient_quota", "refused", "account"),
        (503, "server_error", "busy", "busy"),
        (504, "server_error", "slow", "in time"),
    ],
)
def test_the_reason_a_server_gives_decides_the_words(
    serve: Serve, status: int, code: str, kind: str, word: str
) -> None:
    serve(failing(status, code=code), MODEL_RETRIES=0)
    _, failure = read()
    assert failure is not None
    assert failure.kind == kind
    assert word in failure.words


# --- Calls ---------------------------------------------------------------------------------------

LOOK = Function("look", "Look for words.", {"type": "object", "properties": {}})


def pieces_of(*given: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The calls that come of these pieces of a stream."""
    gathering = CallAssembler()
    for piece in given:
        gathering.add([CallPiece.model_validate(piece)])
    return [(call.id, call.name, call.arguments) for call in gathering.finished()]


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
        # The id and the name with each piece.
        [
            a_piece('{"x"', "look", id="a", index=0),
            a_piece(": 1}", "look", id="a", index=0),
            a_piece("{}", "find", id="b", index=1),
        ],
    ],
)
def test_calls_are_put_together_however_a_server_sends_them(given: list[dict[str, Any]]) -> None:
    assert pieces_of(*given) == [("a", "look", '{"x": 1}'), ("b", "find", "{}")]


def test_calls_without_ids_get_ids_of_their_own() -> None:
    made = pieces_of(a_piece("{}", "look", index=0), a_piece("{}", "find", index=1))
    assert made == [("call_0", "look", "{}"), ("call_1", "find", "{}")]


def test_a_stream_of_calls_leaves_them_with_the_reply(serve: Serve) -> None:
    server = serve(normal(calls(("look", {"x": 1}), text="One moment."), usage=(40, 9)))
    reply = Reply()
    assert "".join(llm.stream(HELLO, [LOOK], reply)) == reply.text == "One moment."
    assert [(call.name, call.arguments) for call in reply.calls] == [("look", '{"x": 1}')]
    assert reply.usage == Usage(40, 9)
    assert server.requests[0]["tools"] == [LOOK.as_offered()]


def test_what_breaks_after_the_end_does_not_cost_the_answer(serve: Serve) -> None:
    serve(replace(normal("All of it."), broken_after_end=True))
    assert read() == ("All of it.", None)


@pytest.mark.parametrize(
    ("status", "body", "refused"),
    [
        (400, {"message": "Unknown parameter.", "param": "tools[0].function"}, "tools"),
        (400, {"message": '"auto" tool choice requires a parser'}, "tools"),
        (400, {"message": "Use 'max_completion_tokens', not 'max_tokens'."}, "max_tokens"),
        (422, {"detail": [{"loc": ["body", "tools"], "msg": "Extra inputs"}]}, "tools"),
        (400, {"message": "Bad tools in a message.", "param": "messages"}, None),
        (500, {"message": "The stream broke."}, None),
        (429, {"message": "Too many tools asked for."}, None),
        (400, {"message": "No tools.", "code": "content_filter"}, None),
    ],
)
def test_a_refusal_of_a_parameter_is_told_from_other_failures(
    serve: Serve, status: int, body: dict[str, Any], refused: str | None
) -> None:
    serve(normal())
    adapting.forget_proofs()
    negotiation = adapting.Negotiation(Request("small", HELLO, 100, [LOOK], streams=True))
    before = negotiation.request.sent()
    request = httpx2.Request("POST", "http://localhost/v1/chat/completions")
    response = httpx2.Response(status, request=request)
    error = openai.APIStatusError("Refused.", response=response, body=body)
    if refused is None:
        with pytest.raises(openai.APIStatusError):
            negotiation.refused(error)
        return
    negotiation.refused(error)
    after = negotiation.request.sent()
    assert {name for name in before if before[name] != after.get(name)} == {refused}


# --- Configuration -------------------------------------------------------------------------------


def test_a_base_url_alone_is_enough(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    server = serve(normal("Fine."), OPENAI_API_KEY="")
    assert llm.configured()
    assert read() == ("Fine.", None)
    # A key that the settings do not know must not travel to somebody else's server.
    assert "from-the-environment" not in server.headers[0]["authorization"]


def test_without_key_and_url_nothing_is_asked(settings: Settings) -> None:
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = ""
    assert not llm.configured()
    _, failure = read()
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("refused", False)


def test_a_key_alone_goes_to_openai_whatever_the_environment_says(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.example/v1")
    serve(normal(), OPENAI_BASE_URL="")
    client = connection.from_settings()
    assert str(client.base_url) == "https://api.openai.com/v1/"


# --- Whole answers -------------------------------------------------------------------------------


def test_a_whole_answer_is_text(serve: Serve) -> None:
    server = serve(normal("You live in Lyon."))
    assert llm.ask(HELLO) == "You live in Lyon."
    assert "stream" not in server.requests[0]


@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```", "\n{}\n"])
def test_an_answer_with_a_schema_is_an_instance_of_it(serve: Serve, fence: str) -> None:
    server = serve(normal(fence.replace("{}", '{"name": "Lyon", "sure": true}')))
    assert llm.ask(HELLO, schema=City) == City(name="Lyon", sure=True)
    wanted = server.requests[0]["response_format"]
    assert wanted["json_schema"]["strict"] is True
    assert wanted["json_schema"]["schema"]["required"] == ["name", "sure"]


@pytest.mark.parametrize("reply", ["Lyon, I think.", '{"name": "Lyon"}', '{"name": "Ly', "[]"])
def test_an_answer_that_does_not_fit_the_schema_is_nonsense(serve: Serve, reply: str) -> None:
    serve(normal(reply))
    with pytest.raises(ModelFailure) as caught:
        llm.ask(HELLO, schema=City)
    assert caught.value.kind == "nonsense"


@pytest.mark.parametrize("schema", [None, City])
@pytest.mark.parametrize("script", ["nonsense", "html", "empty"])
def test_a_whole_answer_that_cannot_be_read_is_nonsense(
    serve: Serve, script: str, schema: type[City] | None
) -> None:
    serve(script)
    with pytest.raises(ModelFailure) as caught:
        llm.ask(HELLO, schema=schema)
    assert caught.value.kind == "nonsense"


def test_a_whole_answer_that_hits_the_length_limit_is_not_passed_off_as_whole(serve: Serve) -> None:
    serve(normal('{"name": "Lyon", "sure": true}', finish="length"))
    with pytest.raises(ModelFailure) as caught:
        llm.ask(HELLO, schema=City)
    assert caught.value.kind == "cut"


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
