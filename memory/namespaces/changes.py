"""Hearing of changes: callbacks in this process, and reading on from a number for whoever streams.

The log itself is written and numbered by the database (`memory.namespaces.tables`).
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from typing import Any
from uuid import UUID

import structlog
from django.db import connection, transaction
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.support.best_effort import best_effort
from memory.models import ChangeCounter, MemoryChange, MemoryOperation
from memory.namespaces import listening
from memory.namespaces.listening import Change
from memory.namespaces.tables import CHANNEL

log = structlog.get_logger(__name__)

# How many changes are read at a time.
PIECE = 200


# Calls something in a thread, for who waits in an event loop.
Run = Callable[[Callable[[], Any]], Awaitable[Any]]


class TooLongAgo(LookupError):
    """What follows this number is no longer in the log: whoever asks has to read all anew."""


def latest(user_id: UUID) -> int:
    """The number of the latest change, 0 for none; in the person's open block."""
    last = ChangeCounter.objects.filter(user_id=user_id).values_list("last", flat=True).first()
    return last or 0


def after(user_id: UUID, number: int, namespaces: Collection[str]) -> tuple[list[Change], int]:
    """The next changes in these namespaces, at most PIECE, and the number up to which that is all;
    in the person's open block.

    Raises TooLongAgo when the log no longer reaches back so far, or never reached so far.
    """
    # First: whatever has a number up to this is committed.
    counter = latest(user_id)
    logged = MemoryChange.objects.filter(user_id=user_id, number__lte=counter).order_by("number")
    oldest = logged.values_list("number", flat=True).first() or counter + 1
    if number + 1 < oldest or number > counter:
        raise TooLongAgo(
            f"The change log covers only {oldest} to {counter}. Read everything again."
        )
    heard = logged.filter(number__gt=number, namespace__in=[*namespaces, ""])[:PIECE]
    found = [
        Change(row.number or 0, row.namespace, row.key, row.version, row.kind, row.at)
        for row in heard
    ]
    return found, (found[-1].number or 0) if len(found) == PIECE else counter


def clear_changes(user_id: UUID) -> None:
    """Empty both logs, and log that everything was forgotten; in the person's open block."""
    MemoryOperation.objects.filter(user_id=user_id).delete()
    MemoryChange.objects.filter(user_id=user_id).delete()
    MemoryChange.objects.create(
        user_id=user_id, namespace="", key="", kind=MemoryChange.Kind.CLEARED, at=now()
    )


def forget_key(user_id: UUID, namespace: str, key: str) -> None:
    """Remove an erased key from the logs; followers hear of a removal that names no key."""
    named = {"user_id": user_id, "namespace": namespace}
    MemoryOperation.objects.filter(**named, key=key).update(key="")
    MemoryChange.objects.filter(**named, key=key).delete()
    MemoryChange.objects.create(**named, key="", kind=MemoryChange.Kind.REMOVED, at=now())


def announce(user_id: UUID, namespace: str, key: str, kind: MemoryChange.Kind) -> None:
    """Notify followers in every process of a change that is not logged, after the commit."""
    with connection.cursor() as cursor:
        told = listening.encode_change(Change(None, namespace, key, None, kind, now()), user_id)
        cursor.execute("select pg_notify(%s, %s)", [CHANNEL, told])


async def follow(
    user_id: UUID, number: int, namespaces: Collection[str], run: Run, every: float
) -> AsyncGenerator[list[Change]]:
    """Yield changes after a number as they are committed, by whatever process, without end.

    Those of the hot tier come among them without a number: who was away has missed them. Yields an
    empty list when there was no news for `every` seconds. `run` calls what asks the database in a
    thread, in which this opens the person's block; while it waits it holds neither thread nor
    connection. Raises TooLongAgo.
    """

    def read() -> tuple[list[Change], int]:
        with acting_as(user_id):
            return after(user_id, number, namespaces)

    with listening.subscribed(user_id) as subscriber:
        while True:
            passing = [change for change in subscriber.take() if change.namespace in namespaces]
            logged, number = await run(read)
            if not passing and not logged:
                await subscriber.wait(every)
                if subscriber.has_news:
                    continue
            yield passing + logged


Callback = Callable[[UUID, str, str], None]
_callbacks: dict[str, list[Callback]] = {}


def subscribe(namespace: str, callback: Callback) -> Callable[[], None]:
    """Call back with (user id, namespace, key) when an entry changed in this process.

    Called once the change is committed. Returns what ends the subscription.
    """
    _callbacks.setdefault(namespace, []).append(callback)
    return lambda: _callbacks[namespace].remove(callback)


def tell_after_commit(user_id: UUID, namespace: str, key: str) -> None:
    """Tell who subscribed in this process, once the transaction is committed."""
    if _callbacks.get(namespace):
        transaction.on_commit(lambda: _notify(user_id, namespace, key))


def _notify(user_id: UUID, namespace: str, key: str) -> None:
    """A subscriber's fault is not the writer's, and keeps nobody else from hearing."""

    def report(error: Exception) -> None:
        name = type(error).__name__
        log.error("subscriber_failed", error=name, namespace=namespace, exc_info=error)

    for callback in list(_callbacks.get(namespace, ())):
        with best_effort(report):
            callback(user_id, namespace, key)
