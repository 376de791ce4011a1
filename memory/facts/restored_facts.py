"""Completing facts that were restored from a backup, and retracting those not allowed."""

from collections.abc import Collection
from uuid import UUID

from django.utils.timezone import now

from memory.facts import blocked_slots, fact_columns
from memory.language.safety import guard, secrets
from memory.models import Memory, ProfileFact

Status = ProfileFact.Status
_IN_USE = (Status.CURRENT, Status.CHALLENGER)


def complete_restored_fact(fact: ProfileFact) -> None:
    """Compute the columns that a backup lacks; mark the fact as removed if its value is refused."""
    if fact.status in _IN_USE and guard.explain_refusal(fact.value):
        fact.status = Status.REMOVED
    fact.value = secrets.mask_secrets(fact.value)
    fact_columns.complete(fact)


def retract_blocked(user_id: UUID) -> None:
    """Retract the facts and memories of blocked slots. Must run in the user's transaction."""
    for slot in blocked_slots.slots_of(user_id):
        holdings = blocked_slots.holdings_of(user_id, slot)
        facts = ProfileFact.objects.for_user(user_id).filter(
            pk__in=[fact.pk for fact in holdings.facts]
        )
        facts.update(status=Status.REMOVED)
        notes = Memory.objects.for_user(user_id).filter(pk__in=[note.pk for note in holdings.notes])
        notes.update(status=Memory.Status.REMOVED, ended_at=now())


def set_aside_challengers(user_id: UUID, but: Collection[UUID]) -> None:
    """Set aside all challengers except those in `but`, which have an open conflict."""
    against = ProfileFact.objects.for_user(user_id).challengers()
    against.exclude(pk__in=but).update(status=Status.SET_ASIDE)
