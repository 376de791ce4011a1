"""Waiting on machines of any speed: as long as there is progress, without a fixed limit.

Progress is processor use of the watched processes or growth of a log; it is printed on the
terminal.
"""

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from config.processes.logs import ends_with

STILL_SECONDS = 300.0
TELL_SECONDS = 15.0
# Seconds between checks, which cost time on a slow machine.
LOOK_SECONDS = 5.0
# Processor use that counts as no progress, in seconds and as a share of the time: a waiting and
# polling process uses a little.
LEAST_CPU, BUSY_SHARE = 0.05, 0.005
TICKS = os.sysconf("SC_CLK_TCK")


class StandsStill(Exception):
    """Raised after minutes without progress; the message has the reason and the log's end."""


class Signs(NamedTuple):
    """Signs of progress: processor seconds used, and bytes of logs written."""

    cpu: float
    logged: int


def signs_of(pids: Iterable[int], logs: Iterable[Path]) -> Signs:
    """Return the signs of progress of these processes with their children, and of these logs."""
    return Signs(cpu_seconds(pids), sum(_size(log) for log in logs))


class Patience:
    """A wait that fails without progress. Call `wait` repeatedly."""

    def __init__(
        self,
        what: str,
        signs: Callable[[], Signs],
        *,
        state: Callable[[], str] = lambda: "",
        log: Path | None = None,
        still_seconds: float = STILL_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`what` completes "Still ..."; `state` returns a sentence about the state, or ''."""
        self.what, self._signs, self._state, self._log = what, signs, state, log
        self._still_seconds, self._clock = still_seconds, clock
        self._began = self._moved_at = self._told_at = self._looked_at = clock()
        self._last = signs()

    def wait(self) -> None:
        """Check for progress, and print a line now and then. Raises StandsStill."""
        now = self._clock()
        if now - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = now
        signs = self._signs()
        if self._moved(signs, now - self._moved_at):
            self._last, self._moved_at = signs, now
        still, all_in_all = now - self._moved_at, now - self._began
        if still >= self._still_seconds:
            raise StandsStill(
                f"Gave up {self.what} after {all_in_all:.0f} s: there has been no progress for "
                f"{still:.0f} s. {self._state()}".rstrip()
                + ends_with(self._log)
            )
        if now - self._told_at >= TELL_SECONDS:
            self._told_at = now
            quiet = f", no progress for {still:.0f} s" if still >= TELL_SECONDS else ""
            say(f"Still {self.what} ({all_in_all:.0f} s{quiet}). {self._state()}".rstrip())

    def _moved(self, now: Signs, seconds: float) -> bool:
        worked = now.cpu - self._last.cpu
        # Less processor time means a new process, which is progress.
        busy = worked < 0 or worked > max(LEAST_CPU, BUSY_SHARE * seconds)
        return busy or now.logged != self._last.logged


def run_watched(
    command: Sequence[str], watched_by: Callable[[int], Patience], **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, without time limit; an exception here kills it.

    `watched_by` makes the Patience from its process id. Raises StandsStill.
    """
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with subprocess.Popen(command, text=True, errors="replace", **options) as process:
        patience = watched_by(process.pid)
        try:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    said = process.communicate(timeout=1)
                    return subprocess.CompletedProcess(command, process.returncode, *said)
                patience.wait()
        except BaseException:
            process.kill()
            raise


def say(words: str) -> None:
    """Print a line; ignore a closed terminal."""
    with contextlib.suppress(OSError):
        print(words, flush=True)  # noqa: T201


def _size(log: Path) -> int:
    try:
        return log.stat().st_size
    except OSError:
        return 0


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the processor seconds of these processes and their children, including ended ones."""
    processes = dict(_processes())
    seen: set[int] = set()
    todo = set(pids) - {0}  # 0 stands for none
    while todo:
        seen |= todo
        todo = {pid for pid, (parent, _) in processes.items() if parent in todo} - seen
    return sum(processes[pid][1] for pid in seen & processes.keys()) / TICKS


def _processes() -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each process id with its parent and its clock ticks."""
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            try:
                # After the name, which may contain anything: state, parent, … and four times.
                fields = (place / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            yield int(place.name), (int(fields[1]), sum(map(int, fields[11:15])))
