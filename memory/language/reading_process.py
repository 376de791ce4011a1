"""Reading a long text in a separate process, which is killed if it takes too long.

A backtracking pattern holds the GIL, so no thread could interrupt it and all other requests would
wait. The process starts with the first long text, imports only the readers, reads one text at a
time, and ends with its parent, because its input is closed then.
"""

import atexit
import logging
import os
import signal
import subprocess
import sys
import threading
from functools import lru_cache
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.language.reading import Reading

log = logging.getLogger(__name__)

CPU_SECONDS = 10.0
"""Seconds of processor time that one text may take: ten times what the longest takes."""

_ROOT = Path(__file__).resolve().parents[2]
# These libraries would start a thread per core, without reading a text faster.
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}


class ReadingProcess:
    """A process that reads texts for all threads of this one, in turn."""

    def __init__(self, cpu_seconds: float = CPU_SECONDS) -> None:
        self.cpu_seconds = cpu_seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    @property
    def pid(self) -> int | None:
        """The process id; None if the process has not been started."""
        return self._process.pid if self._process is not None else None

    def compute_parts(self, reading: "Reading") -> dict[str, Any] | None:
        """Return all parts of a reading by name; None if it took too long or failed.

        Waits while another text is read. A process that was killed from outside is replaced, once.
        """
        with self._lock:
            for _ in range(2):
                try:
                    return self._ask(reading)
                except (EOFError, OSError):
                    if self._end() == -signal.SIGPROF:
                        break
        return None

    def close(self) -> None:
        """End the process if it runs; the next text starts another."""
        with self._lock:
            self._end()

    def forget(self) -> None:
        """Drop the process without ending it: after a fork it belongs to the parent."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.returncode = 0  # Not a child of this process, so never wait for it.
        self._lock = threading.Lock()
        self._process = self._connection = None

    def _ask(self, reading: "Reading") -> dict[str, Any] | None:
        if self._connection is None:
            self._connection = self._start()
        self._connection.send((self.cpu_seconds, reading))
        return self._connection.recv()  # type: ignore[no-any-return]

    def _start(self) -> "Connection":
        ours, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "memory.language.reading_process"],
                cwd=_ROOT,
                env=os.environ | _ONE_THREAD,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                # Signals to the terminal's or server's process group must not reach it.
                start_new_session=True,
            )
        return ours

    def _end(self) -> int | None:
        """End the process; return its exit status: a signal as a negative number."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is None or connection is None:
            return None
        connection.close()
        try:
            return process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


@lru_cache(maxsize=1)
def shared() -> ReadingProcess:
    """Return the shared reading process; after a fork the child has a new one."""
    return ReadingProcess()


os.register_at_fork(after_in_child=lambda: shared().forget())
atexit.register(lambda: shared().close())


def main() -> None:
    """Read texts from standard input and answer with their parts, until the input ends."""
    # Output of libraries must not mix with the answers.
    connection = Connection(os.dup(0))
    os.dup2(2, 1)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Loading the models does not count for the first text.
    from memory.language.reading import Reading

    Reading("I live in Rome, and on Monday I start at Acme.").compute_parts()
    while True:
        try:
            seconds, reading = connection.recv()
        except (EOFError, OSError):
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            parts = reading.compute_parts()
        except Exception as error:  # noqa: BLE001 - a text that cannot be read costs no other
            # Without the exception's message, which may quote the text.
            log.error("a text could not be read: %s", type(error).__name__)
            parts = None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        try:
            connection.send(parts)
        except OSError:
            return


if __name__ == "__main__":
    main()
