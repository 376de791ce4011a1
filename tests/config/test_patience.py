"""Waiting at any speed: what moves is waited for, and what stands still for minutes is not."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from config.processes import patience
from config.processes.patience import Patience, Signs, StandsStill, cpu_seconds, run_watched

HOURS = 3 * 3600
STILL = Signs(10.0, 100)


def waited(signs: Callable[[float], Signs], seconds: float) -> float:
    """How long one waits for what looks like `signs` after so many seconds, at most so long."""
    now = 0.0
    watch = Patience("starting", lambda: signs(now), clock=lambda: now)
    while now < seconds:
        now += 5.0
        try:
            watch.wait()
        except StandsStill:
            break
    return now


@pytest.mark.parametrize(
    "signs",
    [
        pytest.param(lambda at: Signs(at, 0), id="uses a whole processor"),
        pytest.param(lambda at: Signs(at / 20, 0), id="gets a twentieth of one"),
        pytest.param(lambda at: Signs(at // 240 * 3, 0), id="gets a turn every four minutes"),
        pytest.param(lambda at: Signs(0, int(at // 240)), id="only its log grows"),
        pytest.param(lambda at: Signs(5 - at % 240 / 60, 0), id="other processes take over"),
    ],
)
def test_what_moves_is_waited_for_however_slow(signs: Callable[[float], Signs]) -> None:
    assert waited(signs, HOURS) >= HOURS


@pytest.mark.parametrize(
    "signs",
    [
        pytest.param(lambda _: STILL, id="nothing happens"),
        pytest.param(lambda at: Signs(at / 1000, 0), id="it only polls"),
    ],
)
def test_what_stands_still_is_given_up_after_minutes(signs: Callable[[float], Signs]) -> None:
    assert 180 <= waited(signs, HOURS) <= 600


def test_the_minutes_count_from_the_last_movement() -> None:
    working = patience.STILL_SECONDS * 4
    assert waited(lambda at: Signs(min(at, working), 0), HOURS) >= working + patience.STILL_SECONDS


def test_it_tells_how_it_stands_and_gives_up_with_the_end_of_the_log(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log, now = tmp_path / "web.log", 0.0
    log.write_text("cannot open the lid\n")
    watch = Patience("starting", lambda: STILL, state=lambda: "No lid.", log=log, clock=lambda: now)
    with pytest.raises(StandsStill, match=r"Gave up starting.*No lid\.[\s\S]*cannot open the lid"):
        while True:
            now += 1.0
            watch.wait()
    lines = capfd.readouterr().out.splitlines()
    assert re.fullmatch(r"Still starting \(15 s.*\)\. No lid\.", lines[0])
    assert 5 < len(lines) < 60


def test_time_counts_of_a_process_and_of_all_that_it_started() -> None:
    spin = "sum(i * i for i in range(3_000_000))"
    code = (
        f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}]);"
        "print('done', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == b"done\n"
        assert cpu_seconds([process.pid]) > 0.05
        process.stdin.close()
    assert cpu_seconds([0, process.pid]) == 0


def test_a_program_that_stands_still_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "LOOK_SECONDS", 0.0)
    started: list[int] = []

    def watched_by(pid: int) -> Patience:
        started.append(pid)
        return Patience("sleeping", lambda: STILL, still_seconds=0.0)

    with pytest.raises(StandsStill, match="Gave up sleeping"):
        run_watched(["sleep", "600"], watched_by)
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_a_program_that_ends_says_what_it_said() -> None:
    begun = time.monotonic()
    done = run_watched(
        ["sh", "-c", "echo here; echo there >&2; exit 3"],
        lambda pid: Patience("talking", lambda: STILL, clock=lambda: begun),
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "here\n", "there\n")
