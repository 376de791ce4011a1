"""Removing messages as evidence of facts and memories.

Records with other evidence stay and refer to it. Messages belong to a higher package; here they are
querysets of their ids.
"""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from memory.models import Memory, Mention, MergedMemory, Override, Passage, ProfileFact, TrustChange

# A generated summary; the user keeps one edited by hand.
MADE_SUMMARY = Q(category=Memory.Category.SUMMARY) & ~Q(source=Memory.Source.MANUAL)


def agreed_elsewhere(user_id: UUID, messages: QuerySet[Any]) -> QuerySet[TrustChange]:
    """Return a subquery: repetitions of the outer query's memory in other messages."""
    agreed = TrustChange.objects.filter(
        user_id=user_id,
        memory=OuterRef("pk"),
        cause=TrustChange.Cause.AGREEMENT,
        message__isnull=False,
    )
    return agreed.exclude(message__in=messages)


def merged_from_elsewhere(user_id: UUID, messages: QuerySet[Any]) -> QuerySet[MergedMemory]:
    """Return a subquery: memories of other messages merged into the outer query's memory."""
    merged = MergedMemory.objects.filter(
        user_id=user_id, merge__kept=OuterRef("pk"), merge__undone_at=None
    )
    return merged.filter(memory__source_message__isnull=False).exclude(
        memory__source_message__in=messages
    )


def drop_evidence(user_id: UUID, messages: QuerySet[Any], overrides: Collection[UUID]) -> None:
    """Remove these messages as evidence of facts and memories, and delete some overrides."""
    Override.objects.filter(user_id=user_id, pk__in=overrides).delete()
    mentions = Mention.objects.filter(user_id=user_id, fact=OuterRef("pk"))
    _point_elsewhere(
        ProfileFact.objects.for_user(user_id).filter(source_message__in=messages),
        mentions.exclude(message__in=messages).order_by("said_at", "pk"),
        "conversation",
    )
    _point_elsewhere(
        Memory.objects.for_user(user_id).filter(source_message__in=messages),
        agreed_elsewhere(user_id, messages).order_by("at", "pk"),
        "message__conversation",
    )
    Mention.objects.filter(user_id=user_id, message__in=messages).delete()


def drop_passages(user_id: UUID, messages: QuerySet[Any]) -> None:
    """Delete the search index rows (passages) of these messages."""
    Passage.objects.filter(user_id=user_id, message__in=messages).delete()


def drop_summaries(user_id: UUID, conversations: Collection[UUID]) -> None:
    """Delete the generated summaries of these conversations."""
    rows = Memory.objects.for_user(user_id).filter(source_conversation__in=conversations)
    rows.filter(MADE_SUMMARY).delete()


def _point_elsewhere(rows: QuerySet[Any], others: QuerySet[Any], conversation: str) -> None:
    """Set the source of rows with other evidence to the first of `others`."""
    rows.filter(Exists(others)).update(
        source_conversation=Subquery(others.values(conversation)[:1]),
        source_message=Subquery(others.values("message")[:1]),
    )
