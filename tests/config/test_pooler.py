"""The site behind PgBouncer in transaction mode, which gives a session to whoever is next."""

import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, connections
from pytest_django import Settings

from accounts import work
from accounts.database.connections import listen
from accounts.database.isolation import acting_as
from accounts.models import User
from config import grants
from config.management.commands.work import _Announcements
from config.processes import system_user
from conversations.models import Message
from conversations.turns import turn
from memory.models import CHANGES_CHANNEL
from tests.people import values

pytestmark = pytest.mark.django_db(transaction=True)
PROGRAM = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
PORT = "6432"
ROUNDS = 25
CONFIGURATION = """\
[databases]
* = host={server} port={port}
[pgbouncer]
listen_addr =
listen_port = {own_port}
unix_socket_dir = {place}
auth_type = trust
auth_file = {place}/users.txt
pool_mode = transaction
default_pool_size = 1
logfile = {place}/pgbouncer.log
pidfile = {place}/pgbouncer.pid
"""


@pytest.fixture
def pooler(transactional_db: None, settings: Settings) -> Iterator[None]:
    """The site's connections go through a pooler with one session at the server."""
    if PROGRAM is None:
        pytest.skip("pgbouncer is not installed")
    direct = {key: connection.settings_dict[key] for key in grants.KEYS}
    user = system_user.for_server(Path(direct["HOST"]))
    place = Path(direct["HOST"]) / "pooler"
    user.take_private(place)
    try:
        _configure(place, direct)
        with _running(PROGRAM, place, user):
            name = connection.settings_dict["NAME"]
            settings.DATABASE_LISTEN_URL = f"postgres://{direct['USER']}@/{direct['HOST']}/{name}"
            settings.DATABASE_PREPARE = False
            connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] = True
            grants.switch(connection, direct | {"HOST": str(place), "PORT": PORT})
            yield
    finally:
        connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] = False
        grants.switch(connection, direct)
        shutil.rmtree(place)


def _configure(place: Path, direct: dict[str, str]) -> None:
    (place / "users.txt").write_text(f'"{direct["USER"]}" ""\n')
    (place / "pgbouncer.ini").write_text(
        CONFIGURATION.format(
            server=direct["HOST"], port=direct["PORT"] or "5432", own_port=PORT, place=place
        )
    )
    for file in place.iterdir():
        file.chmod(0o644)


@contextmanager
def _running(program: str, place: Path, user: system_user.SystemUser) -> Iterator[None]:
    process = subprocess.Popen(
        [program, "--quiet", str(place / "pgbouncer.ini")], **user.subprocess_arguments()
    )
    try:
        while not (place / f".s.PGSQL.{PORT}").exists():
            if process.poll() is not None:
                pytest.fail((place / "pgbouncer.log").read_text())
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(10)


def session() -> int:
    """The process of the server that this statement runs in."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return int(cursor.fetchone()[0])


def say(user: User, text: str) -> Message:
    """Say something and read the answer to its end."""
    begun = turn.begin(user, None, text)
    *_, last = turn.fill(user.pk, begun.answer.pk)
    return last.answer


@pytest.mark.usefixtures("pooler")
def test_two_people_who_take_turns_in_one_session_never_see_each_others_rows(
    alice: User, bob: User
) -> None:
    for user in (alice, bob):
        say(user, f"I live in {user.pk}")
    after_each = threading.Barrier(2)

    def look(user: User) -> tuple[set[int], set[Any]]:
        sessions, owners = set(), set()
        try:
            for _ in range(ROUNDS):
                with acting_as(user):
                    sessions.add(session())
                    owners |= set(Message.objects.values_list("user_id", flat=True))
                after_each.wait(30)
                # The other one's transaction was the last in this session, or is open there.
                assert not Message.objects.exists()
            return sessions, owners
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        (sessions, of_alice), (others, of_bob) = threads.map(look, (alice, bob))
    assert sessions == others
    assert len(sessions) == 1
    assert (of_alice, of_bob) == ({alice.pk}, {bob.pk})


@pytest.mark.usefixtures("pooler")
def test_turns_search_and_recall_run_in_transactions_of_whatever_session(alice: User) -> None:
    say(alice, "My name is Alice and I work at Google")
    # What is prepared in one session is asked for again in others.
    for _ in range(3):
        answer = say(alice, "Where do I work?")
        connection.close()
    assert "Google" in answer.content
    assert values(alice, "employer") == {"Google"}


@pytest.mark.usefixtures("pooler")
def test_the_worker_hears_past_the_pooler_of_new_work(alice: User) -> None:
    announcements, stopped = _Announcements(), threading.Event()
    assert not announcements.wait(0.01, stopped)
    work.notify_worker()
    assert announcements.wait(60, stopped)
    announcements.close()


@pytest.mark.usefixtures("pooler")
def test_followers_hear_past_the_pooler_of_changes(alice: User) -> None:
    with listen(CHANGES_CHANNEL) as server:
        say(alice, "I live in Rome")
        (notice,) = server.notifies(timeout=60, stop_after=1)
    assert notice.payload == str(alice.pk)
