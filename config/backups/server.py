"""The database to back up or restore: login and client programs."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from psycopg.conninfo import make_conninfo

from config.processes import embedded

# No timeouts, and settings that make the text of a row the same on any server.
SESSION = """
    SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres';
    SET bytea_output = 'hex'; SET extra_float_digits = 1; SET client_min_messages = warning;
"""


# Privileges of a role that can read every row of every table.
BACKUP_ROLE = """\
  create role throughline_backup login password '…' bypassrls;
  grant pg_read_all_data to throughline_backup;"""


class BackupError(Exception):
    """Raised when a backup cannot be made or restored; the message says why, and what to do."""


@dataclass(frozen=True)
class Server:
    """A database and the role to use; `login` is an entry of Django's DATABASES."""

    login: dict[str, Any]

    def connect(self) -> "psycopg.Connection[Any]":
        """Open a connection. Raises BackupError."""
        try:
            connection = psycopg.connect(self._conninfo(), password=self.login["PASSWORD"] or None)
        except psycopg.OperationalError as error:
            raise BackupError(
                f"The role {self.login['USER']} cannot connect to the database. {error}"
            ) from error
        connection.execute(SESSION)
        connection.commit()
        return connection

    @contextlib.contextmanager
    def client(
        self,
        program: str,
        *arguments: str,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.DEVNULL,
    ) -> "Iterator[subprocess.Popen[bytes]]":
        """Context manager that runs a client program. Raises BackupError."""
        command = [program, f"--dbname={self._conninfo()}", *arguments]
        # Not as an argument: other users of the machine could read it.
        password = {"PGPASSWORD": self.login["PASSWORD"]} if self.login["PASSWORD"] else {}
        environment = os.environ | password
        with tempfile.TemporaryFile() as said:
            with subprocess.Popen(
                command, env=environment, stdin=stdin, stdout=stdout, stderr=said
            ) as process:
                refused = False
                try:
                    yield process
                    if process.stdin:
                        process.stdin.close()
                except BrokenPipeError:
                    refused = True
                except BaseException:
                    process.kill()
                    raise
            if refused or process.returncode:
                said.seek(0)
                words = said.read().decode(errors="replace").strip()[-2000:]
                raise BackupError(f"{Path(program).name} failed:\n{words}")

    def _conninfo(self) -> str:
        login = self.login
        names = {"dbname": "NAME", "user": "USER", "host": "HOST", "port": "PORT"}
        values = {key: login[name] for key, name in names.items() if login[name]}
        return make_conninfo("", **values, **login.get("OPTIONS", {}))


def for_backup() -> Server:
    """Return the database in the settings, with the role that reads every row."""
    if settings.EMBEDDED:
        return Server(_embedded().owner_environment())
    return Server(settings.DATABASE_BACKUP or settings.DATABASE_OWNER or _of_the_site())


def for_restore() -> Server:
    """Return the database in the settings, with the role that owns the tables."""
    if settings.EMBEDDED:
        return Server(_embedded().owner_environment())
    return Server(settings.DATABASE_OWNER or _of_the_site())


def dump_program(server_version: int) -> str:
    """Return a `pg_dump` for a server of this major version. Raises BackupError."""
    versions = {program: _major_version(program) for program in _programs("pg_dump")}
    for program, version in versions.items():
        if version >= server_version:
            return program
    raise BackupError(
        f"The server is PostgreSQL {server_version}, and the newest pg_dump here is version "
        f"{max(versions.values(), default=0)}, which cannot read it. Install the client programs "
        f"for PostgreSQL {server_version} (on Debian: postgresql-client-{server_version}) and put "
        "them on PATH."
    )


def psql_program() -> str:
    """Return a `psql` of any version. Raises BackupError."""
    for program in _programs("psql"):
        return program
    raise BackupError("There is no psql on PATH. Install the PostgreSQL client programs.")


def _programs(name: str) -> Iterator[str]:
    with contextlib.suppress(embedded.EmbeddedPostgresError):
        yield str(embedded.binaries() / name)
    if program := shutil.which(name):
        yield program


def _major_version(program: str) -> int:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    number = re.search(r"\) (\d+)", said.stdout)
    return int(number[1]) if number else 0


def _embedded() -> embedded.Cluster:
    cluster = embedded.Cluster(settings.DATA_DIR)
    try:
        cluster.start()
        cluster.provision()
    except embedded.EmbeddedPostgresError as error:
        raise BackupError(str(error)) from error
    return cluster


def _of_the_site() -> dict[str, Any]:
    """The login of the application, without what only its pool of connections knows."""
    login = settings.DATABASES["default"]
    options = {key: value for key, value in login["OPTIONS"].items() if key != "pool"}
    return {**login, "OPTIONS": options}
