"""Finding the running instances of this checkout, by files that `manage.py up` writes.

A file counts only while the lock of its data directory is held, and only from this user.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import environ

ROOT = Path(__file__).resolve().parents[2]
LOCK = "up.lock"
# Commands that start an instance, or do not use the database.
NEED_NO_COPY = {"", "up", "help", "version", "test", "makemigrations"}
# Commands that also work on a stopped database, so that it has to be specified.
START_ONE = {"pg", "migrate", "backup", "restore"}


class AmbiguousDatabase(Exception):
    """Raised when it is unclear which database is meant; the message says how to specify it."""


class Copy(NamedTuple):
    """A running instance; `embedded` is False if its database is on another server."""

    data_dir: Path
    address: str
    embedded: bool


def notes() -> Path:
    """Return the directory with this user's files about instances."""
    return ROOT / f".running-{os.geteuid()}"


@contextlib.contextmanager
def announced(copy: Copy) -> Iterator[None]:
    """Announce an instance in a file during the block; the caller holds its directory's lock."""
    name = hashlib.sha256(os.fsencode(copy.data_dir)).hexdigest()[:16]
    note = notes() / f"{name}.json"
    # In a read-only checkout, commands need DATA_DIR instead.
    with contextlib.suppress(OSError):
        note.parent.mkdir(mode=0o700, exist_ok=True)
        note.touch(mode=0o600)
        note.write_text(json.dumps(copy._asdict(), default=str))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink()


def copies() -> list[Copy]:
    """Return the running instances; files of others are deleted."""
    running = []
    for note in sorted(notes().glob("*.json")):
        with contextlib.suppress(OSError, ValueError, TypeError):
            if note.lstat().st_uid != os.geteuid():
                continue
            copy = Copy(**json.loads(note.read_text()))
            copy = copy._replace(data_dir=Path(copy.data_dir))
            if is_running(copy.data_dir):
                running.append(copy)
            else:
                note.unlink()
    return running


def is_running(data_dir: Path) -> bool:
    """Return whether a process holds the lock of this data directory."""
    try:
        with (data_dir / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def follow(arguments: Sequence[str]) -> None:
    """Set DATA_DIR for a command without it if exactly one instance runs, and print that."""
    command = arguments[1] if len(arguments) > 1 else ""
    if command.startswith("-") or command in NEED_NO_COPY or _is_told():
        return
    running = copies()
    default = ROOT / "data"
    if not running or running == [Copy(default, running[0].address, embedded=True)]:
        return
    elsewhere = [copy for copy in running if not copy.embedded]
    idle = command in START_ONE and (default / "postgres").exists()
    if elsewhere or len(running) > 1 or idle:
        if idle and all(copy.data_dir != default for copy in running):
            running.append(Copy(default, "does not run", embedded=True))
        raise AmbiguousDatabase(_question(running, arguments))
    os.environ["DATA_DIR"] = str(running[0].data_dir)
    print(  # noqa: T201
        f"Using the copy running at {running[0].address} (DATA_DIR={running[0].data_dir}).",
        file=sys.stderr,
    )


def _is_told() -> bool:
    if (ROOT / ".env").exists():
        environ.Env.read_env(ROOT / ".env")
    return bool(os.environ.get("DATA_DIR") or os.environ.get("DATABASE_URL"))


def _question(choices: Sequence[Copy], arguments: Sequence[str]) -> str:
    lines = ["Which database do you mean? Put it before the command:"]
    for copy in choices:
        variables = f"DATA_DIR={shlex.quote(str(copy.data_dir))}"
        if not copy.embedded:
            variables = f"DATABASE_URL=… SECRET_KEY=… {variables}"
        lines.append(f"  {variables} python3 {shlex.join(arguments)}    # {copy.address}")
    return "\n".join(lines)
