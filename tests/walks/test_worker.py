"""A real worker, killed in the middle of its work, and the one that comes after it."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.models import LearningOutcome, Message
from conversations.turns import turn
from memory.language.reading import extract_facts
from memory.models import Mention, ProfileFact
from tests.people import let_time_pass, said

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]
Worker = subprocess.Popen[bytes]


def environment(data: Path, broker: str) -> dict[str, str]:
    """What points a process at the database of this test run, as the application's role."""
    login = connection.settings_dict
    return os.environ | {
        "DATA_DIR": str(data),
        "DATABASE_URL": f"postgres://{login['USER']}@/{login['HOST']}/{login['NAME']}",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "BEHIND_TLS": "false",
        "WORK_LEASE_SECONDS": "2",
        "LOG_LEVEL": "WARNING",
        "BROKER_URL": broker,
    }


@pytest.fixture(params=["database", "redis"])
def start_worker(request: pytest.FixtureRequest) -> Iterator[Callable[[], Worker]]:
    """Starts the worker of a site without a broker, and Celery's with one."""
    started: list[Worker] = []
    with tempfile.TemporaryDirectory(prefix="tl-worker-") as place:
        data = Path(place)
        command, broker = [sys.executable, "manage.py", "work"], ""
        if request.param == "redis":
            broker = start_redis(data, started)
            command = [sys.executable, "-m", "celery", "-A", "config.celery", "worker", "-B"]
            command += ["--pool", "threads", "--concurrency", "2", "--schedule", f"{data}/beat"]

        def start() -> Worker:
            with (data / "worker.log").open("ab") as log:
                # A session of its own: killing it cannot reach whoever runs the tests.
                started.append(
                    subprocess.Popen(
                        command,
                        cwd=ROOT,
                        env=environment(data, broker),
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                    )
                )
            return started[-1]

        yield start
        for worker in started:
            kill(worker)
        print((data / "worker.log").read_text(errors="replace")[-4000:])


def start_redis(data: Path, started: list[Worker]) -> str:
    """Start a broker; returns its address."""
    server = shutil.which("redis-server")
    if server is None:
        pytest.skip("redis-server is not installed")
    socket = data / "redis.sock"
    command = [server, "--port", "0", "--unixsocket", str(socket), "--save", ""]
    quiet = {"stdout": subprocess.DEVNULL, "start_new_session": True}
    started.append(subprocess.Popen(command, cwd=data, **quiet))
    wait_until(socket.exists, 30)
    return f"redis+socket://{socket}"


def kill(worker: Worker) -> None:
    """All its processes at once, as when the power goes."""
    with suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait(10)


def wait_until(condition: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "It never happened; see the worker's log below."
        time.sleep(0.01)


def learned(user: User) -> int:
    with acting_as(user):
        return Message.objects.filter(learned_at__isnull=False).count()


def waiting(user: User) -> int:
    with acting_as(user):
        # What waits for a conversation to rest or grow, or for the day, is none of the turn's.
        later = ("reflect", "compact", "topics", "tend")
        return Work.objects.filter(user=user).exclude(kind__in=later).count()


def test_a_worker_killed_in_the_middle_loses_nothing_and_the_next_one_does_the_rest_once(
    alice: User, start_worker: Callable[[], Worker]
) -> None:
    talk = None
    texts = [f"I speak German and I enjoy hobby{number}" for number in range(30)]
    for text in texts:
        talk = said(alice, text, talk).conversation
    let_time_pass(alice)
    assert waiting(alice) == 30

    first = start_worker()
    wait_until(lambda: learned(alice) >= 5, 60)
    kill(first)
    # What it had sent off when it died, the server may still finish.
    wait_until(lambda: waiting(alice) == 30 - learned(alice), 60)
    half_way = learned(alice)
    assert 5 <= half_way < 30
    assert waiting(alice) == 30 - half_way

    unread = turn.begin(alice, None, "Where do I work?").answer
    let_time_pass(alice)
    start_worker()
    wait_until(lambda: waiting(alice) == 0, 60)
    assert learned(alice) >= 30
    seen = work.worker_seen()
    assert seen is not None
    assert now() - seen < timedelta(seconds=10)
    with acting_as(alice):
        assert Message.objects.get(pk=unread.pk).state == "done"
        german = ProfileFact.objects.get(slot="languages")
        hobbies = ProfileFact.objects.filter(slot="interests")
        read = (fact for text in texts for fact in extract_facts(text))
        sure = [fact for fact in read if fact.trust > settings.MEMORY["promotion_trust"]]
        assert len(sure) > 45
        assert {fact.value for fact in hobbies} == {fact.value for fact in sure} - {"German"}
        assert Mention.objects.filter(fact=german).count() == 30
        assert Mention.objects.filter(fact__in=hobbies).count() == len(sure) - 30
        noted = LearningOutcome.objects.filter(fact__isnull=False)
        assert noted.count() == len(sure)
        assert noted.filter(kind="stored").count() == len(sure) - 29
