"""A throw-away site: an embedded database of its own in a temporary folder."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def site(**environment: str) -> Iterator[None]:
    """Start a database with all tables, point Django at it, and leave nothing of it behind.

    `environment` is set besides, as `OPENAI_BASE_URL`. Must be entered before anything imports the
    settings.
    """
    with prepared(**environment) as folder, database(folder):
        yield


@contextmanager
def prepared(**environment: str) -> Iterator[Path]:
    """Set Django up for a database in a temporary folder, which `database` starts."""
    folder = Path(tempfile.mkdtemp(prefix=f"throughline-benchmark-{os.getpid()}-"))
    folder.chmod(0o711)  # under root the server runs as somebody else
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(folder),
        # Empty, not absent: a .env file fills in only what is absent.
        **dict.fromkeys(("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "EMAIL_URL"), ""),
        **dict.fromkeys(("OPENAI_API_KEY", "OPENAI_BASE_URL", "SECRET_KEY"), ""),
        "BROKER_URL": "",
        "DEBUG": "false",
        **environment,
    }
    import django

    try:
        django.setup()
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(folder: Path, *, fast: bool = False) -> Iterator[None]:
    """The database of the site, with all tables; `fast` does not wait for the disk."""
    from django.core.management import call_command

    from config.processes.embedded import Cluster

    cluster = Cluster(folder, fast=fast)
    try:
        cluster.start()
        cluster.provision()
        call_command("migrate", verbosity=0)
        yield
    finally:
        cluster.stop()


def start_apart(function: str, argument: str) -> "subprocess.Popen[str]":
    """Call a function ("benchmarks.privacy.copy") with a text, on this site and in a process of its
    own; `result_of` waits for what it returns.
    """
    command = [sys.executable, "-m", "benchmarks.support.site", function, argument]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def result_of(process: "subprocess.Popen[str]") -> Any:
    """What the function returned, as JSON brings it."""
    printed, _ = process.communicate()
    assert not process.returncode, "the process failed"
    return json.loads(printed.splitlines()[-1])


def most_memory() -> float:
    """The most that this process ever held, in MB.

    Not by `getrusage`: that one begins with what the process had that started this one.
    """
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    import django
    from django.utils.module_loading import import_string

    django.setup()
    print(json.dumps(import_string(sys.argv[1])(sys.argv[2])))
