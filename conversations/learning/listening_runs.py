"""Extracting operations (facts and memories) from messages with a language model, in the worker.

A turn never waits for the model. When the model fails nothing changes, and the job is tried again
with fewer messages.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

import structlog
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations import llm
from conversations.learning import message_outcomes
from conversations.learning.listening_stretch import MessageRange, next_stretch
from conversations.learning.provisional import withdraw_unsaid
from conversations.llm import background, trusting
from conversations.models import Conversation, LearningOutcome, Message
from conversations.privacy import hide_what_is_told
from ledger.promotion import operations
from ledger.promotion.gates import Gates, gates_of
from ledger.promotion.outcomes import Outcome
from memory.core.allowances import allowances_of
from memory.core.known_facts import KnownRecords
from memory.core.persistence_gate import PersistenceRequest, RecordKind, decide_persistence
from memory.core.tracing import OperationVerb, traced_operation
from memory.language.origin import Origin
from memory.notes.note_gate import NotKept
from memory.notes.summary_store import keep_summary
from memory.operations.checks import Checked
from memory.operations.listening import Listened, fit_summary, listen
from memory.slots import SLOTS

log = structlog.get_logger(__name__)
KIND = "reflect"


def listen_soon(user: User, conversation: Conversation) -> None:
    """Queue the model's reading of new messages, some seconds from now. Idempotent.

    Call it in the user's transaction (`acting_as`), in the transaction that finishes an answer.
    Does nothing without a model or with memory off.
    """
    if not llm.configured() or not _may_note(user.pk, conversation.pk):
        return
    work.enqueue_anew(user, KIND, conversation.pk, delay=settings.MEMORY["reflection_delay"])


def is_due(conversation: Conversation) -> bool:
    """Return whether the model still has to read messages of a conversation."""
    rows = Work.objects.filter(user_id=conversation.user_id, kind=KIND, subject=conversation.pk)
    return rows.exists()


def listen_to(claim: work.Claim) -> None:
    """Worker entry point: read the new messages of a conversation with the model; store the
    outcomes. Raises ModelFailure, and then nothing was changed. Idempotent.
    """
    read = _gather(claim)
    if read is None:
        return
    if not connection.in_atomic_block:
        # Outside of any transaction: the model is slow, and other code needs the connection.
        connection.close()
    with work.keeping(claim), traced_operation(claim.user_id, OperationVerb.MODEL, "model"):
        listened = listen(background.ask, read.stretch, trusting.trust_in_model())
    _keep(claim, read, listened)


# --- Before the model is called ------------------------------------------------------------------


def _gather(claim: work.Claim) -> MessageRange | None:
    """Return the messages to read; if there are none, finish the job and return None."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return None
        conversation = Conversation.objects.for_user(claim.user_id).filter(pk=claim.subject).first()
        if conversation is None or not llm.configured():
            work.finish(claim)
            return None
        if not _may_note(claim.user_id, claim.subject):
            _pass_over(claim)
            return None
        read = next_stretch(conversation, claim.attempt)
        if read.fresh:
            return read
        _move_on(claim, read)
        return None


# --- After the model has answered ----------------------------------------------------------------


def _keep(claim: work.Claim, read: MessageRange, listened: Listened) -> None:
    """Store in one transaction the outcomes, the position reached and the end of the job; or
    nothing.
    """
    with acting_as(claim.user_id):
        # Always lock the job's row before the conversation's, to avoid deadlocks.
        if not work.still_holding(claim):
            return
        here = Conversation.objects.held(claim.user_id, claim.subject)
        if here is None:
            work.finish(claim)
            return
        if not _may_note(claim.user_id, claim.subject):
            _pass_over(claim)
            return
        if not _is_still_there(read):
            # If messages were deleted in the meantime, the rest is read again without them.
            work.finish(claim)
            work.enqueue(read.conversation.user, KIND, claim.subject)
            return
        counts = (
            _carry_out(claim, read, listened)
            if here.reflected_up_to == read.after
            else Counter[str]()
        )
        trusting.count(listened)
        _move_on(claim, read)
        lines = len(read.stretch.lines)
        log.info("listened", conversation=str(claim.subject), lines=lines, counts=dict(counts))


def _is_still_there(read: MessageRange) -> bool:
    """Return whether all messages are unchanged and still not confidential. Locks the messages, so
    that a concurrent deletion waits.
    """
    as_read = {
        message.pk: (message.content, message.confidential) for message in read.message_of.values()
    }
    rows = Message.objects.for_user(read.conversation.user_id).filter(pk__in=as_read)
    now = {
        pk: (content, hidden)
        for pk, content, hidden in rows.values_list("pk", "content", "confidential")
    }
    return now == as_read


def _carry_out(claim: work.Claim, read: MessageRange, listened: Listened) -> Counter[str]:
    """Carry out each operation under its message; return the counts by outcome.

    Outcomes of the trained reader are provisional: those that the model does not confirm are
    withdrawn. Messages that became confidential in the meantime are skipped.
    """
    user_id, conversation = claim.user_id, read.conversation
    gates = gates_of(user_id, conversation.privacy)
    standing = [checked for checked in listened.operations if not checked.refused]
    by_message: dict[Message, list[Checked]] = {message: [] for message in read.fresh}
    for checked in standing:
        by_message.setdefault(read.message_of[checked.line.alias], []).append(checked)
    counts = Counter(checked.refused for checked in listened.operations if checked.refused)
    known = KnownRecords(user_id, SLOTS, notes=True)
    for message, accepted in by_message.items():
        counts["withdrawn"] += withdraw_unsaid(message, accepted)
        known.forget()
        for checked in accepted:
            counts["asked" if checked.asked else "kept"] += _carry_out_operation(
                message, checked, gates, known
            )
    _keep_summary(read, listened)
    return counts


def _carry_out_operation(
    message: Message, checked: Checked, gates: Gates, known: KnownRecords
) -> int:
    """Carry out one operation; a database error in this operation does not affect the others."""
    scope = replace(message.scope, allowed=gates.allowed, known=known)
    try:
        with transaction.atomic():
            outcomes = list(operations.apply(scope, checked, message.content, gates))
            return len({show_outcome(message, outcome).pk for outcome in outcomes})
    except IntegrityError:
        known.forget()
        return 0


def show_outcome(message: Message, outcome: Outcome) -> LearningOutcome:
    """Return the stored outcome (the chip under its message), created if it does not exist yet."""
    row = message_outcomes.as_row(message, outcome)
    if row.kind == LearningOutcome.Kind.WITHHELD and not message.confidential:
        message.confidential = True
        message.save(update_fields=["confidential"])
        hide_what_is_told(message.conversation, message)
    same = LearningOutcome.objects.filter(
        user_id=message.user_id,
        message=message,
        slot=row.slot,
        fact=row.fact,
        memory=row.memory,
        contradiction=row.contradiction,
        override=row.override,
    ).first()
    if same is None:
        row.save(force_insert=True)
    return same or row


def _keep_summary(read: MessageRange, listened: Listened) -> None:
    texts = [*(line.text for line in read.stretch.lines), read.stretch.so_far]
    withheld = any(checked.operation.sensitive for checked in listened.operations)
    summary = "" if withheld else fit_summary(listened.summary, texts)
    if not summary or any(message.confidential for message in read.message_of.values()):
        return
    last = read.message_of[read.stretch.lines[-1].alias]
    with suppress(NotKept):
        keep_summary(last.scope, summary, origin=Origin.MODEL)


def _move_on(claim: work.Claim, read: MessageRange) -> None:
    """Store how far was read, finish the job, and queue a new one if there are newer messages."""
    rows = Conversation.objects.for_user(claim.user_id).filter(pk=claim.subject)
    rows.filter(reflected_up_to__lt=read.up_to).update(reflected_up_to=read.up_to)
    work.finish(claim)
    unread = Message.objects.for_user(claim.user_id).filter(
        conversation_id=claim.subject, role=Message.Role.USER, number__gt=read.up_to
    )
    if unread.exists():
        # Messages that wait for an earlier unfinished one are read a little later.
        got_on = read.up_to > read.after
        delay = 0.0 if got_on else settings.MEMORY["reflection_delay"]
        user = read.conversation.user
        work.enqueue(user, KIND, claim.subject, delay=delay)


def _may_note(user_id: UUID, conversation_id: UUID) -> bool:
    """Return whether the persistence gate allows memories from a conversation."""
    return decide_persistence(
        PersistenceRequest(RecordKind.NOTE), allowances_of(user_id, conversation_id)
    ).kept


def _pass_over(claim: work.Claim) -> None:
    """Mark all messages as read, and finish the job."""
    rows = Conversation.objects.for_user(claim.user_id).filter(pk=claim.subject)
    rows.update(reflected_up_to=F("last_number"))
    work.finish(claim)
