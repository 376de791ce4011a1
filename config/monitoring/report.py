"""The state of the site, for the staff page Health and the gauges of `/metrics`."""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.utils.timezone import now

from accounts.models import WorkerSeen
from config import health
from config.monitoring.jobs import Jobs, waiting_jobs
from config.monitoring.last_backup import LastBackup, last_backup
from conversations import llm
from conversations.llm import background
from memory.retrieval.embedding_endpoint import (
    endpoint_address,
    endpoint_is_configured,
    endpoint_is_left_alone,
)

# Workers that were silent for longer are gone for good.
_SEEN_WITHIN = timedelta(days=1)
# Connections of all processes of the site; others' are counted against the limit alone.
_DATABASE = """
    select pg_database_size(current_database()), current_setting('max_connections')::int,
        count(*) filter (where mine and state = 'idle'),
        count(*) filter (where mine and state <> 'idle'),
        count(*)
    from (select usename = current_user and datname = current_database() as mine, state
          from pg_stat_activity where backend_type = 'client backend') clients
"""


@dataclass(frozen=True)
class Database:
    """Bytes of the database; connections: allowed, of the site idle and in use, of everybody."""

    size: int
    allowed: int
    idle: int
    in_use: int
    all: int


@dataclass(frozen=True)
class Disk:
    """Bytes of the disk that holds DATA_DIR."""

    free: int
    size: int


@dataclass(frozen=True)
class Server:
    """A configured model server.

    rests: whether requests pause after a failure; rests_until: until when, None if not known.
    """

    model: str
    host: str
    rests: bool = False
    rests_until: datetime | None = None


@dataclass(frozen=True)
class Site:
    """The part of the report that is read from the database."""

    jobs: Jobs
    workers: list[WorkerSeen]
    database: Database
    migrations: str
    language_model: Server | None


@dataclass(frozen=True)
class Report:
    """The state of the site. `site` is None while the database does not answer."""

    health: health.Health
    site: Site | None
    embeddings: Server | None
    disk: Disk
    backup: LastBackup | None
    version: str


def gather() -> Report:
    """Return the state of the site now. Sends requests to no server but the database."""
    state = health.current()
    usage = shutil.disk_usage(settings.DATA_DIR)
    return Report(
        state,
        _site() if state.database_answers else None,
        _embeddings(),
        Disk(usage.free, usage.total),
        last_backup(),
        settings.VERSION,
    )


def _site() -> Site:
    seen = WorkerSeen.objects.filter(at__gt=now() - _SEEN_WITHIN).order_by("-at")
    return Site(waiting_jobs(), list(seen), _database(), health.migrations(), _language_model())


def _database() -> Database:
    with connection.cursor() as cursor:
        cursor.execute(_DATABASE)
        size, allowed, idle, in_use, everybody = cursor.fetchone()
    return Database(size, allowed, idle, in_use, everybody)


def _language_model() -> Server | None:
    asked = llm.current()
    if not asked.exists:
        return None
    until = background.rests_until()
    return Server(asked.chat_model, asked.host, until is not None, until)


def _embeddings() -> Server | None:
    if not endpoint_is_configured():
        return None
    host = urlsplit(endpoint_address()).hostname or ""
    return Server(settings.EMBEDDING_MODEL, host, endpoint_is_left_alone())
