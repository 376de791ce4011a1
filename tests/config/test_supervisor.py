"""What `manage.py up` does for its children: keeps them running, and leaves nothing behind."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.processes import supervisor
from config.processes.patience import Patience, Signs
from config.processes.supervisor import Child, Supervisor, SupervisorError

# Starts a process of its own, says its number, and will not listen.
WITH_OFFSPRING = (
    "import signal, subprocess, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "p = subprocess.Popen(['sleep', '60']); print(p.pid, flush=True); time.sleep(60)"
)


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Callable[[str], Child]]:
    made: list[Child] = []

    def make(code: str) -> Child:
        made.append(Child("web", [sys.executable, "-c", code], tmp_path / "web.log", {}))
        return made[-1]

    yield make
    for one in made:
        one.stop(0)


def wait_for(holds: Callable[[], object], seconds: float = 300) -> None:
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.02)


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except OSError:
        return False


def offspring(child: Child) -> int:
    wait_for(lambda: child.log.exists() and child.log.read_text().strip())
    return int(child.log.read_text().split()[-1])


def test_a_child_that_dies_is_started_again(child: Callable[[str], Child]) -> None:
    web = child("import time; time.sleep(60)")
    web.start()
    first = web.pid
    os.kill(first, signal.SIGKILL)
    Supervisor([web], None).run(until=lambda: web.pid not in {0, first})
    assert lives(web.pid)


def patient() -> Patience:
    return Patience("starting", lambda: Signs(0.0, 0))


@pytest.mark.parametrize("end", ["raise SystemExit('no such module')", "1 / 0", "import nothing"])
def test_a_child_that_dies_before_all_is_ready_ends_it_at_once_with_its_last_words(
    child: Callable[[str], Child], end: str
) -> None:
    web = child(end)
    starts: list[int] = []
    with pytest.raises(SupervisorError, match=r"web process ended \(exit code 1\) before") as told:
        Supervisor([web], None).run(until=lambda: starts.append(web.pid), starting=patient())
    assert len(set(starts)) <= 1
    assert re.search("no such module|ZeroDivisionError|No module named", str(told.value))


def test_a_child_that_cannot_stay_alive_ends_it_with_its_last_words(
    child: Callable[[str], Child], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "LONGEST_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(supervisor, "TICK_SECONDS", 0.01)
    web = child("raise SystemExit('no such module')")
    with pytest.raises(SupervisorError, match=r"5 times in a row[\s\S]*no such module"):
        Supervisor([web], None).run()


def test_stopping_a_child_that_will_not_listen_ends_what_it_started_too(
    child: Callable[[str], Child],
) -> None:
    web = child(WITH_OFFSPRING)
    web.start()
    leader, other = web.pid, offspring(web)
    web.stop(0.3)
    wait_for(lambda: not lives(leader) and not lives(other))


def test_children_die_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path\n"
        "from config.processes.supervisor import Child\n"
        f"c = Child('web', ['sleep', '60'], Path({str(tmp_path / 'web.log')!r}), {{}})\n"
        "c.start(); print(c.pid, flush=True); time.sleep(60)"
    )
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert lives(pid)
        parent.kill()
    wait_for(lambda: not lives(pid))
