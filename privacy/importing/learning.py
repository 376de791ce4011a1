"""Reading what was imported: each message is learned from and made findable as if it had been said
here, but for one thing: what it says of its owner waits for their yes (`Message.is_imported`).

It takes the longest, so it comes when all is there and can be read. One conversation at a time, a
few messages a transaction: whoever is killed goes on where it stopped.
"""

import time

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from accounts.support.best_effort import best_effort
from conversations.learning import message_learning
from conversations.messages import lock_conversation
from conversations.models import Message, MessageQuerySet
from privacy.importing import writing
from privacy.models import Import

log = structlog.get_logger(__name__)
# How many messages a transaction reads; after how many seconds others get their turn; and how long
# until somebody is asked again who has turned memory off.
_PIECE, _TURN, _LATER = 20, 5.0, 60.0


def learn(claim: work.Claim, row: Import) -> None:
    """Read on until everything is read.

    Raises PutOff when others have waited long enough, while memory is off, and where its owner
    wants it no more.
    """
    began = time.monotonic()
    while _learn_piece(claim, row):
        if time.monotonic() - began > _TURN:
            raise work.PutOff(0)


def learn_later(row: Import) -> None:
    """Write down that what is left is to be learned from message by message."""
    keys = _unread(row).values_list("pk", flat=True)
    due = [work.DueWork(message_learning.KIND, key) for key in keys]
    work.enqueue_all(User.objects.get(pk=row.user_id), due)


def _learn_piece(claim: work.Claim, row: Import) -> bool:
    """Learn from the next messages of one conversation; False where there are none."""
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, Import.State.FINDING)
        if not User.objects.get(pk=claim.user_id).memory_on:
            raise work.PutOff(_LATER)
        first = _unread(row).order_by("conversation__started_at", "number").first()
        if first is None:
            return False
        # Nobody takes it out meanwhile.
        lock_conversation(first.conversation_id)
        piece = _unread(row).filter(conversation=first.conversation_id).order_by("number")
        messages = list(piece.select_related("user", "conversation")[:_PIECE])
        for message in messages:
            _learn_from(message)
        row.done = row.total - _unread(row).count()
        row.save(update_fields=["done"])
    return True


def _learn_from(message: Message) -> None:
    """Learn from one; a long one and one that fails are work of their own."""

    def put_off(error: Exception) -> None:
        kind = type(error).__name__
        log.error("import_not_learned", message=str(message.pk), error=kind, exc_info=error)
        work.enqueue(message.user, message_learning.KIND, message.pk, delay=_LATER)

    if message.is_long:
        work.enqueue(message.user, message_learning.KIND, message.pk)
        return
    with best_effort(put_off), transaction.atomic():
        message_learning.learn_of_import(message)


def _unread(row: Import) -> MessageQuerySet:
    """What nobody has read, nor is to read as work of its own."""
    waiting = Work.objects.filter(
        user=OuterRef("user"), kind=message_learning.KIND, subject=OuterRef("pk")
    )
    rows = writing.messages_of(row).filter(learned_at=None)
    return rows.exclude(state=Message.State.REMOVED).exclude(Exists(waiting))
