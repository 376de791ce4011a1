"""mem0's official client, in an environment of its own, and what it sends, recorded.

The package needs other versions than the product does, so it runs in a process of the environment
that `make mem0` makes, or of the Python that MEM0_PYTHON names.
"""

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2

HOUSE = Path(__file__).resolve().parents[1]
PYTHON = Path(os.environ.get("MEM0_PYTHON", HOUSE / ".venv-mem0" / "bin" / "python"))
# Of mem0ai 2.2.1: method and path, what stands behind the "?", and the body.
Sent = tuple[str, str, dict[str, Any], Any]


class Refused(Exception):
    """A call that ended with an error of the client: its class, and what it says."""

    def __init__(self, error: str, says: str) -> None:
        super().__init__(f"{error}: {says}")
        self.error, self.says = error, says


def _entity(user_id: str) -> str:
    return f"/v2/entities/user/{quote(user_id, safe='')}/"


def _memory(memory_id: str, rest: str = "") -> str:
    return f"/v1/memories/{quote(memory_id, safe='')}/{rest}"


def _add(messages: Any, **named: Any) -> Sent:
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    return "POST", "/v3/memories/add/", {}, {"messages": messages, **named}


def _get_all(**named: Any) -> Sent:
    query = {name: named.pop(name) for name in ("page", "page_size") if name in named}
    return "POST", "/v3/memories/", query, named


RECORDED: dict[str, Callable[..., Sent]] = {
    "ping": lambda: ("GET", "/v1/ping/", {}, None),
    "add": _add,
    "search": lambda query, **named: (
        *("POST", "/v3/memories/search/", {}),
        {"query": query, **named},
    ),
    "get_all": _get_all,
    "get": lambda pk: ("GET", _memory(pk), {}, None),
    "update": lambda pk, **named: ("PUT", _memory(pk), {}, named),
    "delete": lambda pk: ("DELETE", _memory(pk), {}, None),
    "delete_all": lambda **named: ("DELETE", "/v1/memories/", named, None),
    "history": lambda pk: ("GET", _memory(pk, "history/"), {}, None),
    "users": lambda: ("GET", "/v1/entities/", {}, None),
    "delete_users": lambda user_id: ("DELETE", _entity(user_id), {}, None),
    "batch_update": lambda memories: ("PUT", "/v1/batch/", {}, {"memories": memories}),
    "batch_delete": lambda memories: ("DELETE", "/v1/batch/", {}, {"memories": memories}),
}
# As the client names the errors of a status.
_ERRORS = {
    400: "ValidationError",
    401: "AuthenticationError",
    403: "AuthenticationError",
    404: "MemoryNotFoundError",
    429: "RateLimitError",
}


@dataclass
class Recorded:
    """Sends what the official client was recorded to send."""

    host: str
    token: str
    sent: list[Sent] = field(default_factory=list)

    def __post_init__(self) -> None:
        headers = {"Authorization": f"Token {self.token}"}
        self.http = httpx2.Client(base_url=self.host, headers=headers, timeout=120)
        try:
            self.user_email = self.call("ping")["user_email"]
        except Refused as refused:
            self.close()
            # So the client says of its first request.
            raise Refused("ValueError", f"Error: {refused.says}") from None

    def call(self, method: str, *args: Any, **named: Any) -> Any:
        verb, path, query, body = RECORDED[method](*args, **named)
        answer = self.http.request(verb, path, params=query, json=body)
        if answer.is_success:
            return answer.json()
        assert answer.headers["content-type"].startswith("application/json")
        error = _ERRORS.get(answer.status_code, "MemoryError")
        raise Refused(error, answer.json()["detail"])

    def close(self) -> None:
        self.http.close()


@dataclass
class Official:
    """The client itself, in a process of its own."""

    host: str
    token: str
    kind: str = "sync"

    def __post_init__(self) -> None:
        script = HOUSE / "tests" / "mem0_caller.py"
        self.process = subprocess.Popen(
            [str(PYTHON), str(script), self.host, self.token, self.kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            self.user_email = self._told()
        except Refused:
            self.close()
            raise

    def call(self, method: str, *args: Any, **named: Any) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([method, args, named]) + "\n")
        self.process.stdin.flush()
        return self._told()

    def _told(self) -> Any:
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        if "error" in told:
            raise Refused(told["error"], told["says"])
        return told["result"]

    def close(self) -> None:
        self.process.communicate()


OPENERS: dict[str, Callable[[str, str], Any]] = {
    "recorded": Recorded,
    "sync": Official,
    "async": lambda host, token: Official(host, token, "async"),
}
