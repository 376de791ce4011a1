"""What a turn without a model costs, by the API and by the page, and by what is said.

Somebody who has talked for a while says something that is noted, says several things, and asks.
Counted is all that the requests of one turn send to the database, by the API (one request) and by
the page (the form, then the stream that it opens): transactions, statements in them, and beside
them what finds out who asks and the pool's checks of its connections. The processor's time is that
of the Python process. What the worker does later is not in it.
"""

import argparse
import asyncio
import re
from collections.abc import Callable, Iterator
from itertools import cycle
from statistics import median
from time import process_time
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.test import AsyncClient, Client
from knox.models import get_token_model

from accounts.models import User
from benchmarks.support.counting import Record, recording
from benchmarks.support.markdown import table
from benchmarks.support.talking import say

NOTED = "a fact and a note"
SEVERAL = "three facts"
ASKED = "a question"
DOORS = ("API", "page")
# The first ones load the word vectors and compile the templates.
WARM_UP = 3
QUICK = ("--rounds=1",)
_CITIES = ("Seattle", "Lyon", "Turin", "Ghent", "Porto", "Graz", "Split", "Brno")
_HEAD = ("door", "turn", "transactions", "statements", "signing in", "checks", "CPU ms")
# What was sent for one turn, and the processor's time in seconds, the noting down included.
Cost = tuple[Record, float]


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--rounds", type=int, default=20, help="how many people take each turn")
    reader.add_argument("--list", action="store_true", help="list every statement of one turn")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    # Pages name static files by their own names here: none are collected.
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    rows = []
    for door in DOORS:
        said: dict[str, list[Cost]] = {}
        for number in range(WARM_UP + namespace.rounds):
            for kind, cost in _turns_of(number, door, callers=namespace.list):
                said.setdefault(kind, []).append(cost)
        for kind, costs in said.items():
            rows.append(_row(door, kind, costs[WARM_UP:]))
            if namespace.list:
                yield f"{door}, {kind}\n{costs[-1][0].listing()}\n"
    yield table(_HEAD, rows)


def _turns_of(number: int, door: str, *, callers: bool) -> Iterator[tuple[str, Cost]]:
    """One person's turns: what each cost."""
    user = User.objects.create_user(
        f"person{number}@{door.lower()}.example.org", "a long phrase 42"
    )
    speak = _by_api(user) if door == "API" else _by_page(user)
    speak("Hello there")
    city = next(_cities)
    for kind, text in (
        (NOTED, "I work at Google, and I booked a flight to Lisbon for the 12th of May."),
        (SEVERAL, f"My name is Ada, I speak Polish and live in {city}."),
        (ASKED, "Where do I work?"),
    ):
        yield kind, _cost(speak, text, callers=callers)


_cities = cycle(_CITIES)


def _cost(speak: Callable[[str], None], text: str, *, callers: bool) -> Cost:
    before = process_time()
    with recording(callers=callers) as record:
        speak(text)
    return record, process_time() - before


def _by_api(user: User) -> Callable[[str], None]:
    client = Client()
    _, token = get_token_model().objects.create(user=user)
    signed = {"Authorization": f"Token {token}"}
    kind = "application/json"
    made = client.post("/api/v1/conversations", {}, content_type=kind, headers=signed)
    address = f"/api/v1/conversations/{made.json()['id']}/messages"

    def speak(text: str) -> None:
        headers = {**signed, "Idempotency-Key": text}
        answer = client.post(address, {"content": text}, content_type=kind, headers=headers)
        assert answer.status_code == 201, answer.content

    return speak


def _by_page(user: User) -> Callable[[str], None]:
    client = Client()
    client.force_login(user)
    begun = say(user, "Good morning")
    address = f"/talk/{begun.question.conversation_id}/messages/"

    async def read(url: str) -> None:
        reader = AsyncClient()
        reader.cookies = client.cookies
        response: Any = await reader.get(url)
        sent = [piece async for piece in response.streaming_content]
        assert any(b"event: done" in piece for piece in sent)
        await sync_to_async(connections.close_all)()

    def speak(text: str) -> None:
        form = {"content": text, "client_key": text}
        page = client.post(address, form, headers={"HX-Request": "true"})
        (stream,) = set(re.findall(r'"([^"]+/stream/)"', page.content.decode()))
        asyncio.run(read(stream))

    return speak


def _row(door: str, kind: str, costs: list[Cost]) -> tuple[str, ...]:
    counted = [
        median(getattr(record, name) for record, _ in costs)
        for name in ("transactions", "statements", "signing_in", "checks")
    ]
    spent = 1000 * median(seconds for _, seconds in costs)
    return door, kind, *(f"{number:g}" for number in counted), f"{spent:.0f}"
