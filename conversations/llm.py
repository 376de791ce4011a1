"""The language model: any server that speaks the OpenAI chat API.

The only file that imports `openai`, and it does so on first use: the package takes about a second
to load, which a page without a model should not pay. Whatever goes wrong on the way becomes a
`ModelFailure` with one sentence for the person.
Logs carry kinds, status codes, request ids and durations; never what was asked or answered.
"""

from __future__ import annotations

import email.utils
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, cast, overload

import structlog
from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    import httpx2
    import openai
    from openai.types.chat import ChatCompletionMessageParam

log = structlog.get_logger(__name__)

Kind = Literal["refused", "busy", "slow", "unreachable", "cut", "nonsense"]
Schema = TypeVar("Schema", bound=BaseModel)

# Named here because the package would otherwise take OPENAI_BASE_URL from the environment,
# even an empty one, behind the back of the settings.
OPENAI_ITSELF = "https://api.openai.com/v1"


class ChatMessage(TypedDict):
    """One turn of a conversation, as the chat API takes it."""

    role: Literal["system", "user", "assistant"]
    content: str


class ModelFailure(Exception):
    """The language model gave no answer, or not all of it.

    words: plain sentences for the person: what happened and what they can do.
    kind: what happened, for code. retryable: the same request may succeed a little later.
    """

    def __init__(self, words: str, kind: Kind, retryable: bool) -> None:
        super().__init__(words, kind, retryable)
        self.words = words
        self.kind: Kind = kind
        self.retryable = retryable

    def __str__(self) -> str:
        return f"{self.kind}: {self.words}"


# What can happen -> (what the person reads, kind, whether trying again may help).
_SITUATIONS: dict[str, tuple[str, Kind, bool]] = {
    "not set up": (
        (
            "No language model is set up here. "
            "Ask whoever runs this site to set OPENAI_API_KEY or OPENAI_BASE_URL."
        ),
        "refused",
        False,
    ),
    "key": (
        (
            "The language model refused the key it was given. "
            "Ask whoever runs this site to check OPENAI_API_KEY."
        ),
        "refused",
        False,
    ),
    "quota": (
        (
            "The account for the language model is used up. Your message is safe. "
            "Ask whoever runs this site to top it up."
        ),
        "refused",
        False,
    ),
    "address": (
        (
            "The language model was not found where it was looked for. Your message is safe. "
            "Ask whoever runs this site to check CHAT_MODEL and OPENAI_BASE_URL."
        ),
        "refused",
        False,
    ),
    "too long": (
        (
            "This conversation has grown too long for the language model. Your message is safe. "
            "Start a new conversation to go on."
        ),
        "refused",
        False,
    ),
    "declined": (
        (
            "The language model declined to answer this. Your message is safe. "
            "Try putting it another way."
        ),
        "refused",
        False,
    ),
    "not accepted": (
        (
            "The language model did not accept this message. Your message is safe. "
            "Try putting it another way, or ask whoever runs this site."
        ),
        "refused",
        False,
    ),
    "busy": (
        "The language model is busy right now. Your message is safe. Try again in a minute.",
        "busy",
        True,
    ),
    "trouble": (
        (
            "The language model is having trouble right now. Your message is safe. "
            "Try again in a minute."
        ),
        "busy",
        True,
    ),
    "slow": (
        "The language model did not answer in time. Your message is safe. Try again.",
        "slow",
        True,
    ),
    "unreachable": (
        "The language model could not be reached. Your message is safe. Try again in a minute.",
        "unreachable",
        True,
    ),
    "cut": ("The reply stopped half way. Your message is safe. Try again.", "cut", True),
    "length": (
        (
            "The reply reached the longest the language model allows and stopped there. "
            "Your message is safe. Ask it to go on."
        ),
        "cut",
        False,
    ),
    "nonsense": (
        (
            "The language model sent something that could not be read. Your message is safe. "
            "Try again."
        ),
        "nonsense",
        True,
    ),
}


def _failure(situation: str) -> ModelFailure:
    return ModelFailure(*_SITUATIONS[situation])


class _Read(BaseModel):
    """The little of an answer that is used, checked strictly: servers differ in all the rest.

    The package itself builds its objects without checking them, so a missing field would
    otherwise surface as an AttributeError far from here.
    """

    model_config = ConfigDict(from_attributes=True)


class _Said(_Read):
    content: str | None = None
    refusal: str | None = None


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


def configured() -> bool:
    """Whether there is a model to ask. A base URL alone is enough: local servers need no key."""
    return bool(settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL)


def stream(messages: list[ChatMessage]) -> Generator[str, None, None]:
    """Yield the answer in pieces as it is written; closing the generator ends the request.

    Nothing is sent before the first `next()`. Raises ModelFailure. Once a piece has been yielded,
    whatever breaks is kind 'cut'. A stream counts as whole when the server gives a finish_reason.
    Waits MODEL_READ_TIMEOUT seconds at most for each piece.
    """
    call = _Call("stream")
    with _told_plainly(call):
        client = _client_from_settings()
        with client.chat.completions.create(
            model=settings.CHAT_MODEL, messages=_for_openai(messages), stream=True
        ) as chunks:
            for chunk in chunks:
                text, call.finish = _piece(chunk)
                if text:
                    call.pieces += 1
                    yield text
                if call.finish:
                    # What may still follow is accounting; the answer no longer depends on it.
                    break
        call.check_ending()


@overload
def ask(messages: list[ChatMessage], *, schema: None = None) -> str: ...
@overload
def ask(messages: list[ChatMessage], *, schema: type[Schema]) -> Schema: ...
def ask(messages: list[ChatMessage], *, schema: type[BaseModel] | None = None) -> str | BaseModel:
    """Return one complete answer: text, or with `schema` an instance of it.

    Raises ModelFailure; an answer that does not fit the schema is kind 'nonsense'.
    The server must begin to answer within MODEL_READ_TIMEOUT seconds.
    """
    call = _Call("ask" if schema is None else "ask for structure")
    with _told_plainly(call):
        completions = _client_from_settings().chat.completions.with_raw_response
        model, turns = settings.CHAT_MODEL, _for_openai(messages)
        if schema is None:
            response = completions.create(model=model, messages=turns).http_response
        else:
            # Used for the strict schema it sends. The answer is read below: the package's own
            # reading gives up on a Markdown fence, and on a page of HTML with an AttributeError.
            response = completions.parse(
                model=model, messages=turns, response_format=schema
            ).http_response
        choice = _Answer.model_validate_json(response.content).choices[0]
        text = choice.message.content or ""
        # Arrived whole, so a missing finish_reason says nothing here.
        call.pieces, call.finish = int(bool(text)), choice.finish_reason or "stop"
        if choice.message.refusal and not text:
            raise _failure("declined")
        call.check_ending()
        return text if schema is None else schema.model_validate_json(_unfenced(text))


def _piece(chunk: object) -> tuple[str, str | None]:
    """The text of one piece of a stream and, on the last piece, why it ended."""
    choices = _Piece.model_validate(chunk).choices
    if not choices:
        return "", None
    said = choices[0].delta or _Said()
    # A refusal is worded by the model for the person, so it is shown like any other answer.
    return said.content or said.refusal or "", choices[0].finish_reason or None


def _unfenced(text: str) -> str:
    """JSON without the Markdown fence that smaller models like to put around it."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text.split("\n", 1)[1].removesuffix("```")
    return text


def _for_openai(messages: list[ChatMessage]) -> list[ChatCompletionMessageParam]:
    return cast("list[ChatCompletionMessageParam]", messages)


# --- Failures ------------------------------------------------------------------------------------


@dataclass
class _Call:
    """One request, for its log line and for judging how it ended."""

    mode: str
    pieces: int = 0
    finish: str | None = None
    started: float = field(default_factory=time.monotonic)

    def check_ending(self) -> None:
        """Raise ModelFailure unless there is text and the server said that it was all of it."""
        if not self.pieces:
            raise _failure("declined" if self.finish == "content_filter" else "nonsense")
        if self.finish in (None, "content_filter"):
            raise _failure("cut")
        if self.finish == "length":
            raise _failure("length")

    def facts(self) -> dict[str, Any]:
        """What a log line may say about this request."""
        milliseconds = round((time.monotonic() - self.started) * 1000)
        return {"mode": self.mode, "pieces": self.pieces, "duration_ms": milliseconds}


@contextmanager
def _told_plainly(call: _Call) -> Iterator[None]:
    """Turn what goes wrong inside into a ModelFailure, and log how the request ended."""
    cause: Exception | None = None
    try:
        yield
    except GeneratorExit:
        log.info("model.closed", **call.facts())
        raise
    except ModelFailure as error:
        failure = error
    except Exception as error:
        situation = _situation(error)
        if situation is None:
            raise
        cause = error
        broke_off = call.mode == "stream" and call.pieces > 0
        failure = _failure("cut" if broke_off else situation)
    else:
        log.info("model.answered", finish=call.finish, **call.facts())
        return
    log.warning(
        "model.failed",
        kind=failure.kind,
        cause=type(cause).__name__ if cause else None,
        status=getattr(cause, "status_code", None),
        request_id=getattr(cause, "request_id", None),
        **call.facts(),
    )
    # Without its cause, for a printed traceback would quote what was said: the errors of pydantic
    # and of the package do.
    raise failure from None


def _situation(error: Exception) -> str | None:  # noqa: PLR0911 - a table of cases
    """The entry of _SITUATIONS that fits, or None for a mistake in our own code."""
    import httpx2
    import openai

    if isinstance(error, openai.APIStatusError):
        return _status_situation(error)
    if isinstance(error, openai.APITimeoutError):
        never_connected = isinstance(error.__cause__, httpx2.ConnectTimeout)
        return "unreachable" if never_connected else "slow"
    if isinstance(error, openai.APIConnectionError):
        return "unreachable"
    if isinstance(error, openai.APIError):
        return "trouble"  # an error event inside a stream that began with 200
    if isinstance(error, httpx2.InvalidURL):
        return "address"
    if isinstance(error, UnicodeEncodeError):
        return "key"  # a header must be ASCII; a key copied from a document may not be
    return "nonsense" if isinstance(error, ValueError) else None


def _status_situation(error: openai.APIStatusError) -> str:
    words = {str(error.code), str(error.type)}
    if words & {"context_length_exceeded", "exceed_context_size_error"}:
        return "too long"
    if words & {"insufficient_quota", "billing_hard_limit_reached"}:
        return "quota"
    if "model_not_found" in words:
        return "address"
    if error.status_code >= 500:
        return {503: "busy", 504: "slow", 529: "busy"}.get(error.status_code, "trouble")
    known = {401: "key", 402: "quota", 403: "key", 404: "address", 408: "slow", 413: "too long"}
    known |= {409: "busy", 429: "busy"}
    return known.get(error.status_code, "not accepted")


# --- The connection ------------------------------------------------------------------------------


def _client_from_settings() -> openai.OpenAI:
    if not configured():
        raise _failure("not set up")
    return _client(
        # Never None: the package would look for a key in the environment and send it elsewhere.
        settings.OPENAI_API_KEY or "none",
        settings.OPENAI_BASE_URL or OPENAI_ITSELF,
        float(settings.MODEL_CONNECT_TIMEOUT),
        float(settings.MODEL_READ_TIMEOUT),
        int(settings.MODEL_RETRIES),
    )


@lru_cache(maxsize=4)
def _client(
    key: str, base_url: str, connect_seconds: float, read_seconds: float, retries: int
) -> openai.OpenAI:
    """One client for all requests with these settings: it is thread-safe and keeps connections."""
    import httpx2
    import openai

    class Once(openai.DefaultHttpxClient):
        """Asks again only where that helps soon, with a person waiting."""

        def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
            try:
                response = super().send(request, **options)
            except httpx2.ReadTimeout as error:
                # The package would wait for the same slow answer twice more. It passes its own
                # errors through untouched, so this one ends the request.
                raise openai.APITimeoutError(request) from error
            if _seconds_until_retry(response) > read_seconds:
                # The package sleeps up to two minutes when a server asks for that, each time.
                response.headers["x-should-retry"] = "false"
            return response

    return openai.OpenAI(
        api_key=key,
        base_url=base_url,
        max_retries=retries,
        timeout=openai.Timeout(read_seconds, connect=connect_seconds),
        http_client=Once(),
    )


def _seconds_until_retry(response: httpx2.Response) -> float:
    """How long the server asks to be left alone: Retry-After is a number or a date. 0 if unsaid."""
    value = response.headers.get("retry-after", "")
    try:
        return float(value)
    except ValueError:
        pass
    try:
        return email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except ValueError:
        return 0.0
