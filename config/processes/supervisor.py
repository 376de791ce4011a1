"""The supervisor: starts web server and worker, and restarts them and the database.

Children die with this process even if it is killed (the kernel signals them). The database survives
a kill on purpose; the next start takes it over.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import IO

from config.processes import disk
from config.processes.embedded import Cluster, EmbeddedPostgresError
from config.processes.logs import ends_with, keep_short
from config.processes.patience import Patience, run_watched, say
from config.processes.running import LOCK

QUICK_DEATH_SECONDS = 15.0
MOST_QUICK_DEATHS = 5
LONGEST_PAUSE_SECONDS = 8.0
TICK_SECONDS = 0.25
# Seconds to stop each; in total below fifteen, when people reach for `kill -9`.
STOP_SECONDS = {"web": 3.5, "worker": 7.0, "demo": 0.5}
POSTGRES_STOP_SECONDS = 3
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ROOT = Path(__file__).resolve().parents[2]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LIBC = ctypes.CDLL(None, use_errno=True)


class SupervisorError(Exception):
    """Raised when the instance cannot start or continue; the message says why and what to do."""


class Stopped(BaseException):
    """Raised by a signal to stop. Like KeyboardInterrupt it passes `except Exception`."""


class Restarts:
    """Counts quick deaths of a process in a row, and delays its restarts."""

    def __init__(self) -> None:
        self.quick_deaths = 0
        self._started = 0.0
        self._not_before = 0.0

    @property
    def due(self) -> bool:
        """Return whether the delay after the last death is over."""
        return time.monotonic() >= self._not_before

    def started(self) -> None:
        """Record the time of the start."""
        self._started = time.monotonic()

    def ended(self, data_dir: Path, words: str, hopeless: str) -> None:
        """Print `words` about the death; after too many quick ones raise SupervisorError(hopeless),
        unless the disk is full, which may pass.
        """
        lived = time.monotonic() - self._started
        self.quick_deaths = self.quick_deaths + 1 if lived < QUICK_DEATH_SECONDS else 0
        if self.quick_deaths < MOST_QUICK_DEATHS:
            say(words)
        elif not disk.is_full(data_dir):
            raise SupervisorError(hopeless)
        elif self.quick_deaths == MOST_QUICK_DEATHS:
            say(disk.sentence(data_dir))
        pause = 0.25 * 2 ** min(self.quick_deaths, MOST_QUICK_DEATHS)
        self._not_before = time.monotonic() + min(pause, LONGEST_PAUSE_SECONDS)


class Child:
    """A program kept running in its own process group, with its output in one log file."""

    def __init__(
        self, name: str, command: Sequence[str], log: Path, environment: Mapping[str, str]
    ) -> None:
        """Does not start the program; `environment` is added to that of this process."""
        self.name = name
        self.command = command
        self.log = log
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None
        self._restarts = Restarts()

    @property
    def pid(self) -> int:
        """Return the process id; 0 if it is not running."""
        return self.process.pid if self.process else 0

    def start(self) -> None:
        """Start the program. Only from the main thread: the kernel ties its life to the thread."""
        keep_short(self.log)
        self._restarts.started()
        with self.log.open("ab") as output:
            os.fchmod(output.fileno(), 0o600)
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env={**os.environ, **self.environment},
                # Own process group: Ctrl-C only reaches the supervisor, which stops children in
                # order.
                start_new_session=True,
                preexec_fn=_die_with(os.getpid()),  # noqa: PLW1509 - no other thread runs
            )

    def look_after(self, *, starting: bool = False) -> None:
        """Restart the program if it died. Raises SupervisorError after too many quick deaths in a
        row, and after the first while `starting`.
        """
        if self.process is not None:
            if self.process.poll() is None:
                return
            if starting and not disk.is_full(self.log.parent):
                raise SupervisorError(
                    f"The {self.name} process ended ({_how(self.process.returncode)}) before it "
                    f"was ready.{ends_with(self.log)}"
                )
            self._note_death(self.process)
        if self._restarts.due:
            try:
                self.start()
            except OSError as error:
                # On a full disk even the log cannot be created.
                words = f"The {self.name} process cannot start: {error}"
                self._restarts.ended(self.log.parent, words, words)

    def stop(self, seconds: float) -> None:
        """Ask the program to stop, wait, then kill the rest of its process group."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
        self._end_group(self.process)
        self.process = None

    def _note_death(self, process: subprocess.Popen[bytes]) -> None:
        self._end_group(process)
        self.process = None
        self._restarts.ended(
            self.log.parent,
            f"The {self.name} process ended ({_how(process.returncode)}); starting it again.",
            f"The {self.name} process ended {MOST_QUICK_DEATHS} times in a row soon after "
            f"starting.{ends_with(self.log)}",
        )

    def _end_group(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class Errand(Child):
    """A program that runs once beside the others, which do not depend on it."""

    def look_after(self, *, starting: bool = False) -> None:
        """Start the program; once it has ended, print whether it failed."""
        if self.process is None:
            if not self.is_over:
                self.start()
        elif (code := self.process.poll()) is not None:
            self._end_group(self.process)
            self.process, self.is_over = None, True
            if code:
                say(
                    f"The {self.name} process failed ({_how(code)}); the next start will resume "
                    f"it.{ends_with(self.log)}"
                )

    is_over = False


class Supervisor:
    """Supervises the children and the database until told to stop."""

    def __init__(self, children: Sequence[Child], cluster: Cluster | None) -> None:
        self.children = list(children)
        self.cluster = cluster
        self._database = Restarts()
        self._database_failure = ""

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Context manager in which the first signal raises Stopped; later ones are ignored."""
        _adopt_orphans()
        for number in SIGNALS:
            signal.signal(number, self._on_signal)
        try:
            yield
        finally:
            _ignore_signals()

    def run(
        self, *, until: Callable[[], bool] | None = None, starting: Patience | None = None
    ) -> None:
        """Supervise everything, for ever or until `until` returns True. While `starting`, a dead
        child raises SupervisorError, and missing progress StandsStill.
        """
        while True:
            self._look_after_database()
            for child in self.children:
                child.look_after(starting=starting is not None)
            _collect_the_dead({child.pid for child in self.children})
            if until is not None and until():
                return
            if starting is not None:
                starting.wait()
            time.sleep(TICK_SECONDS)

    def stop(self) -> None:
        """Stop web server, worker and database, in this order."""
        for child in self.children:
            child.stop(STOP_SECONDS[child.name])
        if self.cluster is not None:
            self.cluster.stop(POSTGRES_STOP_SECONDS)
        _collect_the_dead(())

    def _look_after_database(self) -> None:
        if self.cluster is None or self.cluster.pid() is not None or not self._database.due:
            return
        self._database.ended(
            self.cluster.data_dir,
            "The database stopped; starting it again.",
            self._database_failure or f"The database keeps stopping.{ends_with(self.cluster.log)}",
        )
        try:
            self.cluster.start()
            self._database_failure = ""
        except EmbeddedPostgresError as error:
            self._database_failure = str(error)
        self._database.started()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        _ignore_signals()
        raise Stopped


def run_to_end(
    command: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    watched_by: Callable[[int], Patience],
) -> int:
    """Run a program with output to the terminal and errors to its log; return its exit code.

    If it fails, the end of the log is printed. Only from the main thread. Raises StandsStill.
    """
    keep_short(log)
    with log.open("ab") as complaints:
        os.fchmod(complaints.fileno(), 0o600)
        before = log.stat().st_size
        code = run_watched(
            command,
            watched_by,
            stdin=subprocess.DEVNULL,
            stdout=None,
            stderr=complaints,
            cwd=ROOT,
            env={**os.environ, **environment},
            start_new_session=True,
            preexec_fn=_die_with(os.getpid()),
        ).returncode
    if code:
        with log.open("rb") as complaints:
            complaints.seek(before)
            say(complaints.read().decode(errors="replace").strip())
    return code


@contextlib.contextmanager
def only_one(data_dir: Path, address: str) -> Iterator[None]:
    """Hold the lock of the data directory. Raises SupervisorError if another `up` holds it."""
    with (data_dir / LOCK).open("a+") as lock:
        if not _lock(lock):
            lock.seek(0)
            where = lock.read().strip()
            state = f"already running: {where}" if where else "already being started"
            raise SupervisorError(f"Throughline with the data in {data_dir} is {state}")
        lock.truncate(0)
        lock.write(f"{address} (process {os.getpid()})\n")
        lock.flush()
        yield


def _lock(lock: IO[str], *, patience: float = 0.3) -> bool:
    """Return whether the lock was acquired; other commands may hold it for a moment."""
    limit = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > limit:
                return False
            time.sleep(0.05)
        else:
            return True


def check_port_is_free(host: str, port: int, *, patience: float = 3.0) -> None:
    """Raise SupervisorError if the port stays in use for a while."""
    limit = time.monotonic() + patience
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    while True:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
                probe.listen(1)
            except OSError as error:
                if error.errno != errno.EADDRINUSE or time.monotonic() > limit:
                    raise SupervisorError(_why_no_port(error, host, port)) from None
            else:
                return
        time.sleep(0.2)


def _ignore_signals() -> None:
    # Not SIG_IGN, which programs started from here would inherit.
    for number in SIGNALS:
        signal.signal(number, lambda _number, _frame: None)


def _adopt_orphans() -> None:
    """Become the parent of orphaned descendants, such as the server that pg_ctl started."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)


def _collect_the_dead(ours: Container[int]) -> None:
    """Reap ended processes, except this process's own children, whose exit codes are needed."""
    with contextlib.suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in ours:
                return
            os.waitpid(ended.si_pid, 0)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _why_no_port(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is in use by another program. "
            f"Stop that program, or choose another port: PORT={port + 1} make run"
        )
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for root. Choose one above 1023: PORT=8000 make run"
    return f"Cannot listen on {host} port {port}: {error.strerror}."


def _die_with(parent: int) -> Callable[[], None]:
    """Return a function for a child to call between fork and exec: it then dies with `parent`."""

    def preexec() -> None:
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)

    return preexec


def _how(returncode: int) -> str:
    if returncode >= 0:
        return f"exit code {returncode}"
    with contextlib.suppress(ValueError):
        return f"signal {signal.Signals(-returncode).name}"
    return f"signal {-returncode}"
