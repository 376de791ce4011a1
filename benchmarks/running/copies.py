"""A whole copy of the product as `manage.py up` starts it, with a scripted model, to talk to."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import psycopg

from config.processes.embedded import NAME, OWNER_ROLE, Cluster
from tests.fakes.model_server import ModelServer, Reply, normal

ROOT = Path(__file__).resolve().parents[2]
EMAIL = "nick@example.org"
# Generous: they end what would never end, and measure nothing.
UP_SECONDS, BACK_SECONDS = 1800.0, 900.0
# As on a site, only sooner: when the work of a killed process is taken over.
AT_ONCE = {"WORK_LEASE_SECONDS": "5", "ANSWER_GRACE_SECONDS": "2"}


def wait_for(holds: Callable[[], Any], what: str, seconds: float = BACK_SECONDS) -> Any:
    """Wait for something to hold and return it. Raises TimeoutError."""
    limit = time.monotonic() + seconds
    while not (value := holds()):
        if time.monotonic() > limit:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.1)
    return value


def free_port() -> int:
    """A port that nothing listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def children(pid: int) -> list[int]:
    """The children of a process, in the order of their birth."""
    pids = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            pids += [int(child) for child in task.read_text().split()]
    return sorted(pids)


def command_of(pid: int) -> str:
    """Its command line; empty for one that ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


class Copy:
    """A whole copy of the product in a place of its own, from `with` to the end of the block."""

    def __init__(
        self,
        reply: Reply | None,
        place: Path | None = None,
        *,
        sources: Path = ROOT,
        environment: Mapping[str, str] = AT_ONCE,
    ) -> None:
        """With a model that says `reply`, a word every tenth of a second, or with none of its own;
        `place` is emptied. `environment` holds settings beside those of any copy.
        """
        self.place = place or Path(tempfile.mkdtemp(prefix="throughline-copy-"))
        self.place.chmod(0o711)
        self.cluster = Cluster(self.place)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.sources, self._settings = sources, environment
        self._model = None if reply is None else ModelServer(normal(reply, pause=0.1))
        self.up: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        model = {"OPENAI_BASE_URL": self._model.__enter__().url} if self._model else {}
        self.environment = os.environ | {
            # Empty, not absent: a .env file fills in only what is absent.
            **dict.fromkeys(("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "EMAIL_URL"), ""),
            **dict.fromkeys(("OPENAI_API_KEY", "OPENAI_BASE_URL", "SECRET_KEY"), ""),
            "DATA_DIR": str(self.place),
            "PORT": str(self.port),
            **model,
            **self._settings,
        }
        self.start()
        # Its person has said everything before it is measured.
        self.manage("demo")
        self.token = self.manage("create_token", EMAIL)
        return self

    def __exit__(self, *_: object) -> None:
        if self.up is not None:
            self.up.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.up.wait(30)
            self.up.kill()
        self.cluster.stop()
        if self._model is not None:
            self._model.__exit__(None, None, None)
        shutil.rmtree(self.place, ignore_errors=True)

    def start(self) -> None:
        """`manage.py up`, until it is well."""
        with (self.place / "up.log").open("ab") as log:
            self.up = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--demo"],
                cwd=self.sources,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        wait_for(lambda: self.is_well() or self.up_ended(), "a copy that is well", UP_SECONDS)
        if self.up_ended():
            raise RuntimeError((self.place / "up.log").read_text()[-3000:])

    def manage(self, *words: str) -> str:
        """Run a management command against this copy; returns what it printed."""
        command = [sys.executable, "manage.py", *words]
        printed = subprocess.check_output(
            command, cwd=self.sources, env=self.environment, text=True
        )
        return printed.strip()

    def up_ended(self) -> bool:
        """Whether `manage.py up` is over."""
        return self.up is None or self.up.poll() is not None

    def is_well(self) -> bool:
        """What /healthz says, the free space of this machine's disk left aside."""
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
            _, said = self.ask("GET", "/healthz")
            return all(said[part] == "ok" for part in ("web", "database", "worker"))
        return False

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """One request to the API, as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, {**self._signed(), **headers})
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"{}")
        finally:
            connection.close()

    def _signed(self) -> dict[str, str]:
        token = getattr(self, "token", "")
        return {"Content-Type": "application/json"} | (
            {"Authorization": f"Token {token}"} if token else {}
        )

    @contextlib.contextmanager
    def stream(self, talk: str, content: str) -> Iterator[http.client.HTTPResponse]:
        """Say something and read the answer as it is written."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {**self._signed(), "Accept": "text/event-stream"}
        body = json.dumps({"content": content})
        connection.request("POST", f"/api/v1/conversations/{talk}/messages", body, headers)
        try:
            yield connection.getresponse()
        finally:
            connection.close()

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database holds, as its owner sees it."""
        with psycopg.connect(
            host=str(self.cluster.socket_dir), dbname=NAME, user=OWNER_ROLE, connect_timeout=5
        ) as connection:
            return connection.execute(statement, values).fetchall()
