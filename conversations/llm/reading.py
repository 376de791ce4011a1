"""Parsing an answer, streamed or whole: bounded in size, and strictly checked.

Servers differ: some answer whole although a stream was requested, send comments as keep-alive,
report errors within a stream, or never end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from conversations.llm.calling import CallPiece

if TYPE_CHECKING:
    import httpx2
    import openai

# Bounds in bytes: of a whole answer, including reasoning and protocol, and of one line.
MOST_BYTES, LONGEST_LINE = 16 * 2**20, 2 * 2**20
_DONE = b"[DONE]"


@dataclass(frozen=True)
class Usage:
    """Token counts reported by the server."""

    tokens_in: int
    tokens_out: int


@dataclass(frozen=True)
class Piece:
    """A piece of an answer. finish: on the last piece, the reason why the answer ended. refusal:
    whether the text is the model's refusal to answer.
    """

    text: str = ""
    calls: list[CallPiece] = field(default_factory=list)
    finish: str | None = None
    usage: Usage | None = None
    refusal: bool = False


class _Read(BaseModel):
    # Only the fields in use; the others differ from server to server.
    model_config = ConfigDict(extra="ignore")


class _Delta(_Read):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[CallPiece] | None = None


class _Choice(_Read):
    delta: _Delta | None = None
    message: _Delta | None = None
    finish_reason: str | None = None


class _Payload(_Read):
    # Azure begins with a piece without choices; other servers end with one that only counts tokens.
    choices: list[_Choice] | None = None
    usage: Any = None
    error: Any = None
    # Some servers send an error's fields at the top level.
    object: Any = None


class Answer:
    """The pieces of one answer in order; iterating raises openai.APIError and ValueError."""

    def __init__(self, stream: openai.Stream[Any]) -> None:
        """Wrap a response stream that was not read from yet."""
        self.response: httpx2.Response = stream.response

    def close(self) -> None:
        """Close the connection."""
        self.response.close()

    def __iter__(self) -> Iterator[Piece]:
        """Yield the pieces of the event stream; a body without events is one piece."""
        whole, data = list[bytes](), list[bytes]()
        streamed = False
        for line in _lines(self._chunks()):
            name, _, value = line.partition(b":")
            if name == b"data":
                streamed = True
                data.append(value.removeprefix(b" "))
            elif data and not line:
                if b"\n".join(data).strip() == _DONE:
                    return
                yield self._piece(b"\n".join(data))
                data.clear()
            elif not streamed:
                whole.append(line)
        # Some servers omit the empty line after the last event.
        rest = b"\n".join(data if streamed else whole).strip()
        if rest and rest != _DONE:
            yield self._piece(rest)

    def _chunks(self) -> Iterator[bytes]:
        import httpx2
        import openai

        request = self.response.request
        try:
            yield from self.response.iter_bytes()
        except httpx2.TimeoutException as error:
            raise openai.APITimeoutError(request) from error
        except httpx2.RequestError as error:
            raise openai.APIConnectionError(request=request) from error

    def _piece(self, written: bytes) -> Piece:
        payload = _Payload.model_validate_json(written)
        if payload.error or payload.object == "error":
            raise self._error(written, payload.error)
        usage = _usage(payload.usage)
        if not payload.choices:
            return Piece(usage=usage)
        choice = payload.choices[0]
        delta = choice.delta or choice.message or _Delta()
        # A refusal is written by the model for the user, so it is shown like any other answer.
        text, finish = delta.content or delta.refusal or "", choice.finish_reason or None
        if choice.message is not None and choice.delta is None:
            # A whole answer is complete even without a finish reason.
            finish = finish or "stop"
        refusal = bool(delta.refusal) and not delta.content
        return Piece(text, delta.tool_calls or [], finish, usage, refusal)

    def _error(self, written: bytes, error: Any) -> openai.APIError:
        import openai
        from pydantic_core import from_json

        body = error if isinstance(error, dict) else from_json(written)
        return openai.APIError("", request=self.response.request, body=body)


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines without their ends. Raises ValueError if a bound is exceeded."""
    rest, total = b"", 0
    for chunk in chunks:
        total += len(chunk)
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.removesuffix(b"\r") for line in lines)
        if total > MOST_BYTES or len(rest) > LONGEST_LINE:
            raise ValueError("an answer without end")
    yield rest.removesuffix(b"\r")


def _usage(counted: Any) -> Usage | None:
    """Return the usage of a piece; None if malformed: an answer never fails because of it."""
    if not isinstance(counted, dict):
        return None
    counts = [counted.get(name) for name in ("prompt_tokens", "completion_tokens")]
    into, out = (number if isinstance(number, int) else 0 for number in counts)
    return Usage(into, out) if into > 0 and out >= 0 else None
