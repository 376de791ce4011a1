"""Embeddings from a server with the OpenAI embeddings API.

An outage never delays an answer: the request for a question's embedding has a short timeout, and a
server that failed gets no requests for a while.
"""

import json
import math
import time
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from threading import Thread
from typing import Any

import httpx2
import numpy as np
import structlog
from django.conf import settings

from accounts.support.measuring import measure
from memory.language.text.terms import Float32Array

OPENAI_ITSELF = "https://api.openai.com/v1"
# Seconds without requests after a failed question (LEFT_ALONE) and, if a background request took
# longer than _LONG to fail, after that (LEFT_BY_BACKGROUND), because each try blocks a worker.
LEFT_ALONE, LEFT_BY_BACKGROUND, _LONG = 30.0, 300.0, 2.0
# Longer texts are cut, in characters: models read a few hundred words, and some servers refuse
# more.
LONGEST = 2_000
_MOST_BYTES = 64 * 2**20
# The largest number of dimensions that the database stores.
_LONGEST_VECTOR = 16_000
log = structlog.get_logger(__name__)


class EndpointAway(Exception):
    """The server did not answer in time, or not with valid embeddings."""


class TextsRefused(EndpointAway):
    """The server answered, but refused the texts."""


class Side(Enum):
    """Question or passage: models use a different prefix for each."""

    QUERY = "query"
    PASSAGE = "passage"


class _Breaker:
    """Circuit breaker: the time.monotonic() until which no question or batch is sent."""

    until = 0.0
    background_until = 0.0


def endpoint_is_configured() -> bool:
    """Return whether an endpoint is configured: a model, and an address or an OpenAI key."""
    return bool(
        settings.EMBEDDING_MODEL and (settings.EMBEDDING_BASE_URL or settings.EMBEDDING_API_KEY)
    )


def endpoint_address() -> str:
    """Return the URL of the endpoint."""
    return str(settings.EMBEDDING_BASE_URL or OPENAI_ITSELF).rstrip("/")


def model_name() -> str:
    """Return a name for everything that the embeddings depend on: model, dimensions, prefixes."""
    parts = [settings.EMBEDDING_MODEL]
    if settings.EMBEDDING_DIMENSIONS:
        parts.append(f"{settings.EMBEDDING_DIMENSIONS} dimensions")
    parts += [
        json.dumps(prefix)
        for prefix in (settings.EMBEDDING_QUERY_PREFIX, settings.EMBEDDING_PASSAGE_PREFIX)
        if prefix
    ]
    return ", ".join(parts)[:300]


def embed(texts: Sequence[str], side: Side) -> Float32Array:
    """Return a unit vector for each text, in order, for background work.

    Raises EndpointAway, immediately if a slow failure was recent, so that jobs do not wait.
    """
    began = time.monotonic()
    if began < _Breaker.background_until:
        raise EndpointAway("left alone")
    try:
        return _within(float(settings.EMBEDDING_BATCH_SECONDS), texts, side)
    except EndpointAway as error:
        if time.monotonic() - began > _LONG:
            _Breaker.background_until = time.monotonic() + LEFT_BY_BACKGROUND
            log.warning("embedding.put_off", error=str(error), seconds=LEFT_BY_BACKGROUND)
        raise


def embed_question(text: str) -> Float32Array | None:
    """Return the unit vector of a question; None if the server is or was recently unavailable."""
    if time.monotonic() < _Breaker.until:
        return None
    try:
        vector: Float32Array = _within(float(settings.EMBEDDING_QUERY_SECONDS), [text], Side.QUERY)[
            0
        ]
    except TextsRefused:
        return None
    except EndpointAway as error:
        _Breaker.until = time.monotonic() + LEFT_ALONE
        log.warning("embedding.left_alone", error=str(error), seconds=LEFT_ALONE)
        return None
    return vector


def endpoint_is_left_alone() -> bool:
    """Return whether this process does not ask the server for a while, because it failed."""
    return time.monotonic() < max(_Breaker.until, _Breaker.background_until)


def reset_breaker() -> None:
    """Allow requests again at once after a failure."""
    _Breaker.until = _Breaker.background_until = 0.0


def _within(seconds: float, texts: Sequence[str], side: Side) -> Float32Array:
    """Return the vectors, and measure how long they took. Raises EndpointAway."""
    began, result = time.monotonic(), "failed"
    try:
        vectors = _in_thread(seconds, texts, side)
        result = "answered"
        return vectors
    except TextsRefused:
        result = "refused"
        raise
    finally:
        measure("model_call", time.monotonic() - began, use="embedding", result=result)


def _in_thread(seconds: float, texts: Sequence[str], side: Side) -> Float32Array:
    """Request embeddings in a thread with a time limit, as a slow server may never finish."""
    come: list[Float32Array | EndpointAway] = []

    def ask() -> None:
        try:
            come.append(_as_vectors(_sent(seconds, texts, side), len(texts)))
        except EndpointAway as error:
            come.append(error)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, LookupError, TypeError) as error:
            come.append(EndpointAway(type(error).__name__))

    thread = Thread(target=ask, name="embedding", daemon=True)
    thread.start()
    thread.join(seconds)
    if not come:
        raise EndpointAway("slow")
    if isinstance(come[0], EndpointAway):
        raise come[0]
    return come[0]


def _sent(seconds: float, texts: Sequence[str], side: Side) -> Any:
    prefix = (
        settings.EMBEDDING_QUERY_PREFIX if side is Side.QUERY else settings.EMBEDDING_PASSAGE_PREFIX
    )
    body: dict[str, Any] = {
        "model": settings.EMBEDDING_MODEL,
        "input": [prefix + text[:LONGEST] for text in texts],
        "encoding_format": "float",
    }
    if settings.EMBEDDING_DIMENSIONS:
        body["dimensions"] = settings.EMBEDDING_DIMENSIONS
    key = settings.EMBEDDING_API_KEY
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    until = time.monotonic() + seconds
    asked = _client().stream(
        "POST", f"{endpoint_address()}/embeddings", json=body, headers=headers, timeout=seconds
    )
    with asked as response:
        if response.status_code in {400, 413, 422}:
            raise TextsRefused(f"status {response.status_code}")
        if response.status_code != 200:
            raise EndpointAway(f"status {response.status_code}")
        come = bytearray()
        for piece in response.iter_bytes():
            come += piece
            if len(come) > _MOST_BYTES:
                raise EndpointAway("too long")
            # The caller has stopped waiting, so the thread must end too.
            if time.monotonic() > until:
                raise EndpointAway("slow")
    return json.loads(come)


def _as_vectors(answer: Any, count: int) -> Float32Array:
    """Return the unit vectors in a response.

    Raises EndpointAway, ValueError, LookupError or TypeError for an invalid response.
    """
    data = sorted(answer["data"], key=lambda each: each["index"])
    vectors = np.array([each["embedding"] for each in data], np.float32)
    if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
        raise EndpointAway("no vectors")
    wanted, length = settings.EMBEDDING_DIMENSIONS, vectors.shape[1]
    if length != wanted if wanted else not 1 <= length <= _LONGEST_VECTOR:
        raise EndpointAway("vectors of another length")
    return unit(vectors)


def unit(vectors: Float32Array) -> Float32Array:
    """Return the vectors with length 1; zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    made: Float32Array = np.divide(
        vectors, lengths, out=np.zeros_like(vectors), where=lengths > math.ulp(1.0)
    )
    return made


@lru_cache(maxsize=1)
def _client() -> httpx2.Client:
    """Return the shared HTTP client, which is thread-safe and keeps connections open."""
    return httpx2.Client()
