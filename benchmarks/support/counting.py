"""Every statement that is sent to the database, in the order of a turn, and where it came from."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

ROOT = Path(__file__).resolve().parents[2]
# Where a statement comes from is told by so many callers, the nearest last.
_CALLERS = 3


@dataclass(frozen=True)
class Statement:
    """A statement; `connection` tells by whom, and `transaction` is 0 outside of any."""

    text: str
    connection: int
    transaction: int
    callers: tuple[str, ...] = ()


@dataclass
class Record:
    """What was sent in one stretch.

    All that is a person's stands in a transaction, because it begins with telling whose it is. What
    is sent outside finds out who asks (session, person, token), or is the pool's question whether a
    connection is alive, which is empty.
    """

    sent: list[Statement] = field(default_factory=list)
    transactions: int = 0

    @property
    def statements(self) -> int:
        """How many were sent in transactions, without the two that open and close each."""
        return sum(statement.transaction > 0 for statement in self.sent)

    @property
    def signing_in(self) -> int:
        """How many found out who asks."""
        return sum(not statement.transaction and bool(statement.text) for statement in self.sent)

    @property
    def checks(self) -> int:
        """How often a connection was asked whether it is alive."""
        return sum(not statement.text for statement in self.sent)

    def listing(self) -> str:
        """All of them, a line each, with who sent them."""
        return "\n".join(
            f"{number:3} {statement.transaction or 'outside':>7}  {statement.text[:100]:100}  "
            f"{' > '.join(statement.callers)}"
            for number, statement in enumerate(self.sent, 1)
        )


@contextmanager
def recording(*, callers: bool = True) -> Iterator[Record]:
    """Record what all threads of this process send while the block runs; who sends it is told only
    where `callers` are wanted, as finding them takes longer than most statements.
    """
    record, lock = Record(), Lock()
    # The transaction that each connection is in.
    within: dict[int, int] = {}
    cursors, connections = psycopg.Cursor, psycopg.Connection
    execute, commit, rollback = cursors.execute, connections.commit, connections.rollback

    def noted(self: Any, query: Any, *args: Any, **options: Any) -> Any:
        key = id(self.connection)
        with lock:
            if not self.connection.autocommit and key not in within:
                record.transactions += 1
                within[key] = record.transactions
            text = query if isinstance(query, str) else bytes(query).decode()
            sender = _callers() if callers else ()
            record.sent.append(Statement(" ".join(text.split()), key, within.get(key, 0), sender))
        return execute(self, query, *args, **options)

    def ended(end: Any) -> Any:
        def run(self: Any) -> Any:
            if self.pgconn.transaction_status != TransactionStatus.IDLE:
                within.pop(id(self), None)
            return end(self)

        return run

    cursors.execute = noted  # type: ignore[method-assign]
    connections.commit = ended(commit)  # type: ignore[method-assign]
    connections.rollback = ended(rollback)  # type: ignore[method-assign]
    try:
        yield record
    finally:
        cursors.execute = execute  # type: ignore[method-assign]
        connections.commit = commit  # type: ignore[method-assign]
        connections.rollback = rollback  # type: ignore[method-assign]


def _callers() -> tuple[str, ...]:
    """Who sends it, as far as it is our own code."""
    ours = [
        f"{path.relative_to(ROOT)}:{frame.lineno}"
        for frame in traceback.extract_stack()
        if (path := Path(frame.filename)).is_relative_to(ROOT) and ".venv" not in path.parts
    ]
    # Every statement passes the one that counts for the traces.
    passed = ("benchmarks/", "tests/", "memory/core/tracing.py")
    sending = [place for place in ours if not place.startswith(passed)]
    return tuple(sending[-_CALLERS:])
