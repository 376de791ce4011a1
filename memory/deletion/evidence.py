"""Removing messages as evidence: what others support stays, and refers to those from then on.

Messages belong to a package above; what names them here is a query for their keys.
"""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from memory.models import Memory, Mention, MergedMemory, Override, Passage, ProfileFact, TrustChange

# A summary that its owner wrote is theirs.
MADE_SUMMARY = Q(category=Memory.Category.SUMMARY) & ~Q(source=Memory.Source.MANUAL)


def agreed_elsewhere(user_id: UUID, messages: QuerySet[Any]) -> QuerySet[TrustChange]:
    """Return a subquery: agreements with the outer note by other messages."""
    agreed = TrustChange.objects.filter(
        user_id=user_id,
        memory=OuterRef("pk"),
        cause=TrustChange.Cause.AGREEMENT,
        message__isnull=False,
    )
    return agreed.exclude(message__in=messages)


def merged_from_elsewhere(user_id: UUID, messages: QuerySet[Any]) -> QuerySet[MergedMemory]:
    """Return a subquery: notes of other messages merged into the outer note."""
    merged = MergedMemory.objects.filter(
        user_id=user_id, merge__kept=OuterRef("pk"), merge__undone_at=None
    )
    return merged.filter(memory__source_message__isnull=False).exclude(
        memory__source_message__in=messages
    )


def drop_evidence(user_id: UUID, messages: QuerySet[Any], overrides: Collection[UUID]) -> None:
    """Remove these messages as evidence of facts and notes; some overrides go with them."""
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
    """Delete the passages of these messages."""
    Passage.objects.filter(user_id=user_id, message__in=messages).delete()


def drop_summaries(user_id: UUID, conversations: Collection[UUID]) -> None:
    """Delete the generated summaries of these conversations."""
    rows = Memory.objects.for_user(user_id).filter(source_conversation__in=conversations)
    rows.filter(MADE_SUMMARY).delete()


def _point_elsewhere(rows: QuerySet[Any], others: QuerySet[Any], conversation: str) -> None:
    """Set the source of rows that other messages support to the first of those."""
    rows.filter(Exists(others)).update(
        source_conversation=Subquery(others.values(conversation)[:1]),
        source_message=Subquery(others.values("message")[:1]),
    )
