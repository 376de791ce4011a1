"""Pasted walls of signs reach a running copy, and everybody else goes on."""

import json
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest

from tests.live import House
from tests.memory.test_reading_budget import prose

pytestmark = pytest.mark.slow

MOST = 20_000
# Seconds that a page may take beside its idle time: far more than noise, far less than a wall.
NOISE = 2.0
WALLS = (
    "-" * MOST,
    "I was I am " * (MOST // 11),
    " ".join(f"{'-' * 25}{number}" for number in range(650))[:MOST],
    "\n".join(f"| item {number:<20} | {number * 7:>10} |" for number in range(480))[:MOST],
    prose(MOST),
)


def ask(house: House, path: str, token: str = "", body: object = None) -> bytes:
    """What the copy answers to this person."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Token {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{house.url}{path}", data, headers)
    with urllib.request.urlopen(request, timeout=600) as response:
        return bytes(response.read())


def seconds(house: House, path: str, token: str) -> float:
    """How long that takes."""
    before = time.monotonic()
    ask(house, path, token)
    return time.monotonic() - before


def test_a_page_of_somebody_else_answers_while_long_messages_arrive(house: House) -> None:
    sender, other = house.token("nick@example.org"), house.token("ada@example.org")
    watched = (("/livez", ""), ("/api/v1/conversations", other))

    def medians(times: list[list[float]]) -> list[float]:
        return [median(column) for column in zip(*times, strict=True)]

    def once() -> list[float]:
        return [seconds(house, path, token) for path, token in watched]

    def send(wall: str) -> None:
        talk = json.loads(ask(house, "/api/v1/conversations", sender, {}))["id"]
        ask(house, f"/api/v1/conversations/{talk}/messages", sender, {"content": wall})

    idle = medians([once() for _ in range(15)])
    during = []
    with ThreadPoolExecutor(4) as people:
        sent = [people.submit(send, wall) for wall in WALLS * 2]
        while not all(one.done() for one in sent):
            during.append(once())
            time.sleep(0.1)
        assert [one.exception() for one in sent] == [None] * 2 * len(WALLS)
    for alone, meanwhile in zip(idle, medians(during), strict=True):
        assert meanwhile < 2 * alone + NOISE
