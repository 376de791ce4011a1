"""Streams, and connections that many share: a stream is its owner's as long as they may come in,
and whatever breaks off leaves nobody's name on a connection.
"""

import asyncio
import http.client
import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection
from django.test import Client
from django.utils.timezone import now

from accounts.access import tokens
from accounts.database.isolation import acting_as
from accounts.models import ApiToken, User
from conversations.models import Message
from conversations.tools import registry
from conversations.turns import turn
from memory import manager
from privacy import exporting
from privacy.models import Export, ExportPiece
from tests.accounts.test_isolation import who
from tests.people import Talk, client_for, said, together
from tests.serving import Visitor, a_pool_of, served
from tests.walks.leaks import ROOMS, ROOT, counted, told_nothing

__all__ = ["counted"]

SSE = {"Accept": "text/event-stream"}
# Every file that streams, with what of it is opened below.
STREAMING = {
    "accounts/support/sse.py": "what the next three are made of",
    "memory/web/api/events.py": "events",
    "conversations/web/views/talk.py": "answer",
    "conversations/web/api/talk.py": "message",
    "conversations/web/openai_api/views.py": "completion",
    "privacy/web/views.py": "copy and copy by the API",
    "ledger/history/log_export.py": "history",
}


def test_every_stream_is_tried() -> None:
    streams = re.compile(r"StreamingHttpResponse\(|stream\.(?:response|waiting)\(")
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if streams.search(path.read_text())
    }
    assert found == set(STREAMING)


def streams_of(alice: User) -> dict[str, tuple[str, str]]:
    """Each stream of hers: the verb and the address."""
    talk = Talk(alice)
    talk.say("I work at Qwertzfirm")
    assert talk.conversation is not None
    waiting = turn.begin(alice, talk.conversation, "Where do I work?").answer
    with acting_as(alice):
        export = Export.objects.create(
            user=alice, parts=["profile"], state="ready", made_at=now(), size=10,
            expires_at=now() + timedelta(days=1),
        )  # fmt: skip
        ExportPiece.objects.create(user=alice, export=export, number=0, data=b"Xylophonia")
        signed = exporting.signature(export)
    return {
        "answer": ("get", f"/messages/{waiting.pk}/stream/"),
        "copy": ("get", f"/notebook/privacy/copy/file/{signed}"),
        "history": ("get", "/notebook/history/history.json"),
        "message": ("post", f"/api/v1/conversations/{talk.conversation.pk}/messages"),
        "completion": ("post", f"/v1/chat/completions?conversation={talk.conversation.pk}"),
        "events": ("get", "/api/v1/events"),
        "copy by the API": ("get", f"/api/v1/exports/{export.pk}/file?signature={signed}"),
    }


OF_THE_API = ("message", "completion", "events", "copy by the API")
ANYBODYS = ("history", "events")


def opened(client: Client, stream: tuple[str, str], headers: dict[str, str]) -> Any:
    """What is answered; what it would stream is not read here."""
    verb, path = stream
    sent: dict[str, Any] = {"content": "Hello there"} if verb == "post" else {}
    path, _, conversation = path.partition("?conversation=")
    if conversation:
        said = [{"role": "user", "content": "Hello there"}]
        sent = {"model": "throughline", "messages": said, "stream": True}
        sent["metadata"] = {"conversation": conversation}
    kind = {"content_type": "application/json"} if verb == "post" else {}
    if "file" not in path:
        headers = SSE | headers
    return getattr(client, verb)(path, sent, headers=headers, **kind)


@pytest.mark.django_db
@pytest.mark.parametrize("visitor", ["bob", "mira", "nobody"])
def test_a_stranger_staff_and_nobody_open_no_stream_of_hers(
    visitor: str, alice: User, request: pytest.FixtureRequest
) -> None:
    user = None if visitor == "nobody" else request.getfixturevalue(visitor)
    for name, stream in streams_of(alice).items():
        if user is not None and name in ANYBODYS:
            # It is their own; what it tells is read below.
            continue
        headers = {}
        if user is not None and name in OF_THE_API:
            headers = {"Authorization": f"Token {ApiToken.objects.create(user=user)[1]}"}
        answer = opened(client_for(user), stream, headers)
        assert not answer.streaming
        told_nothing("streams", answer)
        assert answer.status_code in ((302, 401, 403) if user is None else (404,)), name


def revoked(alice: User) -> str:
    token, secret = tokens.make(alice)
    tokens.revoke(alice, token.pk)
    return secret


def expired(alice: User) -> str:
    token, secret = tokens.make(alice)
    ApiToken.objects.filter(pk=token.pk).update(expiry=now() - timedelta(seconds=1))
    return secret


def limited(alice: User) -> str:
    return tokens.make(alice, scopes=["focus.lanes"])[1]


def of_one_who_is_kept_out(alice: User) -> str:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    return tokens.make(alice)[1]


@pytest.mark.django_db
@pytest.mark.parametrize("key", [revoked, expired, limited, of_one_who_is_kept_out])
def test_a_token_that_is_over_or_for_something_else_opens_none(
    key: Callable[[User], str], alice: User
) -> None:
    streams, secret = streams_of(alice), key(alice)
    for name in OF_THE_API:
        verb, path = streams[name]
        if key is limited and name == "events":
            path = f"{path}?namespaces=nothing.else"
        answer = opened(Client(), (verb, path), {"Authorization": f"Token {secret}"})
        assert not answer.streaming
        told_nothing("streams", answer)
        assert answer.status_code in (400, 401, 403), name


def password_changed(alice: User, _: Client) -> None:
    user = User.objects.get(pk=alice.pk)
    user.set_password("another long enough phrase 43")
    user.save()


def signed_out_elsewhere(alice: User, client: Client) -> None:
    Session.objects.filter(session_key=client.session.session_key).delete()


@pytest.mark.django_db
@pytest.mark.parametrize("end", [password_changed, signed_out_elsewhere])
def test_a_session_that_is_over_opens_none(
    end: Callable[[User, Client], None], alice: User
) -> None:
    client, streams = client_for(alice), streams_of(alice)
    end(alice, client)
    for name, stream in streams.items():
        answer = opened(client, stream, {})
        assert not answer.streaming
        told_nothing("streams", answer)
        assert answer.status_code in (302, 401, 403), name


class Listener(threading.Thread):
    """Follows events of the served site until they end."""

    def __init__(self, port: int, headers: dict[str, str], query: str = "") -> None:
        super().__init__(daemon=True)
        self.port, self.headers, self.query = port, headers, query
        self.text, self.ready, self.over = "", threading.Event(), threading.Event()

    def run(self) -> None:
        with suppress(OSError, http.client.HTTPException):
            with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as asking:
                self.asking = asking
                asking.request("GET", f"/api/v1/events{self.query}", headers=SSE | self.headers)
                for line in asking.getresponse():
                    self.text += line.decode()
                    if "ready" in self.text:
                        self.ready.set()
        self.over.set()

    def leave(self) -> None:
        with suppress(OSError):
            self.asking.sock.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def site(transactional_db: None) -> Iterator[int]:
    with a_pool_of(4), served() as port:
        yield port


def keep(user: User, key: str) -> None:
    with acting_as(user):
        manager.write(user.pk, "shared.people", key, {"name": key}, by=manager.By.SOFTWARE)


def allow(user: User) -> None:
    with acting_as(user):
        manager.allow(user, "shared.people", on=True)


def test_events_of_hers_reach_her_alone(site: int, alice: User, bob: User, mira: User) -> None:
    allow(alice)
    allow(bob)
    listening = {
        user: Listener(site, Visitor(site, user).token | {"Last-Event-ID": "0"})
        for user in (alice, bob, mira)
    }
    for one in listening.values():
        one.start()
        assert one.ready.wait(20)
    keep(alice, "Wilhelmina")
    keep(bob, "rex")
    until = time.monotonic() + 15
    while "Wilhelmina" not in listening[alice].text and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    assert "Wilhelmina" in listening[alice].text
    assert "rex" in listening[bob].text
    assert "rex" not in listening[alice].text + listening[mira].text
    for user in (bob, mira):
        told_nothing("streams", listening[user].text)
    for one in listening.values():
        one.leave()


def test_programs_that_wait_for_events_are_limited_and_keep_nobody_from_the_database(
    transactional_db: None, alice: User, bob: User
) -> None:
    with a_pool_of(3), served() as port:
        listening = [Listener(port, Visitor(port, alice).token) for _ in range(5)]
        for one in listening:
            one.start()
        assert all(one.ready.wait(20) for one in listening)
        # All of them have looked, and wait by now.
        time.sleep(1)
        assert Visitor(port, bob).get("/notebook/profile/").status == 200
        # So many one person may have, and nobody else is told so.
        refused = Visitor(port, alice).read("events")
        assert refused.status == 429
        assert refused.headers["content-type"] == "application/problem+json"
        assert int(refused.headers["retry-after"]) > 0
        assert "Close one of them first" in refused.json()["detail"]
        another = Listener(port, Visitor(port, bob).token)
        another.start()
        assert another.ready.wait(20)
        for one in (*listening, another):
            one.leave()


def by_token(site: int, alice: User) -> tuple[dict[str, str], Callable[[], object]]:
    token, secret = tokens.make(alice)
    return {"Authorization": f"Token {secret}"}, lambda: tokens.revoke(alice, token.pk)


def by_password(site: int, alice: User) -> tuple[dict[str, str], Callable[[], object]]:
    return Visitor(site, alice).cookie, lambda: password_changed(alice, Client())


def by_signing_out(site: int, alice: User) -> tuple[dict[str, str], Callable[[], object]]:
    cookie = Visitor(site, alice).cookie
    key = cookie["Cookie"].partition("=")[2]
    return cookie, lambda: Session.objects.filter(session_key=key).delete()


@pytest.mark.parametrize("way", [by_token, by_password, by_signing_out])
def test_an_open_stream_of_events_ends_with_what_opened_it(
    site: int, alice: User, way: Callable[..., Any]
) -> None:
    allow(alice)
    headers, end = way(site, alice)
    listener = Listener(site, headers)
    listener.start()
    assert listener.ready.wait(20)
    keep(alice, "before")
    until = time.monotonic() + 15
    while "before" not in listener.text and time.monotonic() < until:
        time.sleep(0.05)
    assert "before" in listener.text
    end()
    keep(alice, "Wilhelmina")
    assert listener.over.wait(20)
    told_nothing("streams", listener.text)


def nobody_is_named_on(connections: int) -> None:
    """Each connection of the pool, all held at the same moment."""
    connection.close()
    held = threading.Barrier(connections)

    def look() -> str:
        named = who()
        with suppress(threading.BrokenBarrierError):
            held.wait(10)
        assert Message.objects.count() == 0
        return named

    assert together(*[look] * connections) == [""] * connections


class Thrown(RuntimeError):
    """Stands for whatever may break inside somebody's block."""


def test_streams_cut_off_and_errors_thrown_leave_no_name_on_a_connection(
    transactional_db: None, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {alice.pk: "Qwertzfirm", bob.pk: "Zephyrsoft"}
    talks = {}
    for user in (alice, bob):
        talk = Talk(user)
        talk.say(f"I work at {words[user.pk]}")
        talks[user.pk] = talk.conversation
    called = registry.call

    def call(*args: Any) -> Any:
        result = called(*args)
        if chance.random() < 0.5:
            raise Thrown
        return result

    chance = random.Random(42)
    monkeypatch.setattr(registry, "call", call)

    def visit(number: int, visitor: Visitor, others: str) -> None:
        talk = talks[visitor.user.pk]
        assert talk is not None
        path = f"/api/v1/conversations/{talk.pk}/messages"
        if number % 3 == 0:
            # Leaves with the first bytes, or before any came.
            told = cut_off(visitor, path, after=number % 2)
        elif number % 3 == 1:
            told = visitor.post("tools/find_personal_variables", {}).text
        else:
            told = visitor.read("profile").text + visitor.get("/notebook/profile/").text
        own = f"{words[visitor.user.pk]} {visitor.user.email}"
        told_nothing("one pool", told, asked=own)
        assert others not in told

    with a_pool_of(3), served() as port:
        people = [(Visitor(port, user), words[other.pk]) for user, other in
                  ((alice, bob), (bob, alice))]  # fmt: skip
        with ThreadPoolExecutor(8) as threads:
            for done in [threads.submit(visit, n, *people[n % 2]) for n in range(60)]:
                done.result()
        time.sleep(0.5)
        nobody_is_named_on(3)


def cut_off(visitor: Visitor, path: str, *, after: int) -> str:
    with closing(http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=30)) as asking:
        body = json.dumps({"content": "Where do I work?"})
        sent = {**visitor.token, **SSE, "Content-Type": "application/json"}
        asking.request("POST", path, body, sent)
        if not after:
            return ""
        return asking.getresponse().read(200).decode(errors="replace")


def test_tasks_that_are_cancelled_leave_no_name_behind(
    transactional_db: None, alice: User, bob: User
) -> None:
    for user in (alice, bob):
        said(user, f"I am {user.name}")

    def visit(user: User) -> None:
        try:
            assert who() == ""
            with acting_as(user):
                time.sleep(0.02)
                assert set(Message.objects.values_list("user_id", flat=True)) == {user.pk}
                assert who() == str(user.pk)
        finally:
            connection.close()

    async def both() -> list[Any]:
        visiting = sync_to_async(visit, thread_sensitive=False)
        tasks = [asyncio.create_task(visiting((alice, bob)[n % 2])) for n in range(40)]
        await asyncio.sleep(0.05)
        for task in tasks[::3]:
            task.cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    with a_pool_of(3, seconds=20):
        came = asyncio.run(both())
        assert [one for one in came if isinstance(one, Exception)] == []
        assert None in came
        nobody_is_named_on(3)
    told_nothing("one pool", came)


def test_a_connection_that_is_killed_in_somebodys_block_is_nobodys_afterwards(
    transactional_db: None, alice: User, bob: User
) -> None:
    said(alice, "I work at Qwertzfirm")
    with a_pool_of(2):
        for _ in range(3):
            with suppress(DatabaseError), acting_as(alice), connection.cursor() as cursor:
                cursor.execute("select pg_terminate_backend(pg_backend_pid())")
            connection.close()
            with acting_as(bob):
                told_nothing("one pool", list(Message.objects.values()))
                assert who() == str(bob.pk)
            connection.close()
        nobody_is_named_on(2)
