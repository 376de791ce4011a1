"""Summaries of conversations, stored as memories: one per conversation; edits by hand win."""

from collections.abc import Collection
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils.timezone import now

from memory.core import allowances
from memory.core.persistence_gate import PersistenceRequest, RecordKind, decide_persistence
from memory.core.scope import Scope
from memory.language.origin import Origin
from memory.language.safety import guard
from memory.language.text import dedup, terms
from memory.models import CONTENT_LENGTH, Memory, ProfileFact
from memory.notes.note_gate import NotKept, why_not
from memory.notes.note_store import findable_columns

Status = Memory.Status


def keep_summary(
    scope: Scope,
    text: str,
    *,
    source: ProfileFact.Source = ProfileFact.Source.REFLECTION,
    origin: Origin = Origin.TYPED,
) -> Memory:
    """Save the summary of the scope's conversation; it overwrites an earlier one.

    Raises NotKept for a text that may not be stored, and if the user edited, paused or removed the
    summary.
    """
    request = PersistenceRequest(
        RecordKind.SUMMARY, origin=origin, secret=guard.holds_a_secret(text)
    )
    allowed = scope.allowed or allowances.allowances_of(scope.user_id, scope.conversation_id)
    decision = decide_persistence(request, allowed)
    if not decision.kept:
        raise NotKept(decision.reason)
    if reason := why_not(text):
        raise NotKept(reason)
    if _decided_by_hand(scope):
        raise NotKept("The user has already changed or removed this summary.")
    content = text.strip()[:CONTENT_LENGTH]
    meaning = terms.meaning_vectors([content])[0]
    summary, _ = Memory.objects.update_or_create(
        user_id=scope.user_id,
        source_conversation_id=scope.conversation_id,
        category=Memory.Category.SUMMARY,
        status=Status.ACTIVE,
        defaults={
            "kind": Memory.Kind.EPISODIC,
            "mode": Memory.Mode.COMPRESSED,
            "content": content,
            "content_key": dedup.make_content_key(content)[:CONTENT_LENGTH],
            # An older summary may have its source sentences here.
            "original": "",
            "trust": settings.MEMORY["trust_reflection"],
            "confidence": 0.9,
            "source": source,
            "origin": origin,
            "said_at": scope.said_at,
            **findable_columns(content, meaning),
        },
    )
    return summary


def _decided_by_hand(scope: Scope) -> bool:
    summaries = Memory.objects.for_user(scope.user_id).filter(
        source_conversation_id=scope.conversation_id, category=Memory.Category.SUMMARY
    )
    return summaries.filter(
        Q(status__in=[Status.PAUSED, Status.REMOVED])
        | Q(status=Status.ACTIVE, source=Memory.Source.MANUAL)
    ).exists()


def drop_summary(user_id: UUID, conversation_id: UUID) -> None:
    """Retire the summary of a conversation, unless it was edited by hand."""
    drop_summaries_of(user_id, [conversation_id])


def drop_summaries_of(user_id: UUID, conversations: Collection[UUID]) -> None:
    """Retire the summaries of several conversations, unless they were edited by hand."""
    notes = Memory.objects.for_user(user_id).active().exclude(source=Memory.Source.MANUAL)
    notes = notes.filter(source_conversation__in=conversations, category=Memory.Category.SUMMARY)
    notes.update(status=Status.RETIRED, ended_at=now())
