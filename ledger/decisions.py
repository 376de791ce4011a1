"""Users' decisions about facts and memories, stored as numbers for training a classifier.

They are recorded at once, because the fact's trust changes later, and separately from facts and
log, so that training reads no text.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from accounts.models import AuditEvent
from ledger.models import Decision
from memory.models import Memory, ProfileFact, TrustChange
from memory.slots import SLOTS

Action = AuditEvent.Action
_SAID_AGAIN = (TrustChange.Cause.AGREEMENT, TrustChange.Cause.CONFIRMED)


def record(about: ProfileFact | Memory, *, worthy: bool) -> None:
    """Save whether the user wants a fact or memory in the profile; the latest decision counts.

    Call it before the decision changes the trust. Facts written by hand and memories without a slot
    are not recorded.
    """
    if about.source == ProfileFact.Source.MANUAL or not about.slot:
        return
    if SLOTS[about.slot].sensitive:
        return
    Decision.objects.update_or_create(
        user_id=about.user_id,
        subject=about.pk,
        defaults={
            "slot": about.slot,
            "trust": about.trust,
            "confidence": about.confidence,
            "confirmations": confirmations_of(about),
            "edits": edits_of(about.user_id, about.slot),
            "worthy": worthy,
            "at": now(),
        },
    )


def withdraw(about: ProfileFact) -> None:
    """Delete the decision about a fact or memory."""
    Decision.objects.filter(user_id=about.user_id, subject=about.pk).delete()


def forget(user_id: UUID, subjects: Collection[UUID]) -> None:
    """Delete the decisions about erased facts and memories."""
    Decision.objects.filter(user_id=user_id, subject__in=subjects).delete()


def confirmations_of(about: ProfileFact | Memory) -> int:
    """Return how often a fact was said again or confirmed."""
    return about.trust_changes.filter(user_id=about.user_id, cause__in=_SAID_AGAIN).count()


def edits_of(user_id: UUID, slot: str) -> int:
    """Return how often the user replaced a value of the slot by hand."""
    rows = ProfileFact.objects.for_user(user_id).filter(slot=slot, replaces__isnull=False)
    return rows.filter(source=ProfileFact.Source.MANUAL).count()


def record_manual_decision(*, fact: ProfileFact, deed: AuditEvent.Action, **kwargs: Any) -> None:
    """Record the decision that a manual change implies. Removing an old fact implies none: it may
    have been true for years.
    """
    if deed == Action.CONFIRMED:
        record(fact, worthy=True)
    elif deed in (Action.NARROWED, Action.BLOCKED) or (deed == Action.REMOVED and _is_fresh(fact)):
        record(fact, worthy=False)
    elif deed == Action.RESTORED:
        withdraw(fact)


def _is_fresh(fact: ProfileFact) -> bool:
    return now() - fact.created_at <= timedelta(days=settings.MEMORY["regret_days"])
