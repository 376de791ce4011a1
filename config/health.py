"""Health probes, answered before other middleware: liveness, readiness, and overall health."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

import psycopg
import structlog
from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.db import Error, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import sync_and_async_middleware
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import work
from config.processes import disk
from conversations import llm

log = structlog.get_logger(__name__)

OK = "ok"
# Seconds. The pool waits eight for a connection; a probe has to answer sooner.
CONNECT_TIMEOUT = 5
NO_TABLES = "does not answer queries; run `manage.py migrate` and check its log"

Answer = Callable[[HttpRequest], HttpResponse]


@sync_and_async_middleware
def probes(get_response: Any) -> Any:
    """Middleware that answers the three probes, with any Host header."""
    answers: dict[str, Answer] = {"/livez": livez, "/readyz": readyz, "/healthz": healthz}

    async def in_loop(request: HttpRequest) -> HttpResponse:
        answer = answers.get(request.path_info)
        handler: Any = sync_to_async(answer) if answer else get_response
        response: HttpResponse = await handler(request)
        return response

    def in_thread(request: HttpRequest) -> HttpResponse:
        handler: Answer = answers.get(request.path_info, get_response)
        return handler(request)

    return in_loop if iscoroutinefunction(get_response) else in_thread


@require_safe
@never_cache
def livez(_request: HttpRequest) -> JsonResponse:
    """Return 200 if the process responds at all; otherwise it should be restarted."""
    return JsonResponse({"status": OK})


@require_safe
@never_cache
def readyz(_request: HttpRequest) -> JsonResponse:
    """Return 200 if this process reaches the database and all tables exist; ignores the worker."""
    parts = {"database": database()}
    if parts["database"] == OK:
        parts["migrations"] = migrations()
    return _as_response(parts)


@require_safe
@never_cache
def healthz(_request: HttpRequest) -> JsonResponse:
    """Return 200 if everything works, else 503; each part is `ok` or says what is wrong."""
    state = current()
    return _as_response(
        state.parts,
        oldest_waiting_seconds=state.oldest_waiting_seconds,
        language_model=state.refusals,
    )


@dataclass(frozen=True)
class Health:
    """The health of the site: each part is `ok` or says what is wrong with it."""

    parts: dict[str, str]
    oldest_waiting_seconds: int | None
    refusals: list[dict[str, Any]]

    @property
    def database_answers(self) -> bool:
        """Whether the tables could be read."""
        return self.parts["database"] == OK


def current() -> Health:
    """Return the health of the site. Raises nothing if the database is down."""
    parts = {"web": OK, "database": database(), "worker": "unknown, because the database is down"}
    oldest, refusals = None, list[dict[str, Any]]()
    if parts["database"] == OK:
        try:
            parts["worker"], oldest = worker(), oldest_waiting_seconds()
            refusals = refused_by_models()
        except Error as error:
            log.warning("health_query_failed", error=type(error).__name__)
            parts["database"] = NO_TABLES
    parts["disk"] = "the disk is full" if disk.is_full(settings.DATA_DIR) else OK
    return Health(parts, oldest, refusals)


def _as_response(parts: dict[str, str], **more: Any) -> JsonResponse:
    up = all(state == OK for state in parts.values())
    body = {"status": OK if up else "down", **parts, **more}
    return JsonResponse(body, status=200 if up else 503)


def database() -> str:
    """Return `ok`, or why the database cannot be used. Uses its own connection, not the pool."""
    parameters = connections["default"].get_connection_params()
    names = {"host", "port", "dbname", "user", "password", "sslmode"} & parameters.keys()
    login = {name: parameters[name] for name in names}
    try:
        with psycopg.connect(**login, connect_timeout=CONNECT_TIMEOUT) as server:
            (exempt,) = server.execute(
                "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
            ).fetchone() or (True,)
    except psycopg.Error as error:
        log.warning("health_no_database", error=type(error).__name__)
        return "does not answer"
    return "its role is exempt from row-level security; see docs/deploy.md" if exempt else OK


@cache
def _all_applied() -> None:
    """Raise LookupError while a migration is missing; not checked again once all are applied."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise LookupError


def migrations() -> str:
    """Return `ok`, or what to do about missing migrations."""
    try:
        _all_applied()
    except LookupError:
        return "not all applied; run `manage.py migrate`"
    except Error as error:
        log.warning("health_query_failed", error=type(error).__name__)
        return NO_TABLES
    return OK


def worker() -> str:
    """Return `ok`, or since when no worker was seen."""
    seen = work.worker_seen()
    if seen is None:
        return "has not been seen yet"
    silent = now() - seen
    if silent <= timedelta(seconds=settings.WORKER_HEARTBEAT_SECONDS):
        return OK
    return f"was last seen {int(silent.total_seconds())} seconds ago"


def oldest_waiting_seconds() -> int | None:
    """Return how many seconds the oldest waiting job has waited; None if none waits."""
    oldest = work.oldest_waiting()
    return None if oldest is None else max(0, int((now() - oldest).total_seconds()))


def refused_by_models() -> list[dict[str, Any]]:
    """Return what model servers refused recently ('' for a whole request); no user text."""
    return [
        {
            "model": refusal.model,
            "refused": refusal.parameter,
            "instead": refusal.instead,
            "status": refusal.status,
            "code": refusal.code,
            "since": refusal.since.isoformat(),
            "last": refusal.last_at.isoformat(),
        }
        for refusal in llm.current_refusals()
    ]
