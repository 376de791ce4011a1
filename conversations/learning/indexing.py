"""Indexing messages for retrieval, and indexing later those that failed."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support.best_effort import best_effort
from conversations.messages import READ_COLUMNS, annotate_message
from conversations.models import Message, MessageQuerySet
from conversations.search import message_recall
from memory.core.persistence_gate import (
    Allowances,
    KeepingPlace,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.core.switch import memory_off_periods
from memory.models import Passage
from memory.retrieval.passage_index import (
    INDEX_BATCH,
    index_message,
    index_messages,
    index_read_messages,
)

log = structlog.get_logger(__name__)
KIND = "index"


def is_findable(message: Message, *, memory_on: bool | None = None) -> bool:
    """Return whether the persistence gate allows a message in the retrieval index.

    `memory_on`: the memory setting when the message was sent; None for the current one. Messages of
    private conversations are indexed, but found only there (`quotable_elsewhere`).
    """
    on = message.user.memory_on if memory_on is None else memory_on
    return (
        decide_persistence(PersistenceRequest(RecordKind.PASSAGE), Allowances(memory_on=on)).place
        != KeepingPlace.NOWHERE
    )


def index(message: Message) -> None:
    """Index the message if allowed, in the user's transaction (`acting_as`); an error breaks that
    transaction.
    """
    if not is_findable(message):
        return
    index_message(message_recall.as_said_message(message), message.reading)


def make_findable(message: Message) -> None:
    """Index a message in a savepoint; on an error queue it for indexing later. If the queueing
    fails too, the error is raised.
    """

    def put_off(error: Exception) -> None:
        kind = type(error).__name__
        log.error("not_indexed", message=str(message.pk), error=kind, exc_info=error)
        work.enqueue(message.user, KIND, message.pk, delay=2.0)

    with best_effort(put_off), transaction.atomic():
        index(message)


def index_late(claim: work.Claim) -> None:
    """Worker entry point: index a message that could not be indexed when it was sent."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return
        rows = Message.objects.for_user(claim.user_id).select_related("user")
        message = rows.filter(pk=claim.subject).first()
        if message is not None:
            index(message)
        work.finish(claim)


def index_missing(user: User) -> int:
    """Index all of the user's messages that should be indexed and are not; return how many.

    Messages sent while memory was off stay unindexed. Opens a transaction per batch: call it
    outside of any.
    """
    with acting_as(user):
        off = memory_off_periods(user)
        rows = _missing(user.pk).only("pk", "said_at", "learned_at")
        keys = [
            message.pk
            for message in rows
            if is_findable(
                message, memory_on=not _lies_in(off, message.said_at, message.learned_at)
            )
        ]
    return sum(_index_batch(user, batch) for batch in _batches(keys))


def index_again(messages: Sequence[Message]) -> None:
    """Index again many messages of one user that were indexed before, in the user's transaction
    (`acting_as`). Removed and empty messages are skipped.
    """
    fitting = [
        (message_recall.as_said_message(message), message.reading)
        for message in messages
        if message.content.strip() and message.state != Message.State.REMOVED
    ]
    if fitting:
        index_read_messages(fitting)


def backfill_readings(user: User) -> int:
    """Store the provenance of the text and the planned days of older messages that lack them;
    return how many. Opens a transaction per batch: call it outside of any.
    """
    with acting_as(user):
        keys = list(_unread(user.pk).values_list("pk", flat=True))
    return sum(_read_batch(user, batch) for batch in _batches(keys))


def _batches(keys: list[UUID]) -> Iterator[list[UUID]]:
    for at in range(0, len(keys), INDEX_BATCH):
        yield keys[at : at + INDEX_BATCH]


def _unread(user_id: UUID) -> MessageQuerySet:
    by_somebody = Q(role=Message.Role.USER) | ~Q(author="")
    rows = Message.objects.for_user(user_id).filter(by_somebody, learned_at__isnull=False)
    return rows.filter(Q(stretches__isnull=True) | Q(planned_until__isnull=True, author=""))


def _read_batch(user: User, keys: list[UUID]) -> int:
    with acting_as(user):
        rows = list(_unread(user.pk).filter(pk__in=keys).select_for_update(of=("self",)))
        for message in rows:
            annotate_message(message)
        Message.objects.bulk_update(rows, READ_COLUMNS)
    return len(rows)


def _missing(user_id: UUID) -> MessageQuerySet:
    """Return the finished, non-empty messages that are not indexed yet."""
    whole = Q(role=Message.Role.USER, learned_at__isnull=False) | Q(
        role=Message.Role.ASSISTANT,
        state__in=[Message.State.DONE, Message.State.CUT, Message.State.STOPPED],
    )
    rows = Message.objects.for_user(user_id).filter(whole).exclude(content="")
    rows = rows.exclude(state=Message.State.REMOVED)
    return rows.exclude(Exists(Passage.objects.filter(user=user_id, message=OuterRef("pk"))))


def _index_batch(user: User, keys: list[UUID]) -> int:
    with acting_as(user):
        # Locked, so that a message deleted in the meantime is not written back.
        rows = _missing(user.pk).filter(pk__in=keys).select_for_update(of=("self",))
        in_order = rows.order_by("said_at", "number")
        return index_messages([message_recall.as_said_message(message) for message in in_order])


def _lies_in(spans: list[tuple[datetime, datetime]], *times: datetime | None) -> bool:
    return any(since <= at < until for since, until in spans for at in times if at)
