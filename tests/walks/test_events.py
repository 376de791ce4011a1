"""Changes of memory as events: two programs hear each once and in order, over a restart."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.live import House, a_copy, running_house

SECONDS = 30


@dataclass
class Follower(threading.Thread):
    """A program that follows changes, and comes back with the last number it saw."""

    token: str
    wanted: str
    address: str = ""
    last: str = ""
    seen: list[tuple[int, str, str, str]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    passing: list[tuple[str, str, str]] = field(default_factory=list)
    ready: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        while not self.over.is_set():
            try:
                for event in self._events():
                    self._take(event)
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)

    def _events(self) -> Iterator[dict[str, str]]:
        place = urlsplit(self.address).netloc
        headers = {"Authorization": f"Token {self.token}", "Accept": "text/event-stream"}
        if self.last:
            headers["Last-Event-ID"] = self.last
        with closing(http.client.HTTPConnection(place, timeout=SECONDS)) as asking:
            asking.request("GET", f"/api/v1/events?namespaces={self.wanted}", headers=headers)
            with asking.getresponse() as answer:
                assert answer.status == 200, answer.read()
                yield from self._read(answer)

    def _read(self, answer: http.client.HTTPResponse) -> Iterator[dict[str, str]]:
        event: dict[str, str] = {}
        for raw in answer:
            name, _, value = raw.decode().rstrip("\n").partition(": ")
            if name:
                event[name] = value
            elif event:
                yield event
                event = {}

    def _take(self, event: dict[str, str]) -> None:
        self.last = event.get("id", self.last)
        if event.get("event") == "change":
            told = json.loads(event["data"])
            if told["number"] is None:
                self.passing.append((told["namespace"], told["key"], told["kind"]))
                return
            self.seen.append((told["number"], told["namespace"], told["key"], told["kind"]))
        elif "event" in event:
            self.others.append(event["event"])
            self.ready.set()

    def wait_for(self, count: int) -> None:
        until = time.monotonic() + SECONDS
        while len(self.seen) < count and time.monotonic() < until:
            time.sleep(0.05)
        assert len(self.seen) == count, self.seen


def ask(house: House, token: str, method: str, path: str, body: Any = None) -> int:
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    sent = json.dumps(body) if body is not None else ""
    with closing(http.client.HTTPConnection(urlsplit(house.url).netloc, timeout=SECONDS)) as asking:
        asking.request(method, f"/api/v1/{path}", sent, headers)
        answer = asking.getresponse()
        answer.read()
        return answer.status


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_copy(tmp_path_factory.mktemp("events"))


def followers(house: House, token: str) -> tuple[Follower, Follower]:
    """One that follows two rooms of namespaces, and one whose token opens people alone."""
    limited = house.manage("create_token", "ada@example.org", "--scope", "shared.people").strip()
    for name in ("shared.people", "focus.lanes"):
        assert ask(house, token, "PUT", f"namespaces/{name}/consent") == 200
    both = Follower(token, "shared.*,focus.*", house.url), Follower(limited, "*", house.url)
    for follower in both:
        follower.start()
        assert follower.ready.wait(SECONDS)
    return both


def test_two_programs_hear_every_change_once_and_in_order_over_a_restart(place: Path) -> None:
    people = "namespaces/shared.people/entries"
    with running_house(place) as house:
        token = house.token("ada@example.org")
        everything, few = followers(house, token)
        for number in range(10):
            assert ask(house, token, "PUT", f"{people}/p{number}", {"name": f"P{number}"}) == 200
            lane = {"name": f"L{number}"}
            at = f"namespaces/focus.lanes/entries/l{number}"
            assert ask(house, token, "PUT", at, lane) == 200
        everything.wait_for(20)
        few.wait_for(10)
        now = "namespaces/focus.fast/entries/now"
        assert ask(house, token, "PUT", now, {"turn": 3}) == 200
        assert ask(house, token, "DELETE", now) == 204
        assert ask(house, token, "PUT", f"{people}/p9", {"name": "P9", "mentioned": 1}) == 200
        everything.wait_for(21)
        few.wait_for(11)
    # Nobody serves; what follows is written before the followers are back.
    with running_house(place) as house:
        for number in range(5):
            assert ask(house, token, "DELETE", f"{people}/p{number}") == 204
        for follower in (everything, few):
            follower.ready.clear()
            follower.address = house.url
            assert follower.ready.wait(SECONDS)
        assert ask(house, token, "PUT", f"{people}/p9", {"name": "P9", "mentioned": 2}) == 200
        everything.wait_for(27)
        few.wait_for(17)
        for follower in (everything, few):
            follower.over.set()
    for follower in (everything, few):
        follower.join(SECONDS)
        numbers = [number for number, *_ in follower.seen]
        assert numbers == sorted(set(numbers))
        assert "reset" not in follower.others
    assert {name for _, name, _, _ in few.seen} == {"shared.people"}
    assert [(key, kind) for _, _, key, kind in few.seen] == (
        [(f"p{number}", "written") for number in range(10)]
        + [("p9", "written")]
        + [(f"p{number}", "removed") for number in range(5)]
        + [("p9", "written")]
    )
    assert few.passing == []
    assert everything.passing == [
        ("focus.fast", "now", "written"),
        ("focus.fast", "now", "removed"),
    ]
    assert few.seen == [event for event in everything.seen if event[1] == "shared.people"]
