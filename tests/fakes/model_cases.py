"""What servers of language models do, case by case: what is asked, refused and answered.

`tests/conversations/test_model_servers.py` holds the product to the table, and
`python -m benchmarks models` prints it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel

from conversations import llm
from conversations.llm import ChatMessage, Function, ModelFailure, Reply
from tests.fakes.model_server import ModelServer, Script, calls, failing, normal, raw, refusing

ANSWER = "You live in Lyon."
LOOK = Function("look", "Look for words.", {"type": "object", "properties": {}})
PROMPT: list[ChatMessage] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Where do I live?"},
]


class City(BaseModel):
    """What a structured answer of these cases holds."""

    name: str
    sure: bool


LYON = City(name="Lyon", sure=True)
_LYON = LYON.model_dump_json()
Asked = Literal["words", "tools", "structure"]


@dataclass(frozen=True)
class Case:
    """One server. `answers` is the text, the structure or the calls that come of it, or the
    situation of the failure; `text` what was read before that; `left` what the last request holds.
    """

    name: str
    script: Script
    answers: str = ANSWER
    asked: Asked = "words"
    text: str = ""
    requests: int | None = None
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    changes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What came of one case: the answer or the situation, and what the server was sent."""

    answered: str
    text: str
    words: str
    requests: list[dict[str, Any]]

    def last_request(self) -> str:
        """The parameters of the last request, besides the model and its messages."""
        given = self.requests[-1] if self.requests else {}
        return ", ".join(
            sorted(_shown(name, given[name]) for name in given if _matters(name, given))
        )


def play(case: Case, server: ModelServer) -> Outcome:
    """Ask this server, which the settings name already, what the case asks."""
    text, words = "", ""
    reply = Reply()
    try:
        if case.asked == "structure":
            answered = llm.ask(PROMPT, schema=City).model_dump_json()
        else:
            functions = [LOOK] if case.asked == "tools" else []
            with closing(llm.stream(PROMPT, functions, reply)) as pieces:
                for piece in pieces:
                    text += piece
            called = [f"{call.name}({call.arguments})" for call in reply.calls]
            answered = " ".join([text, *called]).strip()
    except ModelFailure as failure:
        answered, words = failure.situation, failure.words
    return Outcome(answered, text, words, list(server.requests))


def _matters(name: str, request: dict[str, Any]) -> bool:
    return name not in ("model", "messages") and bool(request[name])


def _shown(name: str, value: Any) -> str:
    return f"{name}={value['type']}" if name == "response_format" else name


# --- The pieces of streams -----------------------------------------------------------------------


def event(*choices: dict[str, Any], **more: Any) -> bytes:
    """One event of a stream, with these choices."""
    return b"data: " + json.dumps({"choices": list(choices), **more}).encode() + b"\n\n"


def words(text: str | None, finish: str | None = None) -> bytes:
    """One event of a stream that says this."""
    return event({"index": 0, "delta": {"content": text}, "finish_reason": finish})


def call_piece(index: int | None, name: str | None, arguments: str | None, **more: Any) -> bytes:
    """One event of a stream that holds a part of a call."""
    piece = {"function": {"name": name, "arguments": arguments}, **more}
    piece |= {} if index is None else {"index": index}
    return event({"index": 0, "delta": {"tool_calls": [piece]}})


DONE = b"data: [DONE]\n\n"
_END = words(None, "stop") + DONE
_COUNT = event(usage={"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13})
_WHOLE = {"choices": [{"index": 0, "message": {"role": "assistant", "content": ANSWER}}]}
_MAY = ("stream_options", "max_tokens", "tools")


def _refusals() -> Iterator[Case]:
    """Each refusal alone, and all together, however a server names what it refuses."""
    said = [ANSWER]
    for naming in ("param", "sentence", "loc", "unnamed"):
        for parameter in (*_MAY, "stream"):
            yield Case(
                f"refuses {parameter} ({naming})",
                refusing(parameter, replies=said, naming=naming),
                asked="tools",
                # A guess gives up what costs least first; whoever is named costs nothing else.
                holds=("tools",) if naming != "unnamed" and parameter != "tools" else (),
                lacks=(parameter,),
            )
        yield Case(
            f"refuses all of them ({naming})",
            refusing(*_MAY, "max_completion_tokens", "stream", replies=said, naming=naming),
            asked="tools",
            lacks=(*_MAY, "max_completion_tokens", "stream"),
        )
        for kinds in (("json_schema",), ("json_schema", "json_object"), ("response_format",)):
            yield Case(
                f"refuses {' and '.join(kinds)} ({naming})",
                refusing(*kinds, replies=[_LYON], naming=naming),
                answers=_LYON,
                asked="structure",
            )


CASES: list[Case] = [
    Case("takes everything", normal(ANSWER), asked="tools", holds=(*_MAY, "stream"), requests=1),
    *_refusals(),
    Case(
        "takes max_completion_tokens in place of max_tokens",
        refusing("max_tokens", replies=[ANSWER]),
        holds=("max_completion_tokens", "stream_options"),
        requests=2,
    ),
    Case("answers whole, as JSON", Script(replies=(ANSWER,), only_whole=True), requests=1),
    Case(
        "answers whole and calls a function",
        Script(replies=(calls(("look", {"x": 1})),), only_whole=True),
        answers='look({"x": 1})',
        asked="tools",
    ),
    Case(
        "answers whole, and says that it is text",
        raw(json.dumps(_WHOLE, indent=1).encode(), content_type="text/plain"),
    ),
    Case("begins with no choices", raw(event(prompt_filter_results=[]), words(ANSWER), _END)),
    Case("ends with a count alone", raw(words(ANSWER), words(None, "stop"), _COUNT, DONE)),
    Case(
        "keeps the connection alive with comments",
        raw(b": ping\n\n" * 50, words("You live "), b": ping\n\n" * 50, words("in Lyon."), _END),
    ),
    Case("ends lines with CR LF", raw((words(ANSWER) + _END).replace(b"\n", b"\r\n"))),
    Case("spreads one event over two lines", raw(words(ANSWER).replace(b", ", b",\ndata: "), _END)),
    Case(
        "calls it HTML and streams",
        raw(words(ANSWER), _END, content_type="text/html; charset=utf-8"),
    ),
    Case(
        "fails in the middle of the stream",
        raw(words("You live "), b'data: {"error": {"message": "Overloaded", "code": 503}}\n\n'),
        answers="cut",
        text="You live ",
    ),
    Case(
        "fails at the begin of the stream",
        raw(b'data: {"error": {"message": "Overloaded", "code": 503}}\n\n'),
        answers="busy",
    ),
    Case(
        "fails with 200",
        raw(b'{"error": {"message": "No.", "code": 429}}', content_type="application/json"),
        answers="busy",
    ),
    Case(
        "is busy for a while",
        replace(failing(429, times=1, retry_after=0.05), replies=(ANSWER,)),
        changes={"MODEL_RETRIES": 1},
        requests=2,
    ),
    Case("is busy for long", failing(429, retry_after=600), answers="busy", requests=1),
    Case("answers 200 with a page of HTML", Script(manner="html"), answers="nonsense"),
    Case("answers 200 with nothing", raw(b"", content_type="application/json"), answers="nonsense"),
    Case("ends its stream at once", raw(DONE), answers="nonsense"),
    Case(
        "breaks off in the middle of an event",
        raw(words("You live "), b'data: {"choices": [{"del'),
        answers="cut",
        text="You live ",
    ),
    Case(
        "breaks off in the middle of a whole answer",
        raw(b'{"choices": [{"mess', content_type="application/json"),
        answers="nonsense",
    ),
    Case("nests its answer too deep", raw(b'{"a":' * 50_000), answers="nonsense"),
    Case(
        "splits calls oddly",
        raw(
            call_piece(0, "lo", None, id="a"),
            call_piece(0, None, '{"x'),
            call_piece(0, "", '": 1', id=""),
            call_piece(0, None, "}", id="a"),
            event({"index": 0, "delta": {}, "finish_reason": "tool_calls"}),
            DONE,
        ),
        answers='lo({"x": 1})',
        asked="tools",
    ),
    Case(
        "never ends its answer",
        raw(words("word " * 10), endless=True),
        answers="length",
        changes={"MODEL_MAX_TOKENS": 50},
    ),
    Case(
        "never ends its answer, with no bound set",
        raw(words("word " * 1000), endless=True),
        answers="length",
        changes={"MODEL_MAX_TOKENS": 0},
    ),
    Case(
        "never ends its calls",
        raw(call_piece(0, "look", "x" * 1000, id="a"), endless=True),
        answers="length",
        asked="tools",
    ),
    Case(
        "never ends one line",
        raw(b"data: " + b"x" * 60_000, b"x" * 60_000, endless=True),
        answers="nonsense",
    ),
    Case(
        "sends more than was asked for, at once",
        raw(words("word " * 200_000), _END),
        answers="length",
    ),
    Case(
        "sends more than was asked for, whole",
        Script(replies=("word " * 100_000,), only_whole=True),
        answers="length",
    ),
    Case(
        "has a filter that refuses",
        failing(400, code="content_filter"),
        answers="filtered",
        requests=1,
    ),
    Case(
        "has no room for the prompt",
        failing(400, code="context_length_exceeded"),
        answers="too long",
        requests=1,
    ),
    Case(
        "refuses whatever is asked",
        failing(400, code="invalid_request_error"),
        answers="not accepted",
    ),
    Case("refuses the key", failing(401), answers="key", requests=1),
]

Play = Callable[[Case], Outcome]
