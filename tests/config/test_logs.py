"""What the logs may say: ids, kinds and places, never a person's words."""

import http.client
import io
import json
import logging
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import quote, urlsplit

import pytest
from django.http import HttpRequest

from accounts.models import User
from config.processes.local import where_it_failed
from memory import manager
from tests.live import a_copy, running_house
from tests.people import Api
from tests.serving import served


def test_a_logged_exception_names_its_kind_and_place_but_not_its_message() -> None:
    try:
        raise ValueError("I live in Seattle")
    except ValueError:
        event = where_it_failed(None, "error", {"event": "failed", "exc_info": sys.exc_info()})
    assert event["exception"] == "ValueError"
    assert "test_logs.py" in event["frames"][-1]
    assert "Seattle" not in repr(event)


NAME = "Wilhelmina Thistlewick"
CUT = [
    ("Forbidden (%s): %s", ("No CSRF cookie.", "/x"), 403, "Forbidden (No CSRF cookie.): …"),
    ("Forbidden (%s): %s", ("Referer checking failed - https://a/?q=Wilhelmina", "/x"), 403,
     "Forbidden (…): …"),
    ("Invalid HTTP_HOST header: 'wilhelmina.example'", (), 400, "Bad Request"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "words", "status", "logged"), CUT)
def test_what_django_says_of_a_request_is_logged_without_its_address(
    said: str, words: tuple[str, ...], status: int, logged: str
) -> None:
    (console,) = [one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler]
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, said, words, None)
    record.request, record.status_code = HttpRequest(), status
    line = console.format(record)
    assert f"event='{logged}'" in line
    assert "ilhelmina" not in line


def ask(url: str, method: str, path: str, body: Any = b"", **headers: str) -> int:
    place = urlsplit(url).netloc
    with closing(http.client.HTTPConnection(place, timeout=120)) as asking:
        asking.request(method, path, body, headers)
        answer = asking.getresponse()
        answer.read()
        return answer.status


def visits(house: str, token: str) -> list[int]:
    """Addresses that hold a name in path, query, body and headers, and end in each way."""
    signed = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    name, entry = quote(NAME), json.dumps({"name": NAME}).encode()
    entries = "/api/v1/namespaces/shared.people/entries"
    referring = {"Referer": f"https://elsewhere.example/{name}?q={name}", "User-Agent": "x"}
    return [
        ask(house, "PUT", f"{entries}/{name}", entry, **signed),
        ask(house, "GET", f"{entries}/{name}", **signed),
        ask(house, "GET", f"{entries}/{name}?q={name}", **signed),
        ask(house, "PUT", f"{entries}/{name}%00", entry, **signed),
        ask(house, "PATCH", f"{entries}/{name}", entry, **signed),
        ask(house, "GET", f"{entries}/{name}"),
        ask(house, "GET", f"/{name}?q={name}"),
        ask(house, "GET", f"/shared/{name}"),
        ask(house, "GET", f"/search/?q={name}"),
        ask(house, "POST", f"/talk/start/?q={name}", f"content={name}", **referring),
        ask(house, "GET", "/", Host=f"{name}.example"),
        ask(house, "POST", f"/api/v1/memories?of={name}", b"{" + entry, **signed),
        ask(house, "GET", f"/accounts/confirm-email/{name}/"),
        ask(house, "GET", f"/{name}", **{"X-Long": name * 10_000}),
        ask(house, "GET", f"/api/v1/traces?namespace={name}%00", **signed),
    ]


@pytest.mark.django_db(transaction=True)
def test_no_line_of_a_served_request_holds_a_name(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As below, in this process, with a view that crashes over a message that holds the name."""
    (console,) = [one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler]
    lines = logging.StreamHandler(written := io.StringIO())
    lines.setFormatter(console.formatter)
    logging.getLogger().addHandler(lines)
    try:
        with served() as port:
            statuses = visits(f"http://127.0.0.1:{port}", token := Api(alice).token)
            monkeypatch.setattr(manager, "read", Mock(side_effect=LookupError(NAME)))
            path = f"/api/v1/namespaces/shared.people/entries/{quote(NAME)}"
            signed = {"Authorization": f"Token {token}"}
            crashed = ask(f"http://127.0.0.1:{port}", "GET", path, **signed)
    finally:
        logging.getLogger().removeHandler(lines)
    assert set(statuses) >= {200, 400, 401, 403, 404, 405}
    assert crashed == 500
    said = written.getvalue()
    assert "/api/v1/namespaces/<str:name>/entries/<path:key>" in said
    assert "milliseconds=" in said
    held = re.compile("ilhelmina|histlewick")
    assert [line[:300] for line in said.splitlines() if held.search(line)] == []


@pytest.mark.slow
def test_no_log_of_a_running_copy_holds_a_name_that_was_in_a_request(tmp_path: Path) -> None:
    with running_house(a_copy(tmp_path / "copy")) as house:
        statuses = visits(house.url, house.token("ada@example.org"))
    assert set(statuses) >= {200, 400, 401, 403, 404, 405}
    logs = [path for path in house.data_dir.rglob("*.log*") if path.is_file()]
    assert {"web.log", "worker.log", "up.log"} <= {path.name for path in logs}
    said = {path.name: path.read_text(errors="replace") for path in logs}
    assert "/api/v1/namespaces/<str:name>/entries/<path:key>" in said["web.log"]
    assert "milliseconds=" in said["web.log"]
    held = re.compile("ilhelmina|histlewick")
    assert {
        name: [line[:300] for line in text.splitlines() if held.search(line)][:3]
        for name, text in said.items()
        if held.search(text)
    } == {}
