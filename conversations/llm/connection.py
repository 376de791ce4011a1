"""The way to the model's server: one client for all requests with the same settings."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings

from conversations.llm.failures import failure, seconds_until_retry

if TYPE_CHECKING:
    import httpx2
    import openai

# Named here because the package would otherwise take OPENAI_BASE_URL from the environment,
# even an empty one, behind the back of the settings.
OPENAI_ITSELF = "https://api.openai.com/v1"
# lru_cache does not lock: each of many first turns would load the package's client for itself.
_MAKING = threading.Lock()


def configured() -> bool:
    """Whether there is a model to ask. A base URL alone is enough: local servers need no key."""
    return bool(settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL)


def from_settings() -> openai.OpenAI:
    """The client for the model that the settings name. Raises ModelFailure when there is none."""
    if not configured():
        raise failure("not set up")
    with _MAKING:
        return _client(
            # Never None: the package would look for a key in the environment and send it elsewhere.
            settings.OPENAI_API_KEY or "none",
            address(),
            float(settings.MODEL_CONNECT_TIMEOUT),
            float(settings.MODEL_READ_TIMEOUT),
            int(settings.MODEL_RETRIES),
        )


def address() -> str:
    """Where the model is asked."""
    return str(settings.OPENAI_BASE_URL or OPENAI_ITSELF)


@dataclass(frozen=True)
class SingleRequestClient:
    """A client for one request, which can be ended from another thread at any time."""

    client: openai.OpenAI
    _streams: list[Any]

    def shut(self) -> None:
        """End what is under way. The socket is shut down: closed only, its reader would wait on."""
        for stream in self._streams:
            with suppress(OSError, AttributeError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self.client.close()


def alone(read_seconds: float) -> SingleRequestClient:
    """A client of its own for what nobody waits for. Raises ModelFailure when there is no model."""
    if not configured():
        raise failure("not set up")
    streams: list[Any] = []
    connect = float(settings.MODEL_CONNECT_TIMEOUT)
    key = settings.OPENAI_API_KEY or "none"
    made = _make_client(
        key, address(), (connect, read_seconds), int(settings.MODEL_RETRIES), streams
    )
    return SingleRequestClient(made, streams)


@lru_cache(maxsize=4)
def _client(
    key: str, base_url: str, connect_seconds: float, read_seconds: float, retries: int
) -> openai.OpenAI:
    """One client for all requests with these settings: it is thread-safe and keeps connections."""
    return _make_client(key, base_url, (connect_seconds, read_seconds), retries)


def _make_client(
    key: str,
    base_url: str,
    patience: tuple[float, float],
    retries: int,
    streams: list[Any] | None = None,
) -> openai.OpenAI:
    """A client that is patient for so many seconds with connecting and with reading; with
    `streams`, every connection that it opens is put there.
    """
    import httpx2
    import openai

    connect_seconds, read_seconds = patience

    def note(event: str, info: dict[str, Any]) -> None:
        if streams is not None and event == "connection.connect_tcp.complete":
            streams.append(info["return_value"])

    class Once(openai.DefaultHttpxClient):
        """Asks again only where that helps soon, with a person waiting."""

        def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
            if streams is not None:
                request.extensions = {**request.extensions, "trace": note}
            try:
                response = super().send(request, **options)
            except httpx2.ReadTimeout as error:
                # The package would wait for the same slow answer twice more. It passes its own
                # errors through untouched, so this one ends the request.
                raise openai.APITimeoutError(request) from error
            if seconds_until_retry(response) > read_seconds:
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
