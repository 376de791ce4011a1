"""Two connections that meet: one holds a lock, another waits, and a test says who goes on."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection, connections


@contextmanager
def other_people(threads: int = 2) -> Iterator[Callable[..., Future[Any]]]:
    """Start things in threads with connections of their own: `start(deed)` returns its future."""

    def run(deed: Callable[[], Any]) -> Any:
        try:
            return deed()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        yield lambda deed: pool.submit(run, deed)


def until_waiting_or_done(future: Future[Any], waiting: int = 1) -> None:
    """Return when a deed is over, or when so many connections of this database wait for a lock."""
    while not future.done() and _waiting() < waiting:
        time.sleep(0.02)


def _waiting() -> int:
    with connection.cursor() as cursor:
        # Within a transaction the view shows what it showed at first.
        cursor.execute("select pg_stat_clear_snapshot()")
        cursor.execute(
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])
