"""`/healthz`: whether web, database and worker are up, for whoever has to know without a log-in."""

from datetime import timedelta
from typing import Any

import psycopg
import structlog
from django.conf import settings
from django.db import Error, connections
from django.http import HttpRequest, JsonResponse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import work

log = structlog.get_logger(__name__)

OK = "ok"
# Seconds. The pool would wait ten for a connection; a health check has to answer sooner.
CONNECT_TIMEOUT = 2


@require_safe
@never_cache
def healthz(_request: HttpRequest) -> JsonResponse:
    """200 when everything is up, otherwise 503; each part says `ok` or what is wrong with it."""
    parts = {"web": OK, "database": database(), "worker": "unknown: the database is away"}
    oldest = None
    if parts["database"] == OK:
        try:
            parts["worker"], oldest = worker(), oldest_waiting_seconds()
        except Error as error:
            log.warning("health_query_failed", error=type(error).__name__)
            parts["database"] = "does not answer queries; run `manage.py migrate`, see its log"
    up = all(state == OK for state in parts.values())
    body: dict[str, Any] = {"status": OK if up else "down", **parts}
    return JsonResponse({**body, "oldest_waiting_seconds": oldest}, status=200 if up else 503)


def database() -> str:
    """`ok`, or why the database cannot be used. Connects by itself: the pool may be exhausted."""
    parameters = connections["default"].get_connection_params()
    login = {
        key: parameters[key]
        for key in ("host", "port", "dbname", "user", "password", "sslmode")
        if key in parameters
    }
    try:
        with psycopg.connect(**login, connect_timeout=CONNECT_TIMEOUT) as connection:
            (exempt,) = connection.execute(
                "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
            ).fetchone() or (True,)
    except psycopg.Error as error:
        log.warning("health_no_database", error=type(error).__name__)
        return "does not answer"
    return "its role is exempt from row-level security; see docs/deploy.md" if exempt else OK


def worker() -> str:
    """`ok`, or since when no worker was seen."""
    seen = work.worker_seen()
    if seen is None:
        return "has not been seen yet"
    silent = now() - seen
    if silent <= timedelta(seconds=settings.WORKER_HEARTBEAT_SECONDS):
        return OK
    return f"was last seen {int(silent.total_seconds())} seconds ago"


def oldest_waiting_seconds() -> int | None:
    """How long the oldest waiting work has waited, in seconds; None when nothing waits."""
    oldest = work.oldest_waiting()
    return None if oldest is None else max(0, int((now() - oldest).total_seconds()))
