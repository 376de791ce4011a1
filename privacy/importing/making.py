"""The worker's part of imports: writing accepted files and learning from them, or undoing.

Each batch is a transaction that also saves the progress, so an interrupted job resumes. Messages
are learned from and indexed as usual, except that facts in them wait for the user's decision
(`Message.is_imported`).
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import accumulate

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts import audit, work
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from accounts.privacy import hold_choices
from accounts.support.best_effort import best_effort
from accounts.support.refusals import Refused
from conversations.deletion import conversation_plan, message_deletion
from conversations.deletion.message_deletion import BeingWritten, everything
from conversations.learning import message_learning
from conversations.messages import lock_conversation, lock_conversations
from conversations.models import Conversation, Message, MessageQuerySet
from ledger import erasure
from ledger.verification import kinds
from memory.core.slot_locks import lock_deletions
from memory.deletion.sought import ErasureTarget
from memory.models import Memory
from privacy.importing import counting, writing
from privacy.models import Import, ImportedRow

log = structlog.get_logger(__name__)
State = Import.State
_GAVE_UP = "I couldn’t import everything, but the file is fine. Undo the import, then try again."
_NOT_UNDONE = "I couldn’t remove all of this import. Please choose Undo again."
# Seconds after which other jobs get their turn, and until a job is retried whose user has turned
# memory off, or in whose conversation an answer is being written.
_TURN, _LATER, _WRITTEN = 5.0, 60.0, 2.0
# How many messages are learned from in one transaction.
_PIECE = 20
# Items deleted in one transaction, and the maximum number of their messages.
_ITEMS, _MESSAGES = 50, 1_000


def make(claim: work.Claim) -> None:
    """Run one import job; worker entry point. Raises PutOff to let others run, or if cancelled."""
    with acting_as(claim.user_id):
        row = Import.begin(claim)
        if row is None:
            return
        if claim.attempt >= work.MOST_ATTEMPTS:
            _give_up(claim, row)
            return
    with work.keeping(claim):
        if row.state == State.UNDOING:
            _take_out(claim, row)
            _end(claim, row, State.UNDOING, State.UNDONE)
            return
        try:
            if row.state == State.MAKING:
                _write(claim, row)
        except Refused as refused:
            _end(claim, row, State.MAKING, State.FAILED, str(refused))
            return
        _repeat(lambda: _learn_piece(claim, row))
        _end(claim, row, State.FINDING, State.READY)


def _give_up(claim: work.Claim, row: Import) -> None:
    """End a job that failed too often: written rows stay; messages are learned from one by one."""
    undone = row.state == State.UNDOING
    if undone:
        give_receipt(row)
    else:
        learn_later(row)
    row.end(State.FAILED, _NOT_UNDONE if undone else _GAVE_UP)
    work.finish(claim)


def _write(claim: work.Claim, row: Import) -> None:
    with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
        with acting_as(claim.user_id):
            row.load_file(file)
        writing.write(claim, row, file)


def _end(
    claim: work.Claim, row: Import, before: Import.State, state: Import.State, why: str = ""
) -> None:
    """Save the final state of an import. Raises PutOff if the user has changed it meanwhile."""
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, before)
        if state == State.FAILED:
            learn_later(row)
        if state == State.READY:
            summary = f"From {row.get_source_display()}: {counting.in_words(row)}"
            audit.record(claim.user_id, Action.IMPORTED, subject=row.pk, why=summary)
        row.end(state, why)
        work.finish(claim)


def _repeat(step: Callable[[], bool]) -> None:
    """Call `step` until it returns False. Raises PutOff when the time for one turn is over."""
    began = time.monotonic()
    while step():
        if time.monotonic() - began > _TURN:
            raise work.PutOff(0)


# --- Learning -------------------------------------------------------------------------------------


def _learn_piece(claim: work.Claim, row: Import) -> bool:
    """Learn from the next messages of one conversation; False if none are left.

    Raises PutOff while memory is off, or if the user has cancelled the import.
    """
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, State.FINDING)
        if not User.objects.get(pk=claim.user_id).memory_on:
            raise work.PutOff(_LATER)
        first = _unread(row).order_by("conversation__started_at", "number").first()
        if first is None:
            return False
        # Prevent concurrent deletion.
        lock_conversation(first.conversation_id)
        piece = _unread(row).filter(conversation=first.conversation_id).order_by("number")
        messages = list(piece.select_related("user", "conversation")[:_PIECE])
        for message in messages:
            _learn_from(message)
        row.done = row.total - _unread(row).count()
        row.save(update_fields=["done"])
    return True


def _learn_from(message: Message) -> None:
    """Learn from a message; long and failing ones are enqueued as jobs of their own."""

    def put_off(error: Exception) -> None:
        kind = type(error).__name__
        log.error("import_not_learned", message=str(message.pk), error=kind, exc_info=error)
        work.enqueue(message.user, message_learning.KIND, message.pk, delay=_LATER)

    if message.is_long:
        work.enqueue(message.user, message_learning.KIND, message.pk)
        return
    with best_effort(put_off), transaction.atomic():
        message_learning.learn_of_import(message)


def learn_later(row: Import) -> None:
    """Enqueue a job for each message not learned from yet."""
    keys = _unread(row).values_list("pk", flat=True)
    due = [work.DueWork(message_learning.KIND, key) for key in keys]
    work.enqueue_all(User.objects.get(pk=row.user_id), due)


def _unread(row: Import) -> MessageQuerySet:
    """Return the messages neither learned from nor enqueued for it."""
    waiting = Work.objects.filter(
        user=OuterRef("user"), kind=message_learning.KIND, subject=OuterRef("pk")
    )
    rows = writing.messages_of(row).filter(learned_at=None)
    return rows.exclude(state=Message.State.REMOVED).exclude(Exists(waiting))


# --- Undoing --------------------------------------------------------------------------------------


def _take_out(claim: work.Claim, row: Import) -> None:
    """Undo an import: delete its conversations, what was learned only from them, and its memories;
    then verify all deletions and write one receipt. Conversations that the user continued here
    stay, and are counted.

    Raises PutOff, also while an answer is being written in one of them.
    """
    try:
        _repeat(lambda: _take_out_next(claim, row))
    except BeingWritten:
        raise work.PutOff(_WRITTEN) from None
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, State.UNDOING)
        give_receipt(row)


def give_receipt(row: Import) -> None:
    """Verify the deletions and write the receipt once, within `acting_as(user)`."""
    if not row.gone:
        return
    counts, marks = row.gone, _marks_of(row)
    # Clear them first, so that the verification does not find them here.
    row.gone, row.gone_marks = {}, {}
    row.save(update_fields=["gone", "gone_marks"])
    conversation_plan.receipt(User.objects.get(pk=row.user_id), row.pk, counts, marks)


def _take_out_next(claim: work.Claim, row: Import) -> bool:
    """Delete the next conversations and memories of an import; False if none are left."""
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, State.UNDOING)
        batch = _next_of(row)
        if not batch:
            return False
        lock_deletions(claim.user_id)
        lock_conversations(item.conversation for item in batch if item.conversation)
        user = hold_choices(claim.user_id)
        _erase_conversations(user, row, batch)
        _erase_memories(user, row, batch)
        row.done += len(batch)
        ImportedRow.objects.filter(user=user, pk__in=[item.pk for item in batch]).delete()
        row.save(update_fields=["done", "continued", "gone", "gone_marks"])
    return True


def _next_of(row: Import) -> list[ImportedRow]:
    rows = ImportedRow.objects.filter(user_id=row.user_id, brought=row).order_by("pk")
    batch = list(rows[:_ITEMS])
    here = Conversation.objects.for_user(row.user_id)
    here = here.filter(pk__in=[item.conversation for item in batch if item.conversation])
    lengths = dict(here.values_list("pk", "last_number"))
    sums = accumulate(lengths.get(item.conversation or item.pk, 0) for item in batch)
    return batch[: max(sum(size <= _MESSAGES for size in sums), 1)]


def _erase_conversations(user: User, row: Import, batch: Sequence[ImportedRow]) -> None:
    here = Conversation.objects.for_user(user.pk)
    here = here.filter(pk__in=[item.conversation for item in batch if item.conversation])
    going = [talk.pk for talk in here if talk.last_number <= talk.imported_up_to]
    row.continued += len(here) - len(going)
    if not going:
        return
    gone = message_deletion.remove_conversations(user, going, everything, everything)
    row.gone = kinds.added(row.gone, gone.counts)
    marks = conversation_plan.added_marks(_marks_of(row), gone.marks)
    row.gone_marks = {"sentences": list(marks.sentences), "keys": sorted(marks.keys)}


def _erase_memories(user: User, row: Import, batch: Sequence[ImportedRow]) -> None:
    keys = [item.memory for item in batch if item.memory]
    notes = list(Memory.objects.for_user(user.pk).filter(pk__in=keys))
    if notes:
        row.gone = kinds.added(row.gone, erasure.counts_of(erasure.erase_all(user.pk, notes=notes)))


def _marks_of(row: Import) -> ErasureTarget:
    marks = row.gone_marks
    return ErasureTarget(
        sentences=tuple(marks.get("sentences", ())), keys=frozenset(marks.get("keys", ()))
    )
