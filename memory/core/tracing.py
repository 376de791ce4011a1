"""Traces of all operations on memory: what, where, duration and outcome; never any content.

Named operations are opened by `traced_operation`. Every other statement on memory's tables passes
`count_statement` and is traced as a read or write of its namespace. Traces are saved at the end of
the user's transaction, or after it if it failed.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, NoReturn
from uuid import UUID

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.timezone import now
from psycopg_pool import PoolTimeout

from accounts.database.ids import new_id
from accounts.database.isolation import (
    WrongPerson,
    acting_as,
    acting_person,
    at_block_end,
    is_reading_only,
)
from accounts.support.best_effort import best_effort
from accounts.support.visit import visit_fields
from memory.models import MemoryOperation

log = structlog.get_logger(__name__)

OperationVerb = MemoryOperation.Verb
OperationOutcome = MemoryOperation.Outcome
OperationDoor = MemoryOperation.Door

# Tables with remembered data, and the namespace for which a statement on the table is counted.
TRACED_TABLES = {
    "memory_profilefact": "user.facts",
    "memory_mention": "user.facts",
    "memory_override": "user.facts",
    "memory_memory": "user.notes",
    "memory_mergedmemory": "user.notes",
    "memory_passage": "user.passages",
    "memory_memoryblock": "user.blocks",
    "memory_blockversion": "user.blocks",
    "memory_namespaceentry": "namespaces",
}
_TOUCHES = re.compile(rf"\b({'|'.join(TRACED_TABLES)})\b")
_WRITES = re.compile(r"\s*(?:insert|update|delete)\b", re.IGNORECASE)


@dataclass
class Operation:
    """A running operation; its caller may set `outcome` and `tokens_saved`."""

    user_id: UUID
    verb: MemoryOperation.Verb
    namespace: str
    key: str = ""
    outcome: MemoryOperation.Outcome = OperationOutcome.OK
    tokens_saved: int = 0
    statements: int = 0
    # A statement outside of every named operation.
    implied: bool = False
    trace_id: UUID = field(default_factory=new_id)
    door: MemoryOperation.Door = OperationDoor.COMMAND
    at: datetime = field(default_factory=now)
    milliseconds: float = 0.0


@dataclass(frozen=True)
class TraceOrigin:
    """The trace id and entry point shared by the operations of one request, turn or job."""

    trace_id: UUID
    door: MemoryOperation.Door


@dataclass
class _Default:
    """The entry point that a process uses by default."""

    door: MemoryOperation.Door = OperationDoor.COMMAND


process_default = _Default()
_origin: ContextVar[TraceOrigin | None] = ContextVar("origin_of_operations", default=None)
_open: ContextVar[Operation | None] = ContextVar("open_operation", default=None)
_unsaved: ContextVar[list[Operation] | None] = ContextVar("unsaved_operations", default=None)
# Called with each finished operation: metrics and spans.
operation_exporters: list[Callable[[Operation], None]] = []


def trace_name(trace_id: UUID) -> str:
    """Return a trace id as text: 'mem_' and 32 hexadecimal digits."""
    return f"mem_{trace_id.hex}"


@contextmanager
def tracing(door: MemoryOperation.Door, trace_id: UUID | None = None) -> Iterator[UUID]:
    """Give all operations of the `with` block one trace id; a turn uses the user message's id."""
    origin, outer = TraceOrigin(trace_id or new_id(), door), _origin.get()
    _origin.set(origin)
    try:
        yield origin.trace_id
    finally:
        # Not reset by token: a generator may be closed in another context than it was started in.
        _origin.set(outer)


@contextmanager
def traced_turn(message_id: UUID) -> Iterator[None]:
    """Trace all operations of the `with` block under a message's id."""
    outer = _origin.get()
    with tracing(outer.door if outer else process_default.door, message_id):
        yield


@contextmanager
def traced_operation(
    user_id: UUID, verb: MemoryOperation.Verb, namespace: str, key: str = ""
) -> Iterator[Operation]:
    """Trace the `with` block as one operation; an exception marks it as failed.

    A nested operation is traced separately, with its own statements.
    """
    with timed_operation(user_id, verb, namespace, key) as operation:
        outer = _open.get()
        _open.set(operation)
        try:
            yield operation
        finally:
            _open.set(outer)


@contextmanager
def timed_operation(
    user_id: UUID, verb: MemoryOperation.Verb, namespace: str, key: str = ""
) -> Iterator[Operation]:
    """Trace a generator as one operation; statements of its consumer are not counted.

    The consumer may do other things between two items, or never fetch the rest.
    """
    origin = _origin.get() or TraceOrigin(new_id(), process_default.door)
    # The acting user, also one who asks for another user's data and finds nothing.
    person = acting_person() or user_id
    operation = Operation(person, verb, namespace, key, trace_id=origin.trace_id, door=origin.door)
    begun = time.perf_counter()

    def fail(error: Exception) -> NoReturn:
        if operation.outcome == OperationOutcome.OK:
            operation.outcome = OperationOutcome.FAILED
        raise error

    try:
        with best_effort(fail):
            yield operation
    finally:
        operation.milliseconds = (time.perf_counter() - begun) * 1000
        _finish(operation)


def watch(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Install the statement counter on a new connection; idempotent."""
    if count_statement not in connection.execute_wrappers:
        # In front: code that adds a wrapper for a `with` block removes the last one at its end.
        connection.execute_wrappers.insert(0, count_statement)


def count_statement(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Count and time a statement that touches memory (a Django execute wrapper)."""
    with statement(sql):
        return execute(sql, params, many, context)


@contextmanager
def statement(sql: str) -> Iterator[None]:
    """Record one statement on memory for the open operation, or else as its own operation.

    Statements outside of any user's transaction are not recorded.
    """
    namespace = touched(sql)
    operation, person = _open.get(), acting_person()
    if namespace is None or (operation is None and person is None):
        yield
    elif operation is not None:
        operation.statements += 1
        yield
    else:
        assert person is not None
        verb = OperationVerb.WRITE if _WRITES.match(sql) else OperationVerb.READ
        with traced_operation(person, verb, namespace) as implied:
            implied.statements, implied.implied = 1, True
            yield


@lru_cache(maxsize=512)
def touched(sql: str) -> str | None:
    """Return the namespace of the first memory table in a statement; None if there is none."""
    match = _TOUCHES.search(sql)
    return TRACED_TABLES[match[1]] if match else None


def _finish(operation: Operation) -> None:
    if _is_slow(operation):
        log.warning(
            "slow_memory_operation",
            verb=operation.verb,
            namespace=operation.namespace,
            milliseconds=round(operation.milliseconds),
            trace=trace_name(operation.trace_id),
            user_id=str(operation.user_id),
            **visit_fields(),
        )
    for export in operation_exporters:
        with best_effort(lambda error: log.warning("export_failed", error=type(error).__name__)):
            export(operation)
    _save_later(operation)


def _is_slow(operation: Operation) -> bool:
    if operation.verb == OperationVerb.RECALL:
        limit = settings.SLOW_RECALL_MS
        return bool(limit and operation.milliseconds >= limit)
    return bool(operation.milliseconds > settings.MEMORY["slow_ms"])


def _save_later(operation: Operation) -> None:
    if is_reading_only():
        return
    if acting_person() != operation.user_id:
        _save_now([operation])
        return
    waiting = _unsaved.get()
    if waiting is not None:
        waiting.append(operation)
        return
    block = [operation]
    _unsaved.set(block)

    def save() -> None:
        _unsaved.set(None)
        _insert(block)

    def save_after_all() -> None:
        _unsaved.set(None)
        # Without a connection the database is down: do not wait for it again.
        if connection.connection is not None:
            _save_now(block)

    at_block_end(save, if_failed=save_after_all)


def _save_now(operations: list[Operation]) -> None:
    """Save traces of operations outside of any transaction, or in one that failed."""
    try:
        with acting_as(operations[0].user_id):
            _insert(operations)
    except (DatabaseError, InterfaceError, PoolTimeout, WrongPerson) as error:
        log.warning("trace_lost", error=type(error).__name__, operations=len(operations))


def _insert(finished: list[Operation]) -> None:
    """Insert one row per named operation; unnamed operations are merged."""
    merged: dict[tuple[Any, ...], Operation] = {}
    for operation in finished:
        key = (
            (operation.verb, operation.namespace, operation.outcome)
            if operation.implied
            else (id(operation),)
        )
        known = merged.setdefault(key, operation)
        if known is not operation:
            known.statements += operation.statements
            known.milliseconds += operation.milliseconds
    with connection.cursor() as cursor:
        operations = json.dumps([_row(merged_operation) for merged_operation in merged.values()])
        cursor.execute("select memory_save_operations(%s)", [operations])
        (saved,) = cursor.fetchone()
    if not saved:
        # For example a full disk: the operation itself succeeded.
        log.warning("trace_lost", error="refused", operations=len(finished))


def _row(operation: Operation) -> dict[str, Any]:
    return {
        "id": str(new_id()),
        "user_id": str(operation.user_id),
        "trace_id": str(operation.trace_id),
        "verb": operation.verb.value,
        "namespace": operation.namespace,
        "key": operation.key,
        "door": operation.door.value,
        "outcome": operation.outcome.value,
        "at": operation.at.isoformat(),
        "duration_ms": round(operation.milliseconds, 3),
        "statements": operation.statements,
        "tokens_saved": operation.tokens_saved,
    }
