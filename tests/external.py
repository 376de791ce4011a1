"""A PostgreSQL server beside the site: over TCP, by roles with passwords, set up as in the docs."""

import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.running.copies import free_port
from config.processes import system_user
from config.processes.embedded import binaries

ROOT = Path(__file__).resolve().parents[1]
OWNER, SITE, BACKUP = "throughline_owner", "throughline", "throughline_backup"
PASSWORD = "a pass/word@of ours"


class ExternalServer:
    """From `with` to the end of the block; the directory is short, for its socket."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.port = free_port()

    def __enter__(self) -> "ExternalServer":
        self._user = system_user.for_server(self.directory)
        self._user.take_private(self.directory)
        place = f"--pgdata={self.directory}/data"
        self._run("initdb", place, "--username=postgres", "--auth-local=trust", "--no-sync",
                  "--auth-host=scram-sha-256", "--encoding=UTF8", "--locale=C")  # fmt: skip
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off"
        options += f" -c unix_socket_directories={self.directory}"
        log = f"--log={self.directory}/log"
        self._run("pg_ctl", "start", place, log, "--wait", "-t", "600", "-o", options)
        self._roles, self._in_each = documented_sql()
        with self.connect("postgres") as connection:
            for statement in self._roles:
                if not statement.startswith("create database"):
                    connection.execute(statement)
        return self

    def __exit__(self, *_: object) -> None:
        self._run("pg_ctl", "stop", f"--pgdata={self.directory}/data", "-m", "immediate")

    def connect(self, name: str, role: str = "postgres") -> "psycopg.Connection[Any]":
        """A connection as any role, in which each statement stands by itself."""
        return psycopg.connect(
            host=str(self.directory), port=self.port, dbname=name, user=role, autocommit=True
        )

    def make_database(self, name: str) -> None:
        """An empty database for the site, as the docs say."""
        (create,) = [line for line in self._roles if line.startswith("create database")]
        with self.connect("postgres") as connection:
            connection.execute(f"drop database if exists {name}")
            connection.execute(create.replace("database throughline", f"database {name}"))
        with self.connect(name) as connection:
            for statement in self._in_each:
                connection.execute(statement)

    def environment(self, name: str) -> dict[str, str]:
        """The three addresses of a database, as deploy.md names them."""
        variables = {"": SITE, "OWNER_": OWNER, "BACKUP_": BACKUP}
        return {f"DATABASE_{key}URL": self.url(role, name) for key, role in variables.items()}

    def url(self, role: str, name: str) -> str:
        password = PASSWORD.replace("/", "%2F").replace("@", "%40").replace(" ", "%20")
        return f"postgres://{role}:{password}@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(binaries() / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            env=os.environ | {"LC_ALL": "C"},
            **self._user.subprocess_arguments(),
        )


def documented_sql() -> tuple[list[str], list[str]]:
    """The statements of docs/deploy.md: once a server, and once a database."""
    text = (ROOT / "docs" / "deploy.md").read_text()
    blocks = re.findall(r"^```sql\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    roles, in_each = (block.replace("…", PASSWORD).splitlines() for block in blocks)
    return roles, in_each


def manage(*words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of the site in a process of its own."""
    return subprocess.run(
        command(*words), **how(environment), capture_output=True, text=True, check=False
    )


def command(*words: object) -> list[str]:
    return [sys.executable, "manage.py", *map(str, words)]


def how(environment: dict[str, str]) -> dict[str, Any]:
    """The directory and the environment of a command of the site."""
    key = {"SECRET_KEY": secrets.token_urlsafe(50)}
    return {"cwd": ROOT, "env": os.environ | key | environment}
