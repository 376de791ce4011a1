"""`python -m benchmarks.turns --out FILE.md`: what a turn without a model costs, by door and kind.

Somebody who has talked for a while says something that is noted, says several things, and asks.
Counted is all that the requests of one turn send to the database, by the API (one request) and by
the page (the form, then the stream that it opens): transactions, statements in them, and beside
them what finds out who asks and the pool's checks of its connections. The processor's time is that
of the Python process. What the worker does later is not in it.
"""

import argparse
import asyncio
import re
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks.support.site import site

NOTED = "a fact and a note"
SEVERAL = "three facts"
ASKED = "a question"
DOORS = ("API", "page")
# The first ones load the word vectors and compile the templates.
WARM_UP = 3
_CITIES = ("Seattle", "Lyon", "Turin", "Ghent", "Porto", "Graz", "Split", "Brno")
_HEADER = (
    "| door | turn | transactions | statements | signing in | checks | CPU ms |\n"
    "|---|---|---|---|---|---|---|"
)


def main() -> None:
    """Read the command line, and do it."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.turns", description=__doc__)
    reader.add_argument("--out", type=Path, help="where the table goes, beside the screen")
    reader.add_argument("--rounds", type=int, default=20, help="how many people take each turn")
    reader.add_argument("--list", action="store_true", help="list every statement of one turn")
    wanted = reader.parse_args()
    with site():
        table = _measured(wanted.rounds, listed=wanted.list)
    print(table)
    if wanted.out:
        wanted.out.write_text(f"{table}\n", encoding="utf-8")


def _measured(rounds: int, *, listed: bool) -> str:
    from django.conf import settings

    # Pages name static files by their own names here: none are collected.
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    lines = [_HEADER]
    for door in DOORS:
        said: dict[str, list[tuple[Any, float]]] = {}
        for number in range(WARM_UP + rounds):
            for kind, cost in _turns_of(number, door):
                said.setdefault(kind, []).append(cost)
        for kind, costs in said.items():
            lines.append(_line(door, kind, costs[WARM_UP:]))
            if listed:
                print(f"{door}, {kind}\n{costs[-1][0].listing()}\n")
    return "\n".join(lines)


def _turns_of(number: int, door: str) -> Iterable[tuple[str, tuple[Any, float]]]:
    """One person's turns: what each cost."""
    from accounts.models import User

    user = User.objects.create_user(
        f"person{number}@{door.lower()}.example.org", "a long phrase 42"
    )
    say = _by_api(user) if door == "API" else _by_page(user)
    say("Hello there")
    city = next(_cities)
    for kind, text in (
        (NOTED, "I work at Google, and I booked a flight to Lisbon for the 12th of May."),
        (SEVERAL, f"My name is Ada, I speak Polish and live in {city}."),
        (ASKED, "Where do I work?"),
    ):
        yield kind, _cost(say, text)


_cities = cycle(_CITIES)


def _cost(say: Callable[[str], None], text: str) -> tuple[Any, float]:
    """What was sent, and the processor's time in seconds, the noting down included."""
    from benchmarks.support.counting import recording

    before = process_time()
    with recording() as record:
        say(text)
    return record, process_time() - before


def _by_api(user: Any) -> Callable[[str], None]:
    from django.test import Client
    from knox.models import get_token_model

    client = Client()
    _, token = get_token_model().objects.create(user=user)
    signed = {"Authorization": f"Token {token}"}
    kind = "application/json"
    made = client.post("/api/v1/conversations", {}, content_type=kind, headers=signed)
    address = f"/api/v1/conversations/{made.json()['id']}/messages"

    def say(text: str) -> None:
        headers = {**signed, "Idempotency-Key": text}
        answer = client.post(address, {"content": text}, content_type=kind, headers=headers)
        assert answer.status_code == 201, answer.content

    return say


def _by_page(user: Any) -> Callable[[str], None]:
    from asgiref.sync import sync_to_async
    from django.db import connections
    from django.test import AsyncClient, Client

    from conversations.turns import turn

    client = Client()
    client.force_login(user)
    begun = turn.begin(user, None, "Good morning")
    list(turn.fill(user.pk, begun.answer.pk))
    address = f"/talk/{begun.question.conversation_id}/messages/"

    async def read(url: str) -> None:
        reader = AsyncClient()
        reader.cookies = client.cookies
        response: Any = await reader.get(url)
        sent = [piece async for piece in response.streaming_content]
        assert any(b"event: done" in piece for piece in sent)
        await sync_to_async(connections.close_all)()

    def say(text: str) -> None:
        form = {"content": text, "client_key": text}
        page = client.post(address, form, headers={"HX-Request": "true"})
        (stream,) = set(re.findall(r'"([^"]+/stream/)"', page.content.decode()))
        asyncio.run(read(stream))

    return say


def _line(door: str, kind: str, costs: list[tuple[Any, float]]) -> str:
    counted = [
        median(getattr(record, name) for record, _ in costs)
        for name in ("transactions", "statements", "signing_in", "checks")
    ]
    told = " | ".join(f"{number:g}" for number in counted)
    return f"| {door} | {kind} | {told} | {1000 * median(spent for _, spent in costs):.0f} |"


if __name__ == "__main__":
    main()
