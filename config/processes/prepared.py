"""Checking whether `manage.py prepare` has anything to do, by its record in DATA_DIR."""

import hashlib
import json
import os
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from config.processes.embedded import NAME, Cluster

ROOT = Path(__file__).resolve().parents[2]
STAMP = "prepared.json"
# The database's oid, its applied migrations, and whether the cache table exists.
IDENTITY = """
SELECT (SELECT system_identifier FROM pg_control_system())::text,
       (SELECT oid FROM pg_database WHERE datname = current_database())::text,
       (SELECT md5(string_agg(app || ' ' || name, ',' ORDER BY id)) FROM django_migrations),
       to_regclass(%s) IS NOT NULL
"""


def remember(cluster: Cluster, *, demo: bool) -> None:
    """Record the current state as prepared."""
    (cluster.data_dir / STAMP).write_text(json.dumps(_state(cluster, demo)))


def is_done(cluster: Cluster, *, demo: bool) -> bool:
    """Return whether the state is as `prepare` recorded it, with the same `demo`."""
    if not settings.DEBUG and not (Path(settings.STATIC_ROOT) / ".collected").exists():
        return False
    try:
        before = json.loads((cluster.data_dir / STAMP).read_text())
    except (OSError, ValueError):
        return False
    return bool(before == _state(cluster, demo))


def is_demo_expected(cluster: Cluster) -> bool:
    """Return whether messages of demo users still have to be written."""
    return bool(_ask(cluster, "SELECT EXISTS (SELECT FROM accounts_work WHERE kind = 'demo')")[0])


def how_far(cluster: Cluster) -> str:
    """Return a sentence on how many migrations are done; '' if unknown."""
    row = _ask(cluster, "SELECT count(*) FROM django_migrations")
    return f"{row[0]} migrations are done." if row else ""


def _state(cluster: Cluster, demo: bool) -> list[Any]:
    """Return the state to compare, as JSON values."""
    has_demo = _ask(cluster, "SELECT EXISTS (SELECT FROM accounts_user WHERE is_demo)")
    options = [demo, settings.DEBUG, settings.DATABASE_APP_ROLE]
    database = _ask(cluster, IDENTITY, [settings.CACHES["default"].get("LOCATION", "")])
    return [options, has_demo, database, _files()]


def _ask(cluster: Cluster, sql: str, params: list[Any] | None = None) -> list[Any]:
    """Return a row; empty if a table is missing, or the server is down."""
    import psycopg

    try:
        with cluster.connect(NAME) as connection:
            return list(connection.execute(sql, params).fetchone() or ())
    except (psycopg.errors.UndefinedTable, psycopg.OperationalError):
        return []


def fingerprint(files: Iterable[str], more: Iterable[str] = ()) -> str:
    """Return a hash of the files' names, sizes and times, and of `more`."""
    lines = list(more)
    for path in sorted(files):
        status = Path(path).stat()
        lines.append(f"{path}:{status.st_size}:{status.st_mtime_ns}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _files() -> str:
    """Return a hash of all files of the project and the versions of packages."""
    packages = Path(sysconfig.get_path("purelib")).glob("*.dist-info")
    return fingerprint(_product(ROOT), sorted(path.name for path in packages))


# Directories without influence on what is prepared.
_ASIDE = {
    "__pycache__",
    "data",
    "docs",
    "tests",
    "benchmarks",
    "evaluation",
    "training",
    "templates",
}


def _product(directory: Path | str) -> Iterator[str]:
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.name in _ASIDE:
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _product(entry.path)
            elif entry.is_file():
                yield entry.path
