"""A second look at a conversation, by the language model, a little after the turn.

The worker does it. A turn never waits for it, and a model that fails changes nothing: the lines
stay unread, and the work is tried again with fewer of them.
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
from accounts.models import User
from conversations import llm
from conversations.learning.reflection_input import MessageRange, next_stretch
from conversations.llm import background
from conversations.models import Conversation, LearningOutcome, Message
from memory.core import (
    OperationVerb,
    PersistenceRequest,
    RecordKind,
    Scope,
    allowances_of,
    decide_persistence,
    traced_operation,
)
from memory.language import Origin, extract_facts
from memory.models import Memory, ProfileFact
from memory.notes import (
    NoteDraft,
    NoteKept,
    NotKept,
    Reflection,
    keep_note,
    keep_summary,
    read_for_notes,
)
from memory.slots import SLOTS, narrower, same_value

log = structlog.get_logger(__name__)
KIND = "reflect"


def reflect_soon(user: User, conversation: Conversation) -> None:
    """Ask for a second look, some seconds from now; asking twice is asking once.

    Call it in the person's block, in the transaction that ends an answer. Nothing is asked for
    without a model, or with memory switched off.
    """
    if not llm.configured() or not _may_note(user.pk, conversation.pk):
        return
    work.enqueue_anew(user, KIND, conversation.pk, delay=settings.MEMORY["reflection_delay"])


def reflect_on(claim: work.Claim) -> None:
    """Worker entry point: have what is new in one conversation read, and keep what comes of it.

    Raises ModelFailure, and then nothing was changed. Doing it twice is doing it once.
    """
    stretch = _gather(claim)
    if stretch is None:
        return
    if not connection.in_atomic_block:
        # The model takes long, and others need the connection meanwhile.
        connection.close()
    with work.keeping(claim), traced_operation(claim.user_id, OperationVerb.MODEL, "model"):
        seen = read_for_notes(
            background.ask,
            stretch.lines,
            stretch.known,
            max(line.said_at for line in stretch.lines).date(),
            so_far=stretch.so_far,
        )
    _keep(claim, stretch, seen)


# --- Before the model ----------------------------------------------------------------------------


def _gather(claim: work.Claim) -> MessageRange | None:
    """Load what is to be read; None when there is nothing, and then the work is struck off."""
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
        stretch = next_stretch(conversation, claim.attempt)
        if any(line.by_user and line.fresh for line in stretch.lines):
            return stretch
        _move_on(claim, stretch)
        return None


# --- After the model -----------------------------------------------------------------------------


def _keep(claim: work.Claim, stretch: MessageRange, seen: Reflection) -> None:
    """One transaction: the notes, how far was read, and the end of the work; or none of it."""
    with acting_as(claim.user_id):
        # The work's row always before the conversation's: two can never wait for each other.
        if not work.still_holding(claim):
            return
        here = Conversation.objects.held(claim.user_id, claim.subject)
        if here is None:
            work.finish(claim)
            return
        if not _may_note(claim.user_id, claim.subject):
            _pass_over(claim)
            return
        if not _is_still_there(stretch):
            # Words that were taken out meanwhile teach nothing: the rest is read without them.
            work.finish(claim)
            work.enqueue(stretch.conversation.user, KIND, claim.subject)
            return
        kept = _take_notes(stretch, seen) if here.reflected_up_to == stretch.after else 0
        _move_on(claim, stretch)
        log.info(
            "reflected",
            conversation=str(claim.subject),
            lines=len(stretch.lines),
            kept=kept,
            dropped=dict(Counter(seen.dropped)),
        )


def _is_still_there(stretch: MessageRange) -> bool:
    """Whether all that was read stands as it was read; whoever takes it out waits for us."""
    read = {message.pk: message.content for message in stretch.message_of.values()}
    rows = Message.objects.for_user(stretch.conversation.user_id).filter(pk__in=read)
    return dict(rows.values_list("pk", "content")) == read


def _take_notes(stretch: MessageRange, seen: Reflection) -> int:
    """Keep each note under the message that says it; returns how many were kept.

    Of a message that was made confidential while the model read it nothing is kept, nor a summary
    that may tell of it.
    """
    withheld = _made_confidential(stretch)
    allowed = allowances_of(stretch.conversation.user_id, stretch.conversation.pk)
    drafts_by_message = [(stretch.message_of[noted.line], noted.draft) for noted in seen.notes]
    kept = sum(
        _store_note(replace(message.scope, allowed=allowed), message, draft)
        for message, draft in drafts_by_message
        if message.pk not in withheld
    )
    if seen.summary and not withheld:
        last = stretch.message_of[stretch.lines[-1].alias]
        with suppress(NotKept):
            keep_summary(replace(last.scope, allowed=allowed), seen.summary, origin=Origin.MODEL)
    return kept


def _made_confidential(stretch: MessageRange) -> set[UUID]:
    read = {message.pk for message in stretch.message_of.values()}
    rows = Message.objects.for_user(stretch.conversation.user_id).filter(pk__in=read)
    return set(rows.filter(confidential=True).values_list("pk", flat=True))


def _store_note(scope: Scope, message: Message, draft: NoteDraft) -> bool:
    """Keep one note; one that stands in the database's way costs none of the others."""
    fitting = _beside_the_profile(message.user_id, draft)
    if fitting is None:
        return False
    try:
        with transaction.atomic():
            outcome = keep_note(scope, replace(fitting, tells=_slots_told(fitting)))
            if isinstance(outcome, NoteKept):
                _add_outcome(message, outcome.memory)
            return outcome is not None
    except IntegrityError:
        return False


def _slots_told(draft: NoteDraft) -> tuple[tuple[str, str], ...]:
    """What the words that a note rests on tell by the rules: a closed kind stays closed."""
    read = [(candidate.slot, candidate.value) for candidate in extract_facts(draft.original)]
    return (*read, ("", draft.original))


def _add_outcome(message: Message, memory: Memory) -> None:
    """Let the note be seen where it was said, with its way to take it back."""
    waits = memory.status == Memory.Status.WAITING
    kind = LearningOutcome.Kind.WAITING if waits else LearningOutcome.Kind.MEMORY
    LearningOutcome.objects.create(
        user_id=message.user_id, message=message, kind=kind, memory=memory
    )


def _beside_the_profile(user_id: UUID, draft: NoteDraft) -> NoteDraft | None:
    """The note as it may stand beside the profile; None when the profile says it already.

    A value for a slot that holds another one stays a sentence: what is only supposed never argues
    with what is known.
    """
    if not draft.slot:
        return draft
    slot = SLOTS[draft.slot]
    facts = ProfileFact.objects.for_user(user_id).current().filter(slot=slot.key)
    for value in facts.values_list("value", flat=True):
        if same_value(slot.key, value, draft.value):
            return None
        if not slot.many:
            known = narrower(slot.key, value, draft.value)
            return None if known else replace(draft, slot="", value="")
    return draft


def _move_on(claim: work.Claim, stretch: MessageRange) -> None:
    """Note how far was read, strike the work off, and ask for another look if more was said."""
    mine = Conversation.objects.for_user(claim.user_id).filter(pk=claim.subject)
    mine.filter(reflected_up_to__lt=stretch.up_to).update(reflected_up_to=stretch.up_to)
    work.finish(claim)
    unread = Message.objects.for_user(claim.user_id).filter(
        conversation_id=claim.subject, role=Message.Role.USER, number__gt=stretch.up_to
    )
    if unread.exists():
        # What could not be read yet, because something before it is unfinished, can wait a little.
        got_on = stretch.up_to > stretch.after
        delay = 0.0 if got_on else settings.MEMORY["reflection_delay"]
        user = stretch.conversation.user
        work.enqueue(user, KIND, claim.subject, delay=delay)


def _may_note(user_id: UUID, conversation_id: UUID) -> bool:
    """Whether the gate lets anything be noted of a conversation."""
    return decide_persistence(
        PersistenceRequest(RecordKind.NOTE), allowances_of(user_id, conversation_id)
    ).kept


def _pass_over(claim: work.Claim) -> None:
    """Count everything that was said so far as read, and strike the work off."""
    mine = Conversation.objects.for_user(claim.user_id).filter(pk=claim.subject)
    mine.update(reflected_up_to=F("last_number"))
    work.finish(claim)
