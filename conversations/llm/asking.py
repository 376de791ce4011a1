"""Asking the model: in pieces while it writes, or for one complete answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import structlog
from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field

from accounts.support.best_effort import best_effort
from conversations.llm import refusing, waiting
from conversations.llm.calling import (
    CallAssembler,
    CallPiece,
    ChatMessage,
    Function,
    ToolCall,
    Turn,
)
from conversations.llm.connection import OPENAI_ITSELF, address, alone, from_settings
from conversations.llm.failures import Call, failure, told_plainly

if TYPE_CHECKING:
    import httpx2
    import openai

log = structlog.get_logger(__name__)

Schema = TypeVar("Schema", bound=BaseModel)


@dataclass(frozen=True)
class Usage:
    """Tokens as the server counts them."""

    tokens_in: int
    tokens_out: int


@dataclass
class Reply:
    """What has come of an answer so far, besides the pieces themselves.

    calls: which functions the model wants called; whole only when the stream has ended well.
    usage: None from a server that does not count.
    """

    text: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    usage: Usage | None = None


class _Read(BaseModel):
    """The little of an answer that is used, checked strictly: servers differ in all the rest.

    The package itself builds its objects without checking them, so a missing field would
    otherwise surface as an AttributeError far from here.
    """

    model_config = ConfigDict(from_attributes=True)


class _Said(_Read):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[CallPiece] | None = None


class _PieceChoice(_Read):
    delta: _Said | None = None
    finish_reason: str | None = None


class _Piece(_Read):
    # Azure opens with a piece without choices; others end with one that only counts tokens.
    choices: list[_PieceChoice] | None = None


class _AnswerChoice(_Read):
    message: _Said
    finish_reason: str | None = None


class _Answer(_Read):
    choices: list[_AnswerChoice] = Field(min_length=1)


def stream(
    messages: Sequence[Turn],
    functions: Sequence[Function] = (),
    reply: Reply | None = None,
    *,
    until: float | None = None,
) -> Generator[str, None, None]:
    """Yield the answer in pieces as it is written; closing the generator ends the request.

    While nothing comes, '' comes every now and then: whoever reads can look whether to go on.
    What is not finished at `until`, a moment of time.monotonic, is 'cut'.

    With `functions` the model may call some of them instead of answering, or besides: `reply` has
    the calls at the end, and all the while what came so far.
    Nothing is sent before the first `next()`. Raises ModelFailure. Once a piece has come, whatever
    breaks is kind 'cut'. A stream counts as whole when the server gives a finish_reason.
    Waits MODEL_READ_TIMEOUT seconds at most for each piece.
    """
    call, reply = Call("stream"), reply or Reply()
    gathering = CallAssembler()
    with told_plainly(call):
        client = from_settings()
        come = waiting.read(
            lambda: _begun(client, messages, functions), until, lambda: bool(call.finish)
        )

        def unless_finished(error: Exception) -> None:
            # What follows the end is accounting; the answer no longer depends on it.
            if not call.finish:
                raise error

        with closing(come) as chunks, best_effort(unless_finished):
            for chunk in chunks:
                if chunk is None:
                    yield ""
                    continue
                reply.usage = _usage(chunk) or reply.usage
                if not call.finish:
                    text, calls, call.finish = _piece(chunk)
                    # Calls that nobody offered to make are no answer.
                    gathering.add(calls if functions else ())
                    call.pieces += bool(text or (calls and functions))
                    if text:
                        reply.text += text
                        yield text
                if call.finish and reply.usage:
                    break
        call.check_ending()
        reply.calls = gathering.finished()


def _begun(
    client: openai.OpenAI, messages: Sequence[Turn], functions: Sequence[Function]
) -> openai.Stream[Any]:
    """Send the request, with tools and the wish for a count unless the server refuses them."""
    import openai

    create = cast("Any", client.chat.completions.create)
    plain = {"model": settings.CHAT_MODEL, "messages": list(messages), "stream": True}
    plain |= _bounds(int(settings.MODEL_MAX_TOKENS))
    if not refusing.takes_tools():
        return cast("openai.Stream[Any]", create(**plain))
    wished: dict[str, Any] = {"stream_options": {"include_usage": True}}
    if functions:
        wished["tools"] = [function.as_offered() for function in functions]
    try:
        return cast("openai.Stream[Any]", create(**plain, **wished))
    except openai.APIStatusError as error:
        in_the_middle = any(message["role"] == "tool" for message in messages)
        if in_the_middle or not refusing.refuses(error):
            raise
    begun = create(**plain)
    # Only now is it known that it was the extras that were refused.
    refusing.keep_plain()
    log.info("model.knows_no_tools")
    return cast("openai.Stream[Any]", begun)


def _bounds(most: int) -> dict[str, int]:
    """How long an answer may become. OpenAI has a name of its own for it."""
    name = "max_completion_tokens" if address() == OPENAI_ITSELF else "max_tokens"
    return {name: most} if most > 0 else {}


def _nobody() -> bool:
    return False


@overload
def ask(
    messages: list[ChatMessage], *, schema: None = None, give_way: Callable[[], bool] = _nobody
) -> str: ...
@overload
def ask(
    messages: list[ChatMessage], *, schema: type[Schema], give_way: Callable[[], bool] = _nobody
) -> Schema: ...
def ask(
    messages: list[ChatMessage],
    *,
    schema: type[BaseModel] | None = None,
    give_way: Callable[[], bool] = _nobody,
) -> str | BaseModel:
    """Return one complete answer of the model for the background: text, or an instance of `schema`.

    Raises ModelFailure; an answer that does not fit the schema is kind 'nonsense'. It has
    BACKGROUND_SECONDS in all. GaveWay is raised, and the request ended, once `give_way` says so.
    """
    call = Call("ask" if schema is None else "ask for structure")
    with told_plainly(call):
        seconds = float(settings.BACKGROUND_SECONDS)
        own, until = alone(seconds), time.monotonic() + seconds
        response = waiting.call(
            lambda: _whole(own.client, messages, schema), own.shut, until, give_way
        )
        choice = _Answer.model_validate_json(response.content).choices[0]
        text = choice.message.content or ""
        # Arrived whole, so a missing finish_reason says nothing here.
        call.pieces, call.finish = int(bool(text)), choice.finish_reason or "stop"
        if choice.message.refusal and not text:
            raise failure("declined")
        call.check_ending()
        return text if schema is None else schema.model_validate_json(_unfenced(text))


def _whole(
    client: openai.OpenAI, messages: list[ChatMessage], schema: type[BaseModel] | None
) -> httpx2.Response:
    """One whole answer as it came over the wire."""
    completions = cast("Any", client.chat.completions.with_raw_response)
    asked = {
        "model": settings.BACKGROUND_MODEL or settings.CHAT_MODEL,
        "messages": list(messages),
        **_bounds(int(settings.BACKGROUND_MAX_TOKENS)),
    }
    with client:
        if schema is None:
            return cast("httpx2.Response", completions.create(**asked).http_response)
        # Used for the strict schema it sends. The answer is read elsewhere: the package's own
        # reading gives up on a Markdown fence, and on a page of HTML with an AttributeError.
        answer = completions.parse(**asked, response_format=schema)
        return cast("httpx2.Response", answer.http_response)


def _piece(chunk: object) -> tuple[str, list[CallPiece], str | None]:
    """The text and the parts of calls in one piece of a stream and, on the last, why it ended."""
    choices = _Piece.model_validate(chunk).choices
    if not choices:
        return "", [], None
    said = choices[0].delta or _Said()
    # A refusal is worded by the model for the person, so it is shown like any other answer.
    text = said.content or said.refusal or ""
    return text, said.tool_calls or [], choices[0].finish_reason or None


def _usage(chunk: object) -> Usage | None:
    """The count that a piece brings. Read leniently: no answer fails for its accounting."""
    counted = getattr(chunk, "usage", None)
    given = [getattr(counted, name, None) for name in ("prompt_tokens", "completion_tokens")]
    into, out = (number if isinstance(number, int) else 0 for number in given)
    return Usage(into, out) if into > 0 and out >= 0 else None


def _unfenced(text: str) -> str:
    """JSON without the Markdown fence that smaller models like to put around it."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text.split("\n", 1)[1].removesuffix("```")
    return text
