"""Receipts of erasures: time, kind, numbers of deleted rows, and the result of the search."""

from collections.abc import Mapping
from uuid import UUID

from django.db.models import QuerySet
from django.utils.timezone import now

from ledger.models import Erasure
from ledger.verification.search import VerificationResult

Kind = Erasure.Kind


def write(
    user_id: UUID,
    kind: Erasure.Kind,
    subject: UUID,
    counts: Mapping[str, int],
    result: VerificationResult,
    *,
    slot: str = "",
) -> Erasure:
    """Save a receipt in the transaction of the erasure; it contains no erased text."""
    return Erasure.objects.create(
        user_id=user_id,
        kind=kind,
        subject=subject,
        slot=slot,
        counts=dict(counts),
        search=result.as_kept(),
        at=now(),
    )


def receipts_of(user_id: UUID) -> QuerySet[Erasure]:
    """Return the receipts of a user, newest first."""
    return Erasure.objects.filter(user_id=user_id).order_by("-at", "-pk")
