"""SQL statements that are prepared once per connection, for the queries of every turn.

Django inserts values into the text of a statement, so that PostgreSQL plans it each time, and
planning a search often takes longer than running it. Here values are sent separately. PostgreSQL
keeps the plan per connection; psycopg knows which connection has which plan.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, TypeVar

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model
from django.db.models.base import ModelState

from accounts.database.slow_log import timed_statement
from memory.core import tracing

Row = tuple[Any, ...]
# Any number enables preparing; statements sent here are prepared at their first run.
_PREPARES = 5
_NAMED = re.compile(r"%\((\w+)\)s")
AnyModel = TypeVar("AnyModel", bound=Model)


def fetch_rows(statement: str, parameters: Mapping[str, Any] | None = None) -> list[Row]:
    """Run a statement with named values and return all its rows.

    Uses Django's own connection, transaction and role. `uuid` values are returned as UUID, `bytea`
    as bytes. Raises Django's database errors.
    """
    with connection.wrap_database_errors, _cursor() as cursor:
        _execute(cursor, statement, parameters)
        return cursor.fetchall()


# Returns the rows of a sent statement, waiting for them if necessary.
Later = Callable[[], list[Row]]
SendStatement = Callable[[str, Mapping[str, Any]], Later]


def send_alone(statement: str, parameters: Mapping[str, Any]) -> Later:
    """Run a query at once: a `SendStatement` without a pipeline."""
    rows = fetch_rows(statement, parameters)
    return lambda: rows


@contextmanager
def statement_pipeline() -> Iterator[SendStatement]:
    """Yield a function that sends a statement without waiting, and returns a function for its rows.

    A failing statement fails the whole `with` block.
    """
    connection.ensure_connection()
    with ExitStack() as stack:
        stack.enter_context(connection.wrap_database_errors)
        stack.enter_context(connection.connection.pipeline())

        def send(statement: str, parameters: Mapping[str, Any]) -> Later:
            # Not closed here: rows may be fetched after the block.
            cursor = _cursor()
            _execute(cursor, statement, parameters)

            def fetch() -> list[Row]:
                # In a pipeline it is here that one waits, for this statement and those before.
                with timed_statement(statement):
                    return cursor.fetchall()

            return fetch

        yield send


def _cursor() -> psycopg.RawCursor[Row]:
    connection.ensure_connection()
    # Django disables preparing for every connection; its own cursors do not prepare anyway.
    connection.connection.prepare_threshold = _PREPARES
    return psycopg.RawCursor(connection.connection)


def _execute(
    cursor: psycopg.RawCursor[Row], statement: str, parameters: Mapping[str, Any] | None
) -> None:
    text, names = numbered(statement)
    values = [parameters[name] for name in names] if parameters else None
    with tracing.statement(statement), timed_statement(statement):
        cursor.execute(text, values, prepare=settings.DATABASE_PREPARE, binary=True)


@cache
def numbered(statement: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the statement with $1 in place of %(name)s, and the names in that order.

    Cached, because psycopg would convert a long statement for each run, which takes longer than the
    run.
    """
    names = tuple(dict.fromkeys(_NAMED.findall(statement)))
    for position, name in enumerate(names, start=1):
        statement = statement.replace(f"%({name})s", f"${position}")
    return statement.encode(), names


def array_literal(values: Iterable[object]) -> str:
    """Return a PostgreSQL array literal; psycopg would inspect a list before sending it."""
    return "{" + ",".join(map(str, values)) + "}"


def model_instance(
    model: type[AnyModel], columns: Iterable[str], values: Sequence[Any]
) -> AnyModel:
    """Return a model instance like `Model.from_db`, without its signals, which are slow.

    A field that is not among the columns is read from the database on first use.
    """
    made = model.__new__(model)
    made._state = state = ModelState()
    state.adding, state.db = False, DEFAULT_DB_ALIAS
    made.__dict__.update(zip(columns, values, strict=True))
    return made
