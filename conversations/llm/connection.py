"""The connection to the language model's server: settings, and clients shared per settings."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.exceptions import SynchronousOnlyOperation
from django.db import connection as database
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from accounts.database.connections import release_connection
from accounts.support import public_addresses
from accounts.support.best_effort import best_effort
from accounts.support.process_cache import read_every
from conversations.llm.failures import failure, seconds_until_retry
from conversations.models import ModelConnection

if TYPE_CHECKING:
    import httpx2
    import openai

# Passed explicitly: otherwise the package would read OPENAI_BASE_URL from the environment, even an
# empty one, and bypass the settings.
OPENAI_ITSELF = "https://api.openai.com/v1"
# lru_cache does not lock: concurrent first requests would each load the package.
_CLIENT_LOCK = threading.Lock()
# Host names of the local network.
_NEARBY = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Connection:
    """The settings of a language model: address, key and model names.

    base_url: '' for OpenAI itself. background_model: '' to use the chat model. is_stored: whether
    staff set it in the app. key_is_lost: whether the stored key cannot be decrypted.
    """

    base_url: str
    key: str = field(repr=False)
    chat_model: str
    background_model: str = ""
    is_stored: bool = False
    key_is_lost: bool = False

    @property
    def exists(self) -> bool:
        """Whether a model is connected. A base URL alone is enough: local servers need no key."""
        return bool(self.key or self.base_url)

    @property
    def address(self) -> str:
        """The base URL."""
        return self.base_url or OPENAI_ITSELF

    @property
    def background(self) -> str:
        """The name of the model for background work."""
        return self.background_model or self.chat_model

    @property
    def host(self) -> str:
        """The host name; leaves out a key that the address may contain."""
        with suppress(ValueError):
            return urlsplit(self.address).hostname or ""
        return ""

    @property
    def key_ending(self) -> str:
        """The last four characters of the key; '' if it is too short to show any."""
        return self.key[-4:] if len(self.key) >= 12 else ""

    @property
    def is_public_only(self) -> bool:
        """Whether it may lead to public addresses alone: staff cannot have this site's own network
        called. Whoever sets the environment can.
        """
        return self.is_stored and not settings.MODEL_PRIVATE_ADDRESSES

    @property
    def is_overheard(self) -> bool:
        """Whether others could read the traffic: no TLS, and not to a local machine."""
        if self.address.lower().startswith("https:"):
            return False
        try:
            return not ipaddress.ip_address(self.host).is_private
        except ValueError:
            return "." in self.host and not self.host.endswith(_NEARBY)


# The connection used instead of the current one inside `using`.
_instead: ContextVar[Connection | None] = ContextVar("instead", default=None)


@contextmanager
def using(other: Connection) -> Iterator[None]:
    """Use another connection in the block, for this context only; its refusals are not stored."""
    before = _instead.set(other)
    try:
        yield
    finally:
        _instead.reset(before)


def is_replaced() -> bool:
    """Return whether a block of `using` is active."""
    return _instead.get() is not None


def current() -> Connection:
    """Return the connection in use: the one stored by staff, else the one of the environment."""
    return _instead.get() or _stored() or from_environment()


def from_environment() -> Connection:
    """Return the connection from the settings; its `exists` is False if none is configured."""
    return Connection(
        settings.OPENAI_BASE_URL,
        settings.OPENAI_API_KEY,
        settings.CHAT_MODEL,
        settings.BACKGROUND_MODEL,
    )


def store(new: Connection) -> ModelConnection:
    """Store a connection and use it; other processes follow within seconds."""
    values = {
        "base_url": new.base_url,
        "encrypted_key": ModelConnection.encrypted(new.key),
        "chat_model": new.chat_model,
        "background_model": new.background_model,
    }
    return ModelConnection.objects.update_or_create(pk=1, defaults=values)[0]


@read_every(seconds=3)
def _stored() -> Connection | None:
    """Return the connection stored by staff; while the database is away, the last one read."""
    was_open = database.connection is not None
    with best_effort(_not_read):
        row = ModelConnection.objects.first()
        if not was_open:
            release_connection()
        if row is None:
            return None
        key = row.read_key()
        return Connection(
            row.base_url, key or "", row.chat_model, row.background_model, True, key is None
        )
    return _stored.last()


def _not_read(error: Exception) -> None:
    if isinstance(error, SynchronousOnlyOperation):
        raise error
    log.warning("model.connection_not_read", error=type(error).__name__)


@receiver([post_save, post_delete], sender=ModelConnection, dispatch_uid="model_is_read_anew")
def _clear_cache(**_: object) -> None:
    """Clear the cache, so that this process sees a change at once; others see it within seconds."""
    _stored.cache_clear()


def configured() -> bool:
    """Return whether a model is connected."""
    return current().exists


def from_settings() -> openai.OpenAI:
    """Return the client of the connected model. Raises ModelFailure if none is connected."""
    settings_in_force = current()
    if not settings_in_force.exists:
        raise failure("not set up")
    with _CLIENT_LOCK:
        return _client(
            # Never None: the package would take a key from the environment and send it to this
            # server.
            settings_in_force.key or "none",
            settings_in_force.address,
            (float(settings.MODEL_CONNECT_TIMEOUT), float(settings.MODEL_READ_TIMEOUT)),
            int(settings.MODEL_RETRIES),
            settings_in_force.is_public_only,
        )


def address() -> str:
    """Return the base URL of the model's server."""
    return current().address


@dataclass(frozen=True)
class SingleRequestClient:
    """A client for one request, which another thread can end at any time."""

    client: openai.OpenAI
    _streams: list[Any]

    def shut(self) -> None:
        """Shut down the sockets: after a mere close, blocked readers would keep waiting."""
        for stream in self._streams:
            with suppress(OSError, AttributeError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self.client.close()


def alone(read_seconds: float) -> SingleRequestClient:
    """Return a client for one background request. Raises ModelFailure if no model is connected."""
    settings_in_force = current()
    if not settings_in_force.exists:
        raise failure("not set up")
    streams: list[Any] = []
    connect = float(settings.MODEL_CONNECT_TIMEOUT)
    made = _make_client(
        settings_in_force.key or "none",
        settings_in_force.address,
        (connect, read_seconds),
        int(settings.MODEL_RETRIES),
        settings_in_force.is_public_only,
        streams=streams,
    )
    return SingleRequestClient(made, streams)


@lru_cache(maxsize=4)
def _client(
    key: str, base_url: str, patience: tuple[float, float], retries: int, public_only: bool
) -> openai.OpenAI:
    """Return the shared client for these settings: it is thread-safe and reuses connections."""
    return _make_client(key, base_url, patience, retries, public_only)


def _make_client(
    key: str,
    base_url: str,
    patience: tuple[float, float],
    retries: int,
    public_only: bool,
    *,
    streams: list[Any] | None = None,
) -> openai.OpenAI:
    """Return a client with timeouts (`patience`) in seconds for connecting and reading; the network
    streams it opens are added to `streams`. The client follows no redirects.
    """
    import httpx2
    import openai

    connect_seconds, read_seconds = patience

    def note(event: str, info: dict[str, Any]) -> None:
        if streams is not None and event == "connection.connect_tcp.complete":
            streams.append(info["return_value"])

    class Once(openai.DefaultHttpxClient):
        """An HTTP client that retries only where that helps soon, as a user is waiting."""

        def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
            if streams is not None:
                request.extensions = {**request.extensions, "trace": note}
            if public_only:
                _aim_at_public_address(request)
            try:
                response = super().send(request, **options)
            except httpx2.ReadTimeout as error:
                # The package would retry after a timeout, twice. It does not retry its own
                # exceptions, so this one ends the request.
                raise openai.APITimeoutError(request) from error
            if seconds_until_retry(response) > read_seconds:
                # The package would sleep up to two minutes if the server asks for that, at each
                # retry.
                response.headers["x-should-retry"] = "false"
            return response

    return openai.OpenAI(
        api_key=key,
        base_url=base_url,
        max_retries=retries,
        timeout=openai.Timeout(read_seconds, connect=connect_seconds),
        http_client=Once(follow_redirects=False),
    )


def _aim_at_public_address(request: httpx2.Request) -> None:
    """Send a request to the address of its host that was found to be public; raises
    APIConnectionError where there is none.
    """
    import openai

    host = request.url.raw_host.decode()
    port = request.url.port or (443 if request.url.scheme == "https" else 80)
    try:
        address = public_addresses.resolve(host, port)
    except OSError as error:
        raise openai.APIConnectionError(request=request) from error
    request.url = request.url.copy_with(host=address)
    request.extensions = {**request.extensions, "sni_hostname": host}
