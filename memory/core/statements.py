"""Statements that are planned once per connection, for the few that every turn waits for.

Django puts the values into the text of a statement, so that PostgreSQL has to plan it each time,
and planning a search takes longer than many a search. Here values are sent apart from the text.
PostgreSQL keeps the plan for a connection; psycopg knows which connection has which plan.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model
from django.db.models.base import ModelState

from accounts.database.slow_log import timed_statement
from memory.core import tracing

Row = tuple[Any, ...]
# Any number allows it; those that come through here are prepared when first seen.
_PREPARES = 5
_NAMED = re.compile(r"%\((\w+)\)s")
AnyModel = TypeVar("AnyModel", bound=Model)


def fetch_rows(statement: str, parameters: Mapping[str, Any] | None = None) -> list[Row]:
    """Run a statement with a constant text and named values, and return all its rows.

    Runs where Django's own queries run: the same connection, transaction and role. Values of the
    types that psycopg knows arrive as such, `uuid` as UUID and `bytea` as bytes. Raises Django's
    database errors.
    """
    with connection.wrap_database_errors, _cursor() as cursor:
        _execute(cursor, statement, parameters)
        return cursor.fetchall()


# What a statement that was sent comes to; whoever calls it waits until it is there.
Later = Callable[[], list[Row]]
SendStatement = Callable[[str, Mapping[str, Any]], Later]


def send_alone(statement: str, parameters: Mapping[str, Any]) -> Later:
    """Run a query at once; the `SendStatement` without a pipeline."""
    rows = fetch_rows(statement, parameters)
    return lambda: rows


@contextmanager
def statement_pipeline() -> Iterator[SendStatement]:
    """Send several statements without waiting for each; their results are fetched later.

    What the block yields sends as `fetch_rows` runs, and returns how to fetch. A failing statement
    fails the whole block.
    """
    connection.ensure_connection()
    with ExitStack() as stack:
        stack.enter_context(connection.wrap_database_errors)
        stack.enter_context(connection.connection.pipeline())

        def send(statement: str, parameters: Mapping[str, Any]) -> Later:
            # Left open: what came back is fetched as well when the block is over.
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
    # Django turns preparing off for every connection; its own cursors do not prepare anyway.
    connection.connection.prepare_threshold = _PREPARES
    return psycopg.RawCursor(connection.connection)


def _execute(
    cursor: psycopg.RawCursor[Row], statement: str, parameters: Mapping[str, Any] | None
) -> None:
    text, names = numbered(statement)
    values = [parameters[name] for name in names] if parameters else None
    with tracing.statement(statement), timed_statement(statement):
        cursor.execute(text, values, prepare=True, binary=True)


@cache
def numbered(statement: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the text with $1 in place of %(name)s, and the names in that order.

    psycopg would do this again for each run of a long statement, which takes longer than the run.
    """
    names = tuple(dict.fromkeys(_NAMED.findall(statement)))
    for position, name in enumerate(names, start=1):
        statement = statement.replace(f"%({name})s", f"${position}")
    return statement.encode(), names


def array_literal(values: Iterable[object]) -> str:
    """Return an array as a literal: psycopg would inspect a list before sending it."""
    return "{" + ",".join(map(str, values)) + "}"


def model_instance(
    model: type[AnyModel], columns: Iterable[str], values: Sequence[Any]
) -> AnyModel:
    """Return what `Model.from_db` makes, without its signals.

    They take ten times as long as all the rest; a field that was not read is read when it is used.
    """
    made = model.__new__(model)
    made._state = state = ModelState()
    state.adding, state.db = False, DEFAULT_DB_ALIAS
    made.__dict__.update(zip(columns, values, strict=True))
    return made
