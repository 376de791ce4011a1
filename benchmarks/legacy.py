"""A store of many threads is brought in, killed on the way, compared and taken out again.

Starts a database of its own, makes files of both forms with the faults of real ones, and runs
`manage.py legacy` on them as an operator does. Stops at the first step that is not as promised:
the report of the analysis is that of the run, a run that was killed goes on to the same end, a
second run brings nothing, all rows fit, and after the rollback the database is as it was before.
"""

import argparse
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.support.markdown import table
from config.processes.embedded import OWNER_ROLE, PORT, Cluster, binaries
from tests.legacy import files

ROOT = Path(__file__).resolve().parents[1]
QUICK = ("--threads", "10", "--memories", "5", "--conversations", "10", "--interactions", "5")
EMAIL, OTHER_EMAIL = "store@example.org", "analysis@example.org"
# What was done, in days and lines of the history; how often messages were noted is not of a store.
NOT_COMPARED = (
    "accounts_auditevent",
    "memory_memoryoperation",
    "memory_memorychange",
    "memory_changecounter",
    "cache_entry",
)
_MAKE_USERS = (
    "from accounts.models import User;"
    f"[User.objects.create_user(email=e, password=None) for e in {(EMAIL, OTHER_EMAIL)!r}"
    " if not User.objects.filter(email=e).exists()]"
)


def add_arguments(reader: argparse.ArgumentParser) -> None:
    """Name how large the store is, and where its database lies."""
    reader.add_argument("--threads", type=int, default=500)
    reader.add_argument("--memories", type=int, default=50, help="of a thread")
    reader.add_argument("--conversations", type=int, default=500)
    reader.add_argument("--interactions", type=int, default=50, help="of a conversation")
    reader.add_argument("--data-dir", type=Path, help="kept afterwards; without it a temporary one")
    reader.add_argument(
        "--beside", action="store_true", help="analyse for another account while it is brought"
    )


def report(options: argparse.Namespace) -> Iterator[str]:
    """Run all steps, each with what it took."""
    with tempfile.TemporaryDirectory() as place:
        data_dir = (options.data_dir or Path(place) / "data").resolve()
        data_dir.mkdir(parents=True, exist_ok=True)
        run = _Run(data_dir, Path(place), options)
        run.manage("pg", "start")
        try:
            yield from run.report()
        finally:
            run.manage("pg", "stop")


class _Run:
    """One store, brought into one account."""

    def __init__(self, data_dir: Path, place: Path, options: argparse.Namespace) -> None:
        self.cluster = Cluster(data_dir)
        self.environment = {**os.environ, "DATA_DIR": str(data_dir), "DATABASE_URL": ""}
        self.place, self.options = place, options
        self.rows: list[tuple[str, str, str]] = []

    def report(self) -> Iterator[str]:
        """Return the steps as a table, and the report of the run."""
        self.manage("migrate", "--verbosity", "0")
        self.manage("shell", "-v", "0", "-c", _MAKE_USERS)
        store = self._make_store()
        total = sum(_rows_of(file) for file in store.iterdir())
        before = self._dump()
        analysing = self._start("analyse", store, OTHER_EMAIL)
        analysed = "" if self.options.beside else self._end("analyse", analysing)
        self._kill_half_way(store, total)
        brought = self._legacy("migrate, to the end", "migrate", store)
        if self.options.beside:
            analysed = self._end("analyse, at the same time", analysing)
        assert brought == analysed, "the report of the run is not that of the analysis"
        here = self._dump()
        again = self._legacy("migrate, again", "migrate", store)
        assert again == brought, "the second report differs"
        assert self._dump() == here, "the second run changed something"
        validated = self._legacy("validate", "validate", store)
        assert validated.endswith("Everything here matches the old store.\n"), validated
        self._legacy("rollback", "rollback", store)
        left = self._dump()
        yield table(("Step", "Seconds", "Processor seconds"), self.rows)
        yield f"\n{total:,} rows in {len(list(store.iterdir()))} files.\n"
        yield brought
        tables = sorted(line.partition("\t")[0] for line in set(left) ^ set(before))
        assert left == before, f"lines of the dump that differ: {tables}"

    def manage(self, *args: str) -> str:
        """Run a command of the product to its end; its output."""
        command = [sys.executable, "manage.py", *args]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, text=True, capture_output=True, check=False
        )
        assert done.returncode == 0, f"{args[:2]}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    def _make_store(self) -> Path:
        """Make the files, one cut off and one with changes beside it, and copy them."""
        options, written = self.options, self.place / "written"
        written.mkdir()
        files.many_threads(written, options.threads, options.memories)
        files.cut_off(files.thread(written, "damaged", [files.memory(n, "Hm.") for n in range(99)]))
        database = written / "memory.db"
        files.many_exchanges(database, options.conversations, options.interactions)
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("pragma journal_mode = wal")
            connection.execute(*files.exchange("late", 1, "Are there owls?", "There are."))
            connection.commit()
            assert (written / "memory.db-wal").stat().st_size
            copies = self.place / "copies"
            named = ("legacy", "backup", str(written), "--user", EMAIL, "--to", str(copies))
            self.manage(*named)
        return copies

    def _start(self, step: str, store: Path, email: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "manage.py", "legacy", step, str(store), "--user", email]
        self.began = time.monotonic()
        errors = subprocess.PIPE if step == "migrate" else subprocess.DEVNULL
        return subprocess.Popen(
            command, cwd=ROOT, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=errors,
        )  # fmt: skip

    def _end(self, name: str, process: "subprocess.Popen[str]") -> str:
        before = _processor_seconds()
        output, errors = process.communicate()
        assert process.returncode == 0, f"{name}: {output[-2000:]}{(errors or '')[-2000:]}"
        self._note(name, before)
        return output

    def _legacy(self, name: str, step: str, store: Path) -> str:
        return self._end(name, self._start(step, store, EMAIL))

    def _kill_half_way(self, store: Path, total: int) -> None:
        """Bring it, and kill the process at once when half of the rows are there."""
        before = _processor_seconds()
        process = self._start("migrate", store, EMAIL)
        assert process.stderr is not None
        for line in process.stderr:
            done = line.rpartition(", ")[2].split(" ")[0].replace(",", "")
            if done.isdigit() and int(done) >= total // 2:
                process.send_signal(signal.SIGKILL)
                break
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "it ended before it could be killed"
        self._note("migrate, killed half way", before)

    def _note(self, name: str, before: float) -> None:
        seconds = time.monotonic() - self.began
        self.rows.append((name, f"{seconds:.0f}", f"{_processor_seconds() - before:.0f}"))

    def _dump(self) -> list[str]:
        """Return all rows of the database, in the order of their text, each with its table."""
        skipped = [f"--exclude-table={name}" for name in NOT_COMPARED]
        connection = ["-h", str(self.cluster.socket_dir), "-p", str(PORT), "-U", OWNER_ROLE]
        command = [str(binaries() / "pg_dump"), *connection, "--data-only", *skipped, "throughline"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        of, rows = "", []
        for line in done.stdout.splitlines():
            of = line.split(" ")[1] if line.startswith("COPY ") else of
            if not line.startswith(("SELECT pg_catalog.setval", "\\restrict", "\\unrestrict")):
                rows.append(f"{of}\t{line}")
        return sorted(rows)


def _rows_of(file: Path) -> int:
    """Return how many rows a file holds, as far as it can be read."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            names = connection.execute("select name from sqlite_master where type = 'table'")
            counts = [f'select count(*) from "{name}"' for (name,) in names]
            return sum(int(connection.execute(count).fetchone()[0]) for count in counts)
    except sqlite3.DatabaseError:
        return 0


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
