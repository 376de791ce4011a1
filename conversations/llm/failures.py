"""Failures of the language model, and the sentences shown to users. Logs contain kinds, status
codes, request ids and durations, never the content of messages.
"""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import structlog

from accounts.support.measuring import measure

if TYPE_CHECKING:
    import httpx2
    import openai

log = structlog.get_logger(__name__)

Kind = Literal["refused", "busy", "slow", "unreachable", "cut", "nonsense"]


class ModelFailure(Exception):
    """The language model gave no answer, or an incomplete one.

    words: sentences for the user: what happened and what to do. situation: the key in SITUATIONS.
    kind: the machine-readable kind. retryable: whether the same request may succeed soon. wait:
    seconds that the server asks to wait.
    """

    def __init__(
        self, words: str, kind: Kind, retryable: bool, *, situation: str = "", wait: float = 0.0
    ) -> None:
        super().__init__(words, kind, retryable, situation, wait)
        self.situation = situation
        self.words = words
        self.kind: Kind = kind
        self.retryable = retryable
        self.wait = wait

    @property
    def of_the_request(self) -> bool:
        """Whether the failure concerns this request only, not the model's health."""
        return self.kind in ("nonsense", "cut") or self.situation in _OF_THE_REQUEST

    def __str__(self) -> str:
        return f"{self.kind}: {self.words}"


_OF_THE_REQUEST = frozenset({"too long", "declined", "filtered", "not accepted"})
# Who can fix what the user cannot.
_ASK = "Ask whoever runs this site to"


def _safe(what: str, then: str, kind: Kind, *, retryable: bool = False) -> tuple[str, Kind, bool]:
    """Return a SITUATIONS entry whose sentence says that the user's message is safe."""
    return f"{what} Your message is safe. {then}", kind, retryable


# Situation -> (sentence for the user, kind, whether trying again may help).
SITUATIONS: dict[str, tuple[str, Kind, bool]] = {
    "not set up": (
        f"No language model is set up here. {_ASK} connect one.",
        "refused",
        False,
    ),
    "key": (
        f"The language model didn’t accept its key. {_ASK} check the key.",
        "refused",
        False,
    ),
    "quota": _safe(
        "The language model’s account has run out of credit.", f"{_ASK} top it up.", "refused"
    ),
    "address": _safe(
        "The language model wasn’t found.",
        f"{_ASK} check the model’s name and endpoint.",
        "refused",
    ),
    "too long": _safe(
        "This message is too long for the language model.",
        "Shorten it, or send it in parts.",
        "refused",
    ),
    "no room": _safe(
        "This conversation is too long for the language model’s context.",
        f"{_ASK} check MODEL_CONTEXT.",
        "refused",
    ),
    "declined": _safe(
        "The language model declined to answer this.", "Try rephrasing it.", "refused"
    ),
    "filtered": _safe(
        "A content filter on the language model’s server blocked this.",
        "Try rephrasing it.",
        "refused",
    ),
    "not accepted": _safe(
        "The language model’s server rejected the request.",
        f"{_ASK} check why.",
        "refused",
    ),
    "busy": _safe(
        "The language model is busy right now.", "Try again in a minute.", "busy", retryable=True
    ),
    "trouble": _safe(
        "The language model is having trouble right now.",
        "Try again in a minute.",
        "busy",
        retryable=True,
    ),
    "slow": _safe(
        "The language model didn’t answer in time.", "Try again.", "slow", retryable=True
    ),
    "unreachable": _safe(
        "The language model can’t be reached.",
        "Try again in a minute.",
        "unreachable",
        retryable=True,
    ),
    "cut": _safe("The reply stopped halfway.", "Try again.", "cut", retryable=True),
    "length": _safe(
        "The reply stopped at the maximum length.",
        "Ask me to continue.",
        "cut",
    ),
    "out of time": _safe(
        "The reply took too long and was stopped.",
        "Try again, or ask for less at once.",
        "cut",
        retryable=True,
    ),
    "nonsense": _safe(
        "The language model’s reply wasn’t readable.",
        "Try again.",
        "nonsense",
        retryable=True,
    ),
}


def failure(situation: str, wait: float = 0.0) -> ModelFailure:
    """Return the failure for an entry of SITUATIONS; `wait` is in seconds, 0 if unknown."""
    words, kind, retryable = SITUATIONS[situation]
    if wait > _A_MINUTE:
        when = f"in {math.ceil(wait / _A_MINUTE)} minutes" if wait <= _AN_HOUR else "later"
        words = words.replace("in a minute", when)
    return ModelFailure(words, kind, retryable, situation=situation, wait=wait)


_A_MINUTE, _AN_HOUR = 60, 3600


@dataclass
class Call:
    """One request: fields for its log line, and how it ended.

    is_trial: whether the model is being tried by staff, before it is connected.
    """

    mode: str
    is_trial: bool = False
    pieces: int = 0
    finish: str | None = None
    started: float = field(default_factory=time.monotonic)

    def check_ending(self) -> None:
        """Raise ModelFailure unless there is text and the server said that it was complete."""
        if not self.pieces:
            raise failure("filtered" if self.finish == "content_filter" else "nonsense")
        if self.finish in (None, "content_filter"):
            raise failure("cut")
        if self.finish == "length":
            raise failure("length")

    def ended(self, result: str) -> dict[str, Any]:
        """Measure this request with its result, and return the fields of its log line."""
        seconds = time.monotonic() - self.started
        use = "trial" if self.is_trial else "answer" if self.mode == "stream" else "background"
        measure("model_call", seconds, use=use, result=result)
        milliseconds = round(seconds * 1000)
        return {"mode": self.mode, "pieces": self.pieces, "duration_ms": milliseconds}


@contextmanager
def as_model_failures(call: Call) -> Iterator[None]:
    """Turn errors in the block into ModelFailure, and log how the request ended."""
    cause: Exception | None = None
    try:
        yield
    except GeneratorExit:
        log.info("model.closed", **call.ended("closed"))
        raise
    except ModelFailure as error:
        model_failure = error
    except of_the_model() as error:
        cause = error
        broke_off = call.mode == "stream" and call.pieces > 0
        model_failure = failure(
            "cut" if broke_off else _situation(error), seconds_until_retry(error)
        )
    else:
        log.info("model.answered", finish=call.finish, **call.ended("answered"))
        return
    log.warning(
        "model.failed",
        kind=model_failure.kind,
        cause=type(cause).__name__ if cause else None,
        status=getattr(cause, "status_code", None),
        request_id=getattr(cause, "request_id", None),
        **call.ended(model_failure.kind),
    )
    # Raised without the cause: errors of pydantic and the package quote message content, which a
    # printed traceback would show.
    raise model_failure from None


def of_the_model() -> tuple[type[Exception], ...]:
    """Return the exceptions that a request to a model may raise; any other is a bug. Called only
    after an error, because importing the package is slow.
    """
    import httpx2
    import openai

    return openai.APIError, httpx2.InvalidURL, ValueError


def _situation(error: Exception) -> str:  # noqa: PLR0911 - a table of cases
    """Return the SITUATIONS key for an exception of `of_the_model`."""
    import httpx2
    import openai

    if isinstance(error, openai.APIStatusError):
        return status_situation(error)
    if isinstance(error, openai.APITimeoutError):
        never_connected = isinstance(error.__cause__, httpx2.ConnectTimeout)
        return "unreachable" if never_connected else "slow"
    if isinstance(error, openai.APIConnectionError):
        return "unreachable"
    if isinstance(error, openai.APIError):
        # An error inside a stream that began with status 200; its code may be an HTTP status.
        code = str(error.code)
        return _coded_situation(error, int(code) if re.fullmatch(r"[45]\d\d", code) else 500)
    if isinstance(error, httpx2.InvalidURL):
        return "address"
    if isinstance(error, UnicodeEncodeError):
        return "key"  # Headers must be ASCII; a key copied from a document may not be.
    return "nonsense"


def status_situation(error: openai.APIStatusError) -> str:
    """Return the SITUATIONS key for an HTTP error status."""
    return _coded_situation(error, error.status_code)


# Error codes that servers send in a field of the body.
_BY_CODE = {
    "context_length_exceeded": "too long",
    "exceed_context_size_error": "too long",
    "content_filter": "filtered",
    "content_policy_violation": "filtered",
    "ResponsibleAIPolicyViolation": "filtered",
    "insufficient_quota": "quota",
    "billing_hard_limit_reached": "quota",
    "model_not_found": "address",
}
_BY_STATUS = {
    # No redirect is followed.
    **dict.fromkeys((301, 302, 303, 307, 308), "address"),
    401: "key",
    402: "quota",
    403: "key",
    404: "address",
    408: "slow",
    409: "busy",
    413: "too long",
    429: "busy",
    503: "busy",
    504: "slow",
    529: "busy",
}


def _coded_situation(error: openai.APIError, status: int) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    inner = body.get("innererror")
    codes = [error.code, error.type, inner.get("code") if isinstance(inner, dict) else None]
    named = next((_BY_CODE[code] for code in map(str, codes) if code in _BY_CODE), None)
    return named or _BY_STATUS.get(status, "trouble" if status >= 500 else "not accepted")


def seconds_until_retry(error: Exception | httpx2.Response) -> float:
    """Return the seconds to wait by the Retry-After header (a number or a date); 0 if missing."""
    headers = getattr(getattr(error, "response", error), "headers", {})
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return 0.0
    return seconds if 0 < seconds < math.inf else 0.0
