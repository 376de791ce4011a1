"""Proposals (memories waiting for approval): accepting, declining, or blocking their slot."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.timezone import localtime, now

from accounts import audit
from accounts.audit import Action
from ledger import decisions
from ledger.conflicts.opening import EntryDraft
from ledger.models import Contradiction
from memory import manager
from memory.core.scope import Scope
from memory.facts.blocked_slots import block_slot
from memory.facts.past_facts import PAST_SLOTS, PastPeriod, keep_past_fact
from memory.facts.profile import (
    Conflict,
    FactStored,
    keep_origin,
    propose_fact,
    set_confirmed_trust,
)
from memory.facts.start_dates import StartDate
from memory.language.reader.facts import FactCandidate
from memory.models import Memory, MemoryQuerySet, Precision, ProfileFact
from memory.notes.note_gate import NotKept, check_note_return
from memory.notes.note_store import accept_note, decline_note, fulfil_note, settle_slot
from memory.slots import SLOTS


@dataclass(frozen=True)
class Accepted:
    """The result of accepting a proposal: a fact, a conflict, an ended fact, or a memory."""

    fact: ProfileFact | None = None
    contradiction: Contradiction | None = None
    ended: ProfileFact | None = None
    memory: Memory | None = None


def waiting(user_id: UUID) -> MemoryQuerySet:
    """Return the waiting proposals, newest first, with their sources."""
    rows = Memory.objects.for_user(user_id).waiting()
    return rows.select_related("source_conversation", "source_message", "ends").order_by("-said_at")


def accept(memory: Memory) -> Accepted:
    """Accept a proposal. A value that contradicts another one opens a conflict. Raises NotKept if
    the proposal no longer waits or may not be saved.
    """
    with transaction.atomic():
        _lock_waiting(memory)
        if memory.ends is not None:
            return _end(memory, memory.ends)
        check_note_return(memory)
        if memory.slot and not SLOTS[memory.slot].sensitive:
            return _enter_the_profile(memory)
        accept_note(memory)
        return Accepted(memory=memory)


def has_proposals_from(user_id: UUID, conversation_id: UUID) -> bool:
    """Return whether a conversation ever had a proposal."""
    rows = Memory.objects.for_user(user_id)
    return rows.filter(source_conversation_id=conversation_id).exists()


def accept_all(user_id: UUID, conversation_id: UUID) -> dict[UUID, Accepted]:
    """Accept all waiting proposals of a conversation; already known ones are closed. Return results
    by id. Raises NotKept if the gate refuses one: then all keep waiting.
    """
    accepted = {}
    for memory in waiting(user_id).filter(source_conversation_id=conversation_id):
        try:
            accepted[memory.pk] = accept(memory)
        except NotKept as refused:
            if refused.reason is not None:
                raise
            close_proposal(memory)
    return accepted


def close_proposal(memory: Memory) -> None:
    """Close a proposal that is already known or over; does nothing if it was answered meanwhile."""
    with suppress(NotKept), transaction.atomic():
        _lock_waiting(memory)
        fulfil_note(memory)


def decline_all(user_id: UUID, conversation_id: UUID) -> list[UUID]:
    """Decline all waiting proposals of a conversation; return the ids of those declined."""
    declined = []
    for memory in waiting(user_id).filter(source_conversation_id=conversation_id):
        try:
            decline(memory)
        except NotKept:
            continue
        declined.append(memory.pk)
    return declined


def accept_as_past(memory: Memory, begun: datetime, ended: datetime) -> Accepted:
    """Accept a proposal as a past fact with these days, if no other value was true then. Raises
    NotKept as accept does, and for a slot without history.
    """
    with transaction.atomic():
        _lock_waiting(memory)
        if memory.slot not in PAST_SLOTS:
            raise NotKept("I don’t keep earlier values of this kind of fact.")
        check_note_return(memory)
        candidate, scope = _as_candidate(memory)
        last = StartDate(localtime(ended).date(), Precision.DAY, "")
        first = StartDate(localtime(begun).date(), Precision.DAY, "")
        period = PastPeriod(first if first.day < last.day else None, last)
        kept = keep_past_fact(scope, candidate, period)
        kept = kept or keep_past_fact(scope, candidate, PastPeriod(None, last))
        if kept is None:
            raise NotKept(
                "Your profile says this is still true. If it has ended, change that fact."
            )
        fulfil_note(memory)
        keep_origin(kept.fact, memory.origin)
        return Accepted(fact=kept.fact)


def decline(memory: Memory, *, never: bool = False) -> None:
    """Decline a proposal; with `never`, block its slot. Raises NotKept as accept does."""
    with transaction.atomic():
        _lock_waiting(memory)
        if memory.ends_id is None:
            decisions.record(memory, worthy=False)
        decline_note(memory)
        if never and memory.slot:
            block_slot(memory.user_id, memory.slot)


def _lock_waiting(memory: Memory) -> None:
    """Lock a waiting proposal, so that the first of two answers counts. Raises NotKept."""
    rows = Memory.objects.for_user(memory.user_id).filter(pk=memory.pk).select_for_update()
    # The memory may have been erased meanwhile.
    memory.status = rows.values_list("status", flat=True).first() or Memory.Status.REMOVED
    if memory.status != Memory.Status.WAITING:
        raise NotKept("You’ve already answered this.")


def _end(memory: Memory, fact: ProfileFact) -> Accepted:
    if fact.status != ProfileFact.Status.CURRENT:
        fulfil_note(memory)
        raise NotKept("This fact had already ended, so nothing has changed.")
    manager.end(fact, memory.said_at, why="You said so, and confirmed it.")
    fulfil_note(memory)
    return Accepted(ended=fact)


def _enter_the_profile(memory: Memory) -> Accepted:
    candidate, scope = _as_candidate(memory)
    text = memory.source_message.content if memory.source_message else ""
    opening = EntryDraft(scope, text, candidate)
    outcome = propose_fact(scope, candidate, opening.began)
    fulfil_note(memory)
    if isinstance(outcome, Conflict):
        keep_origin(outcome.challenger, memory.origin)
        return Accepted(contradiction=opening.entry(outcome))
    if isinstance(outcome, FactStored):
        keep_origin(outcome.fact, memory.origin)
    decisions.record(outcome.fact, worthy=True)
    set_confirmed_trust(outcome.fact)
    settle_slot(memory.user_id, outcome.fact)
    audit.record(
        memory.user_id,
        Action.ACCEPTED,
        subject=outcome.fact.pk,
        slot=outcome.fact.slot,
        conversation=memory.source_conversation_id,
        message=memory.source_message_id,
        after=outcome.fact.value,
    )
    return Accepted(fact=outcome.fact)


def _as_candidate(memory: Memory) -> tuple[FactCandidate, Scope]:
    """Return the candidate that the proposal was made from, as far as the memory stores it."""
    text = memory.source_message.content if memory.source_message else ""
    start = max(text.casefold().find(memory.value.casefold()), 0)
    candidate = FactCandidate(
        slot=memory.slot,
        value=memory.value,
        confidence=memory.confidence,
        trust=memory.trust,
        start=start,
        end=min(start + len(memory.value), len(text)),
        scope="profile",
        kind="statement",
        cue="accepted",
    )
    said_at = memory.said_at if memory.source_message_id else now()
    return candidate, Scope(
        memory.user_id, memory.source_conversation_id, memory.source_message_id, said_at
    )
