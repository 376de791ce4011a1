"""The site served inside the test's own process, with a pool as small as a test wants."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from django.db import connection
from django.test import Client
from knox.models import get_token_model

from accounts.models import User
from config.asgi import application
from config.processes.bounded_http import BoundedHttpProtocol


@contextmanager
def a_pool_of(count: int, *, seconds: float = 3) -> Iterator[None]:
    """Let all threads share so many connections; who gets none waits for so long."""
    connection.close_pool()
    kept = connection.settings_dict["OPTIONS"]["pool"]
    connection.settings_dict["OPTIONS"]["pool"] = {
        **kept,
        "min_size": 0,
        "max_size": count,
        "timeout": seconds,
    }
    try:
        yield
    finally:
        connection.close()
        connection.close_pool()
        connection.settings_dict["OPTIONS"]["pool"] = kept


@contextmanager
def served() -> Iterator[int]:
    """Serve the site; the port it listens on."""
    config = uvicorn.Config(
        application, http=BoundedHttpProtocol, port=0, lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            thread.join(0.02)
        yield int(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(20)


@dataclass
class Answer:
    """What came back, with the events of a stream as (name, data)."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def events(self) -> list[tuple[str, str]]:
        parts = [part for part in self.text.split("\n\n") if part and not part.startswith(":")]
        return [_event(part) for part in parts]

    def json(self) -> Any:
        return json.loads(self.text)


def _event(part: str) -> tuple[str, str]:
    name, *data = [line for line in part.split("\n") if not line.startswith("id: ")]
    return name.removeprefix("event: "), "\n".join(line.removeprefix("data: ") for line in data)


@dataclass
class Visitor:
    """One person at the served site, by the page's session and by the API's token."""

    port: int
    user: User
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        window = Client()
        window.force_login(self.user)
        self.cookie = {"Cookie": f"sessionid={window.cookies['sessionid'].value}"}
        self.token = {
            "Authorization": f"Token {get_token_model().objects.create(user=self.user)[1]}"
        }

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("GET", path, None, self.cookie | headers)

    def read(self, path: str) -> Answer:
        """By the API."""
        return self._ask("GET", f"/api/v1/{path}", None, self.token)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """By the API."""
        sent = {**self.token, "Content-Type": "application/json", **headers}
        return self._ask("POST", f"/api/v1/{path}", json.dumps(body or {}), sent)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            asking.request(method, path, body, headers)
            answer = asking.getresponse()
            text = answer.read().decode()
        finally:
            asking.close()
        return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, text)
