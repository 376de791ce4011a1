"""What people decide about their notes, kept as numbers that a classifier may learn from.

Written at the moment of the decision, because later the fact is believed differently; and kept
apart from the facts and from the audit log, so that whoever trains sees no word of anybody.
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
    """Keep that its owner wants it in the profile, or not; the last word on it counts.

    Call it before the decision moves the trust. What was written by hand was never to be decided,
    and a note without a slot says nothing about slots.
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
    """It was a slip: nothing was decided."""
    Decision.objects.filter(user_id=about.user_id, subject=about.pk).delete()


def forget(user_id: UUID, subjects: Collection[UUID]) -> None:
    """They were erased: what was decided about them teaches nothing any more."""
    Decision.objects.filter(user_id=user_id, subject__in=subjects).delete()


def confirmations_of(about: ProfileFact | Memory) -> int:
    """How often it was said again, or confirmed."""
    return about.trust_changes.filter(user_id=about.user_id, cause__in=_SAID_AGAIN).count()


def edits_of(user_id: UUID, slot: str) -> int:
    """How often its owner wrote another value over what was noted for the slot."""
    rows = ProfileFact.objects.for_user(user_id).filter(slot=slot, replaces__isnull=False)
    return rows.filter(source=ProfileFact.Source.MANUAL).count()


def record_manual_decision(*, fact: ProfileFact, deed: AuditEvent.Action, **kwargs: Any) -> None:
    """What a person's own hand on a fact decides. Taking out an old one decides nothing: it may
    have been worth its place for years.
    """
    if deed == Action.CONFIRMED:
        record(fact, worthy=True)
    elif deed in (Action.NARROWED, Action.BLOCKED) or (deed == Action.REMOVED and _is_fresh(fact)):
        record(fact, worthy=False)
    elif deed == Action.RESTORED:
        withdraw(fact)


def _is_fresh(fact: ProfileFact) -> bool:
    return now() - fact.created_at <= timedelta(days=settings.MEMORY["regret_days"])
