"""A real server whose database stops for a while: it says so, loses nothing, and comes back."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

import pytest

from config.processes.embedded import Cluster
from tests.live import a_copy, free_port
from tests.people import PASSWORD

ROOT = Path(__file__).resolve().parents[2]
EMAIL = "newcomer@example.org"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    def json(self) -> dict[str, object]:
        return dict(json.loads(self.text))


@dataclass
class Browser:
    """Just enough of one: it keeps cookies, and sends the token of the last form it saw."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    def ask(
        self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None
    ) -> Answer:
        sent = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items()), **(headers or {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body.encode() if body else None, sent)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                self.cookies |= {k: morsel.value for k, morsel in SimpleCookie(value).items()}
        if found := re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text):
            self.csrf = found[1]
        return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, text)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def send_form(self, path: str, headers: dict[str, str] | None = None, **data: str) -> Answer:
        body = urlencode({**data, "csrfmiddlewaretoken": self.csrf})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, body, kind | (headers or {}))


@dataclass
class Site:
    """A whole copy of the product on a database of its own."""

    cluster: Cluster
    port: int
    environment: dict[str, str]

    def manage(self, *args: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *args],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.strip()


def wait_until(condition: Callable[[], bool], seconds: float = 40) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "It never happened."
        time.sleep(0.1)


def listens(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory(prefix="tl-away-") as place:
        Path(place).chmod(0o711)
        data, port = a_copy(Path(place) / "data"), free_port()
        site = Site(
            Cluster(data, fast=True), port, os.environ | {"DATA_DIR": str(data), "PORT": str(port)}
        )
        web = None
        try:
            site.cluster.start()
            command = [sys.executable, "-m", "uvicorn", "config.asgi:application"]
            command += ["--port", str(port), "--lifespan", "off", "--no-access-log"]
            with (Path(place) / "web.log").open("wb") as log:
                web = subprocess.Popen(
                    command, cwd=ROOT, env=site.environment, stdout=log, stderr=log
                )
            wait_until(lambda: listens(port))
            yield site
        finally:
            if web is not None:
                web.terminate()
                web.wait(20)
                print((Path(place) / "web.log").read_text(errors="replace")[-6000:])
            site.cluster.stop()


@pytest.fixture(scope="module")
def nick(site: Site) -> Browser:
    """Somebody who signed up and is signed in."""
    browser = Browser(site.port)
    browser.get("/accounts/signup/")
    typed = {"email": EMAIL, "password1": PASSWORD, "memory_on": "true"}
    signed_up = browser.send_form("/accounts/signup/", **typed)
    assert (signed_up.status, signed_up.headers["location"]) == (302, "/talk/")
    assert browser.get("/talk/").status == 200
    return browser


@dataclass
class Outage:
    """What was answered while the database was away, and by whom."""

    answers: dict[str, Answer]
    health: list[Answer]
    """By a stranger, then by somebody signed in."""
    before_health: list[str]
    """Which of the answers came before the first of these."""


@pytest.fixture(scope="module")
def requests(site: Site, nick: Browser) -> dict[str, Callable[[], Answer]]:
    """The same message by each door; asking again sends exactly the same."""
    token = site.manage("create_token", EMAIL)
    signed = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    made = nick.ask("POST", "/api/v1/conversations", "{}", signed)
    talk = made.json()["id"]
    keyed = {**signed, "Idempotency-Key": "by the API"}

    def by_api() -> Answer:
        body = json.dumps({"content": "I work at Google"})
        return Browser(site.port).ask("POST", f"/api/v1/conversations/{talk}/messages", body, keyed)

    def by_page() -> Answer:
        return nick.send_form("/talk/start/", content="I live in Rome", client_key="by a page")

    def by_htmx() -> Answer:
        headers = {"HX-Request": "true", "X-CSRFToken": nick.csrf}
        data = {"content": "I enjoy hiking", "client_key": "by htmx"}
        return nick.send_form(f"/talk/{talk}/messages/", headers, **data)

    return {"api": by_api, "page": by_page, "htmx": by_htmx}


@pytest.fixture(scope="module")
def outage(site: Site, nick: Browser, requests: dict[str, Callable[[], Answer]]) -> Outage:
    """Stop PostgreSQL, try every door at once, and start it again after about ten seconds."""
    site.cluster.stop()
    back = threading.Event()

    def come_back() -> None:
        back.wait(10)
        site.cluster.start()

    healer = threading.Thread(target=come_back)
    try:
        with ThreadPoolExecutor(4) as threads:
            waiting = {name: threads.submit(send) for name, send in requests.items()}
            health = [Browser(site.port).get("/healthz")]
            before = [name for name, each in waiting.items() if each.done()]
            health.append(nick.get("/healthz"))
            healer.start()
            answers = {name: each.result() for name, each in waiting.items()}
    finally:
        back.set()
        if healer.ident is None:
            healer.start()
        healer.join()
    return Outage(answers, health, before)


def test_health_names_the_database_while_it_is_away(outage: Outage) -> None:
    for answer in outage.health:
        assert answer.status == 503
        parts = answer.json()
        assert (parts["web"], parts["database"]) == ("ok", "does not answer")
    assert outage.before_health == [], "who waits for the database held health up"


def test_api_and_pages_say_503_each_in_its_shape(outage: Outage) -> None:
    told = outage.answers["api"]
    assert told.json()["title"] == "The database can’t be reached"
    assert told.json()["detail"]
    assert told.headers["content-type"].startswith("application/problem+json")
    for door, answer in outage.answers.items():
        assert answer.status == 503
        assert answer.headers["retry-after"] == "5"
        assert ("<html" in answer.text) == (door == "page")
        assert "Traceback" not in answer.text
        if door != "api":
            assert "I can’t reach my notebook right now." in answer.text


@pytest.mark.usefixtures("outage")
def test_it_recovers_and_the_same_request_makes_the_message_once(
    site: Site, nick: Browser, requests: dict[str, Callable[[], Answer]]
) -> None:
    wait_until(lambda: Browser(site.port).get("/healthz").json()["database"] == "ok")
    for _ in range(2):
        for name, send in requests.items():
            status = send().status
            assert status in ((201,) if name == "api" else (200, 302)), f"{name}: {status}"
    token = site.manage("create_token", EMAIL)
    signed = {"Authorization": f"Token {token}"}
    talks = nick.ask("GET", "/api/v1/conversations", headers=signed).json()["results"]
    said = []
    for talk in talks:
        path = f"/api/v1/conversations/{talk['id']}/messages"
        listed = nick.ask("GET", path, headers=signed).json()["results"]
        said += [message["content"] for message in listed if message["role"] == "user"]
    assert sorted(said) == ["I enjoy hiking", "I live in Rome", "I work at Google"]
