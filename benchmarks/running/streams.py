"""Many answers at once, and what others notice of them.

A whole copy as `manage.py up` starts it, and the scripted model in a process of its own. Several
people open so many streams at the same moment while somebody else reads a page; then many writers
post to one conversation. Figures are seconds as the clients see them.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from benchmarks.running.copies import ROOT, Copy, free_port, wait_for
from benchmarks.support.markdown import table
from config.processes.embedded import APP_ROLE

# Patience of the clients: one that waits longer counts as dropped.
SECONDS = 120
QUICK = ("--streams=2", "--people=1", "--posts=2", "--writers=1", "--script=normal")
PAGE_EVERY = 0.25
# A look at a page: its status, and the seconds until it was there.
Page = tuple[int, float]
# Makes the people: a token for each who talks, a session for the one who reads a page.
PEOPLE = """
import json
from django.test import Client
from accounts.models import User
from knox.models import get_token_model
people = [User.objects.create_user(f"reader{n}@example.org", None) for n in range(COUNT + 1)]
window = Client()
window.force_login(people[0])
tokens = [get_token_model().objects.create(user=one)[1] for one in people]
print(json.dumps([window.cookies["sessionid"].value, *tokens]))
"""


@dataclass(frozen=True)
class Site:
    """A running copy, and who talks with it: a token each, and the session of who reads a page."""

    copy: Copy
    session: str
    tokens: list[str]

    def client(self, token: str) -> httpx2.AsyncClient:
        """A client of one person's, with as many connections as it takes."""
        return httpx2.AsyncClient(
            base_url=self.copy.url,
            headers={"Authorization": f"Token {token}"},
            timeout=SECONDS,
            limits=httpx2.Limits(max_connections=None),
            trust_env=False,
        )

    def connections(self) -> int:
        """How many the application has to its database, in all its processes."""
        counted = "select count(*) from pg_stat_activity where usename = %s"
        return int(self.copy.rows(counted, APP_ROLE)[0][0])


@dataclass
class Stream:
    """One answer as its reader saw it."""

    status: int = 0
    first: float | None = None
    whole: float | None = None
    failed: str = ""


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--streams", type=int, default=200)
    reader.add_argument("--people", type=int, default=20, help="who open the streams")
    reader.add_argument("--script", default="slow", help="of the scripted model, for the streams")
    reader.add_argument("--writers", type=int, default=50)
    reader.add_argument("--posts", type=int, default=500)
    reader.add_argument("--copy", type=Path, default=ROOT, help="the sources that are tried")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    with _scripted_model(namespace.script) as model:
        settings = {"OPENAI_BASE_URL": f"{model}/v1"}
        with Copy(None, sources=namespace.copy, environment=settings) as copy:
            site = _peopled(copy, namespace.people)
            yield table(("what", "figure"), asyncio.run(_measured(site, namespace, model)))


async def _measured(
    site: Site, namespace: argparse.Namespace, model: str
) -> list[tuple[str, object]]:
    await _warm_up(site)
    idle = await _pages_until(site, asyncio.create_task(asyncio.sleep(40 * PAGE_EVERY)))
    before = site.connections()
    most = [before]
    began = time.perf_counter()
    talking = asyncio.create_task(_all_streams(site, namespace.streams))
    watching = asyncio.create_task(_watch(site, most, talking))
    busy = await _pages_until(site, talking)
    streams, kept = await talking
    took = time.perf_counter() - began
    await watching
    async with httpx2.AsyncClient(trust_env=False) as client:
        await client.put(f"{model}/script", content="normal")
    began = time.perf_counter()
    writing = asyncio.create_task(_posts(site, namespace.writers, namespace.posts))
    while_written = await _pages_until(site, writing)
    statuses, numbers = await writing
    return [
        ("streams at once, by so many people", f"{namespace.streams}, {namespace.people}"),
        ("answered to their end", sum(stream.whole is not None for stream in streams)),
        ("statuses", _counted(stream.status for stream in streams)),
        ("failed on the way", _counted(stream.failed for stream in streams if stream.failed)),
        ("answers kept, whole", kept),
        ("first word, p50 and p95, s", _both([s.first for s in streams if s.first is not None])),
        ("whole answer, p50 and p95, s", _both([s.whole for s in streams if s.whole is not None])),
        ("all of them, s", f"{took:.1f}"),
        ("another's page idle, p50 and p95, s", _seconds(idle)),
        ("another's page meanwhile, p50 and p95, s", _seconds(busy)),
        ("as multiples of idle", _multiples(busy, idle)),
        ("database connections before and at most", f"{before}, {max(most)}"),
        (
            "posts to one conversation, by so many writers",
            f"{namespace.posts}, {namespace.writers}",
        ),
        ("statuses of the posts", _counted(statuses)),
        ("numbers without a gap", numbers == list(range(1, len(numbers) + 1))),
        ("messages in it", len(numbers)),
        ("all posts, s", f"{time.perf_counter() - began:.1f}"),
        ("another's page meanwhile, p50 and p95, s", _seconds(while_written)),
        ("as multiples of idle", _multiples(while_written, idle)),
    ]


# --- What the clients do -------------------------------------------------------------------------


async def _warm_up(site: Site) -> None:
    """A whole turn, so that nothing is loaded for the first time while it is timed."""
    async with site.client(site.tokens[1]) as client:
        await _stream(client, "I work at a mill and live in Ghent")
    await _pages_until(site, asyncio.create_task(asyncio.sleep(1)))


async def _all_streams(site: Site, count: int) -> tuple[list[Stream], int]:
    """All at the same moment, people in turn; and how many whole answers stand afterwards."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(site.client(token)) for token in site.tokens[1:]]
        mine = [clients[n % len(clients)] for n in range(count)]
        talks = [await _new_talk(client) for client in mine]
        said = [f"Number {n}: I like to walk in the hills of Ardenne {n}." for n in range(count)]
        streams = await asyncio.gather(*map(_stream, mine, said, talks))
        kept = [await _replies(client, talk) for client, talk in zip(mine, talks, strict=True)]
    whole = [reply for replies in kept for reply in replies if reply["state"] == "done"]
    return list(streams), sum(bool(reply["content"]) for reply in whole)


async def _stream(client: httpx2.AsyncClient, text: str, talk: str = "") -> Stream:
    """Say something and read the answer as it comes."""
    seen, talk = Stream(), talk or await _new_talk(client)
    began = time.perf_counter()
    path, headers = f"/api/v1/conversations/{talk}/messages", {"Accept": "text/event-stream"}
    try:
        async with client.stream("POST", path, json={"content": text}, headers=headers) as answer:
            seen.status = answer.status_code
            async for line in answer.aiter_lines():
                at = time.perf_counter() - began
                if line == "event: delta" and seen.first is None:
                    seen.first = at
                elif line == "event: done":
                    seen.whole = at
                elif line == "event: error":
                    seen.failed = "error event"
    except httpx2.HTTPError as error:
        seen.failed = type(error).__name__
    return seen


async def _new_talk(client: httpx2.AsyncClient) -> str:
    return str((await client.post("/api/v1/conversations", json={})).json()["id"])


async def _replies(client: httpx2.AsyncClient, talk: str) -> list[dict[str, Any]]:
    listed = (await client.get(f"/api/v1/conversations/{talk}/messages")).json()
    return [message for message in listed["results"] if message["role"] == "assistant"]


async def _pages_until(site: Site, done: "asyncio.Task[Any]") -> list[Page]:
    """What another person waits for a page, again and again until something is done."""
    times: list[Page] = []
    cookies = {"sessionid": site.session}
    async with httpx2.AsyncClient(
        base_url=site.copy.url, cookies=cookies, timeout=SECONDS, trust_env=False
    ) as window:
        while not done.done():
            began = time.perf_counter()
            page = await window.get("/notebook/profile/")
            times.append((page.status_code, time.perf_counter() - began))
            await asyncio.sleep(PAGE_EVERY)
    return times


async def _posts(site: Site, writers: int, posts: int) -> tuple[list[int], list[int]]:
    """So many writers post to one conversation; the statuses, and the numbers it has then."""
    async with site.client(site.tokens[1]) as client:
        talk = await _new_talk(client)
        path = f"/api/v1/conversations/{talk}/messages"
        waiting = iter(range(posts))
        statuses: list[int] = []

        async def write() -> None:
            for number in waiting:
                answer = await client.post(path, json={"content": f"This is post {number}."})
                statuses.append(answer.status_code)

        await asyncio.gather(*[write() for _ in range(writers)])
        listed: list[dict[str, Any]] = []
        following = f"{path}?limit=1000"
        while following:
            page = (await client.get(following)).json()
            listed, following = listed + page["results"], page["next"] or ""
    return statuses, [message["number"] for message in listed]


async def _watch(site: Site, most: list[int], until: "asyncio.Task[Any]") -> None:
    while not until.done():
        most.append(await asyncio.to_thread(site.connections))
        await asyncio.sleep(0.2)


# --- What is started for it ----------------------------------------------------------------------


@contextmanager
def _scripted_model(script: str) -> Iterator[str]:
    """The address of a model in a process of its own."""
    port = free_port()
    command = [sys.executable, "-m", "tests.fakes.model_server", "--port", str(port)]
    running = subprocess.Popen([*command, "--script", script], cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        wait_for(lambda: _listens(port), "the scripted model", 30)
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait()


def _listens(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


def _peopled(copy: Copy, count: int) -> Site:
    code = PEOPLE.replace("COUNT", str(count))
    printed = copy.manage("shell", "--no-imports", "-v", "0", "-c", code)
    session, *tokens = json.loads(printed.splitlines()[-1])
    return Site(copy, session, tokens)


# --- Figures -------------------------------------------------------------------------------------


def _seconds(pages: list[Page]) -> str:
    refused = [status for status, _ in pages if status != 200]
    return _both([seconds for _, seconds in pages]) + (f" ({_counted(refused)})" if refused else "")


def _both(times: list[float]) -> str:
    if not times:
        return "none"
    middle, late = np.percentile(times, [50, 95])
    return f"{middle:.3f}, {late:.3f}"


def _multiples(busy: list[Page], idle: list[Page]) -> str:
    late, calm = ([seconds for _, seconds in pages] for pages in (busy, idle))
    ratios = np.percentile(late, [50, 95]) / np.percentile(calm, [50, 95])
    return f"{ratios[0]:.1f}, {ratios[1]:.1f}"


def _counted(things: Any) -> str:
    return ", ".join(f"{count} × {what}" for what, count in Counter(things).items()) or "none"
