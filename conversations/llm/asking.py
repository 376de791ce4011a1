"""Asking the model: as a stream, or for one complete answer."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, TypeVar, overload

from django.conf import settings
from pydantic import BaseModel

from accounts.support.best_effort import best_effort
from conversations.llm import waiting
from conversations.llm.adapting import Negotiation
from conversations.llm.bounding import TokenBound
from conversations.llm.calling import (
    LONGEST_ARGUMENTS,
    LONGEST_OF_CLIENTS,
    CallAssembler,
    ChatMessage,
    Function,
    ToolCall,
    Turn,
)
from conversations.llm.connection import (
    SingleRequestClient,
    alone,
    current,
    from_settings,
    is_replaced,
)
from conversations.llm.failures import Call, ModelFailure, as_model_failures, failure
from conversations.llm.reading import Answer, Piece, Usage
from conversations.llm.request import NO_WISHES, Request, Wishes

if TYPE_CHECKING:
    import openai

Schema = TypeVar("Schema", bound=BaseModel)
# How many seconds to wait for the token count after an answer has ended.
_USAGE_TIMEOUT = 2.0
# At how many positions of an answer its JSON may begin.
_MOST_BEGINNINGS = 20


@dataclass
class Reply:
    """What is known of an answer so far, besides its streamed text.

    calls: the functions that the model calls; complete only after the stream has ended without
    error. usage: None if the server does not count tokens.
    """

    text: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    usage: Usage | None = None


def stream(
    messages: Sequence[Turn],
    functions: Sequence[Function] = (),
    reply: Reply | None = None,
    *,
    until: float | None = None,
    wishes: Wishes = NO_WISHES,
) -> Generator[str, None, None]:
    """Yield the answer in pieces as it is written; closing the generator ends the request.

    Yields '' every now and then during silence, so that the caller can check whether to go on.
    `until` (time.monotonic) is the deadline. The model may call `functions` instead of or besides
    answering text; `reply` holds the calls at the end, and the text so far at any time.

    The request is sent at the first `next()`. Raises ModelFailure; after the first piece its kind
    is 'cut', also past the deadline. A stream is complete when the server sends a finish_reason.
    Waits at most MODEL_READ_TIMEOUT seconds for each piece.
    """
    call, reply = Call("stream", is_replaced()), reply or Reply()
    with as_model_failures(call):
        client = from_settings()
        bounds = [most for most in (int(settings.MODEL_MAX_TOKENS), wishes.most) if most > 0]
        most, parameters = min(bounds, default=0), wishes.parameters
        model = current().chat_model
        request = Request(model, messages, most, functions, streams=True, wished=parameters)
        listener = _Listener(call, reply, Negotiation(request), TokenBound(most))
        while listener.goes_on:
            come = waiting.read(lambda: _sent(client, listener.request), until, listener.is_over)
            with closing(come) as pieces:
                yield from listener.hear(pieces)
        call.check_ending()
        reply.calls = listener.calls.finished()


class _Listener:
    """The reader of one answer, from the accepted request to the end."""

    def __init__(
        self, call: Call, reply: Reply, negotiation: Negotiation, bound: TokenBound
    ) -> None:
        self.call, self.reply, self.bound = call, reply, bound
        brought = any(function.given for function in negotiation.request.functions)
        self.calls = CallAssembler(LONGEST_OF_CLIENTS if brought else LONGEST_ARGUMENTS)
        self.goes_on = True
        self._negotiation = negotiation
        self._finished_at = math.inf
        self._over = False

    @property
    def request(self) -> Request:
        """The request in the form in which it is sent next."""
        return self._negotiation.request

    def is_over(self) -> bool:
        """Return whether the answer has ended, so that its connection can be reused."""
        return self._over

    def hear(self, pieces: Iterable[Piece | None]) -> Iterator[str]:
        """Yield the text in pieces, '' during silence. Afterwards `goes_on` is True if the server
        refused the request and it should be sent again in another form.
        """
        import openai

        try:
            with best_effort(self._unless_finished):
                yield from self._text(pieces)
            self.goes_on = False
        except openai.APIStatusError as error:
            self._negotiation.refused(error)

    def _text(self, pieces: Iterable[Piece | None]) -> Iterator[str]:
        for piece in pieces:
            if piece is None:
                if time.monotonic() > self._finished_at + _USAGE_TIMEOUT:
                    return
                yield ""
                continue
            self._negotiation.accepted()
            self.reply.usage = piece.usage or self.reply.usage
            if not self.call.finish:
                yield from self._said(piece)
            if self.call.finish and self.reply.usage:
                break
        self._over = True

    def _said(self, piece: Piece) -> Iterator[str]:
        # Calls are ignored where no functions were offered.
        calls = piece.calls if self.request.functions else []
        self.calls.add(calls)
        for text in self.bound.fitting(piece.text):
            self.call.pieces += 1
            self.reply.text += text
            yield text
        self.call.pieces += bool(calls)
        self.bound.count(call.written() for call in calls)
        self.call.finish = "length" if self.bound.full else piece.finish
        if self.bound.full:
            raise failure("length")
        if piece.finish:
            self._finished_at = time.monotonic()

    def _unless_finished(self, error: Exception) -> None:
        # After its end an answer no longer depends on what follows, such as token counts.
        if not self.call.finish or isinstance(error, ModelFailure):
            raise error


def _sent(client: openai.OpenAI, request: Request) -> Answer:
    """Send the request; return the answer, of which nothing was read yet."""
    import openai

    # The package's own methods do not validate, and decide by the request whether the answer is a
    # stream, while some servers answer in one piece.
    streams = openai.Stream[object]
    body = request.body()
    path = "/chat/completions"
    return Answer(client.post(path, body=body, cast_to=object, stream=True, stream_cls=streams))


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
    """Return one complete answer for background work: text, or an instance of `schema`.

    Takes at most BACKGROUND_SECONDS. Raises ModelFailure, of kind 'nonsense' if the answer does not
    fit the schema, and GaveWay once `give_way` returns True.
    """
    call = Call("ask" if schema is None else "ask for structure")
    with as_model_failures(call):
        most = int(settings.BACKGROUND_MAX_TOKENS)
        request = Request(current().background, messages, most, schema=schema)
        pieces = _whole(Negotiation(request), give_way)
        bound = TokenBound(most)
        text = "".join(part for piece in pieces for part in bound.fitting(piece.text))
        if bound.full:
            raise failure("length")
        call.pieces, call.finish = int(bool(text)), pieces[-1].finish or "stop"
        if any(piece.refusal for piece in pieces):
            raise failure("declined")
        call.check_ending()
        return text if schema is None else _instance(schema, text)


def _whole(negotiation: Negotiation, give_way: Callable[[], bool]) -> list[Piece]:
    """Return all pieces of one answer, at least one, from the first request that the server
    accepts.
    """
    import openai

    seconds = float(settings.BACKGROUND_SECONDS)
    until = time.monotonic() + seconds
    while True:
        own = alone(seconds)

        def read(own: SingleRequestClient = own) -> list[Piece]:
            with own.client:
                return list(_sent(own.client, negotiation.request))

        try:
            pieces = waiting.call(read, own.shut, until, give_way)
        except openai.APIStatusError as error:
            negotiation.refused(error)
        else:
            negotiation.accepted()
            return pieces or [Piece()]


def _instance(schema: type[Schema], text: str) -> Schema:
    """Return the answer parsed as `schema`, even with text around its JSON. Raises ValueError."""
    try:
        return schema.model_validate_json(text)
    except ValueError:
        for brace in islice(re.finditer(r"\{", text), _MOST_BEGINNINGS):
            with suppress(ValueError, RecursionError):
                _, end = json.JSONDecoder().raw_decode(text, brace.start())
                return schema.model_validate_json(text[brace.start() : end])
        raise
