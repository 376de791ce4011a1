"""A log line for each slow SQL statement: its text without values, its duration, its request."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.support.visit import visit_fields

log = structlog.get_logger(__name__)

_LONGEST = 2_000
# Parameters are not part of the text; literals are replaced in case the code wrote a value there.
_LITERAL = re.compile(r"'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$|\b\d+(?:\.\d+)?\b", re.DOTALL)
_REPEATED = re.compile(r"(%s|\?|\([%s?, ]+\))(?:, ?\1)+")


def watch(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Time the statements of a new connection, if the settings ask for it; idempotent."""
    if settings.SLOW_QUERY_MS and time_statement not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, time_statement)


def time_statement(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Run a statement and log it if it was slow (Django execute wrapper)."""
    began = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        log_if_slow(sql, time.perf_counter() - began)


@contextmanager
def timed_statement(sql: str) -> Iterator[None]:
    """Log a statement that runs in the block without Django's cursor, if it was slow."""
    began = time.perf_counter()
    try:
        yield
    finally:
        log_if_slow(sql, time.perf_counter() - began)


def log_if_slow(sql: str, seconds: float) -> None:
    """Log a statement that took SLOW_QUERY_MS or more; with 0, log none."""
    limit = settings.SLOW_QUERY_MS
    if limit and seconds * 1000 >= limit:
        milliseconds = round(seconds * 1000)
        # psycopg may pass a composed statement instead of a string.
        fields = {"statement": fingerprint(str(sql)), "milliseconds": milliseconds}
        log.warning("slow_statement", **fields, **visit_fields())


def fingerprint(sql: str) -> str:
    """Return a statement's text on one line, without literals and repeated placeholders."""
    bare = _LITERAL.sub("?", " ".join(sql.split()))
    return _REPEATED.sub(r"\1, …", bare)[:_LONGEST]
