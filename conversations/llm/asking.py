"""Asking the model: in pieces while it writes, or for one complete answer."""

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
# How long the count of a finished answer is waited for, in seconds.
_USAGE_TIMEOUT = 2.0
# At how many places of an answer its JSON may begin.
_MOST_BEGINNINGS = 20


@dataclass
class Reply:
    """What is known of an answer so far, besides its pieces.

    calls: which functions the model wants called; whole only when the stream has ended well.
    usage: None from a server that does not count.
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

    While nothing comes, '' comes every now and then: whoever reads can look whether to go on.
    What is not finished at `until`, a moment of time.monotonic, is 'cut'.

    With `functions` the model may call some of them instead of answering, or besides: `reply` has
    the calls at the end, and all the while what came so far.
    Nothing is sent before the first `next()`. Raises ModelFailure. Once a piece has come, whatever
    breaks is kind 'cut'. A stream counts as whole when the server gives a finish_reason.
    Waits MODEL_READ_TIMEOUT seconds at most for each piece.
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
        """The request as it is sent next."""
        return self._negotiation.request

    def is_over(self) -> bool:
        """Return whether a connection is finished, so that it may serve others."""
        return self._over

    def hear(self, pieces: Iterable[Piece | None]) -> Iterator[str]:
        """Yield the text in pieces, '' for silence; afterwards `goes_on` tells whether the server
        refused the request and another form is left to try.
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
        # Calls that nobody offered to make are no answer.
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
        # What follows the end is accounting; the answer no longer depends on it.
        if not self.call.finish or isinstance(error, ModelFailure):
            raise error


def _sent(client: openai.OpenAI, request: Request) -> Answer:
    """Send the request; its answer has begun, and nothing of it was read."""
    import openai

    # Not by the methods for it: they check nothing of what comes, and tell a stream by what was
    # asked for, where some servers answer whole.
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
    """Return one complete answer of the model for the background: text, or an instance of `schema`.

    Raises ModelFailure; an answer that does not fit the schema is kind 'nonsense'. It has
    BACKGROUND_SECONDS in all. GaveWay is raised, and the request ended, once `give_way` says so.
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
    """Return all pieces of one answer, at least one, from the first request that its
    server takes.
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
    """Return the answer as an instance of its schema, also where words stand around its JSON.

    Raises ValueError.
    """
    try:
        return schema.model_validate_json(text)
    except ValueError:
        for brace in islice(re.finditer(r"\{", text), _MOST_BEGINNINGS):
            with suppress(ValueError, RecursionError):
                _, end = json.JSONDecoder().raw_decode(text, brace.start())
                return schema.model_validate_json(text[brace.start() : end])
        raise
