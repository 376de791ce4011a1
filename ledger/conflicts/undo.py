"""Undoing a resolution: all affected facts are restored, or none.

The state before and after is stored with the Resolution (`snapshot`, `collect_undo_state`).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.dateparse import parse_datetime
from django.utils.timezone import now

from accounts import audit
from accounts.audit import Action
from ledger import decisions
from ledger.conflicts.side_changes import repoint_open_conflicts
from ledger.models import Contradiction, Resolution
from memory.core.allowances import allowances_of
from memory.core.persistence_gate import (
    Authority,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.core.slot_locks import lock_slot
from memory.core.trust import move_trust
from memory.facts import succession
from memory.facts.validity import past_values_of, values_agree
from memory.models import Precision, ProfileFact, TrustChange

Method = Resolution.Method
Status = Contradiction.Status
# The columns to restore, by the fact's key.
Snapshot = dict[UUID, dict[str, Any]]
_STATE = ("status", "valid_from", "valid_to", "last_verified")
_EXACTNESS = ("from_precision", "to_precision")
_SOMETHING_NEWER = (
    "Something has changed since then, so this can’t be undone. Change the fact on your profile "
    "instead."
)


class CannotUndo(ValueError):
    """Raised when a later change depends on the resolution, or it is too old."""


# --- State to restore ----------------------------------------------------------------------------


def _affected(entry: Contradiction) -> dict[UUID, ProfileFact]:
    """Return all facts that a resolution may change: both sides, duplicates of the old one, and the
    other values of the new one's slot.
    """
    past, echoes = past_values_of(entry.new_fact), succession.duplicates_of(entry.old_fact)
    return {fact.pk: fact for fact in (*past, *echoes, entry.old_fact, entry.new_fact)}


def _facts_now(entry: Contradiction, keys: Iterable[UUID]) -> dict[UUID, ProfileFact]:
    """Return the current state of the affected facts, reusing the entry's own instances."""
    rows = ProfileFact.objects.for_user(entry.user_id).filter(pk__in=keys)
    return {
        **{fact.pk: fact for fact in rows.defer("embedding")},
        entry.old_fact_id: entry.old_fact,
        entry.new_fact_id: entry.new_fact,
    }


def _state_of(fact: ProfileFact) -> dict[str, Any]:
    state = {name: getattr(fact, name) for name in (*_STATE, *_EXACTNESS, "trust")}
    return {k: v.isoformat() if isinstance(v, datetime) else v for k, v in state.items()}


def snapshot(entry: Contradiction) -> Snapshot:
    """Return the state of everything that a resolution may change."""
    return {key: _state_of(fact) for key, fact in _affected(entry).items()}


def collect_undo_state(before: Snapshot, entry: Contradiction) -> dict[str, Any]:
    """Return what undoing the resolution restores, and the state that the resolution left."""
    sides, left = {entry.old_fact_id, entry.new_fact_id}, _facts_now(entry, before)
    return {
        "facts": {
            str(key): {"was": was, "is": str(left[key].status)}
            for key, was in before.items()
            if key in sides or was != _state_of(left[key])
        },
    }


def _put_back(fact: ProfileFact, was: dict[str, Any]) -> None:
    fields = {name: was[name] for name in _STATE}
    fields |= {name: was.get(name, Precision.DAY) for name in _EXACTNESS}
    for name in ("valid_from", "valid_to", "last_verified"):
        fields[name] = parse_datetime(was[name]) if was[name] else None
    succession.put_back(fact, fields)
    move_trust(fact, was["trust"], TrustChange.Cause.UNDONE)


# --- Undoing -------------------------------------------------------------------------------------


def undo(contradiction: Contradiction) -> Resolution:
    """Reopen a settled conflict. Raises CannotUndo if something depends on the resolution."""
    try:
        with transaction.atomic():
            lock_slot(contradiction.user_id, contradiction.slot)
            return _undo(contradiction.reload_with_sides())
    except Contradiction.DoesNotExist:
        raise CannotUndo("You erased one of the two values, so this can’t be undone.") from None
    except IntegrityError as clash:
        raise CannotUndo(
            "You’ve said the same value again since then, so this can’t be undone."
        ) from clash


def _undo(entry: Contradiction) -> Resolution:
    resolution = entry.resolutions.filter(undone_at__isnull=True).select_related("kept").first()
    if resolution is None:
        raise CannotUndo("This conflict is already open.")
    _refuse_too_late(resolution)
    _refuse_unwanted(entry)
    changed = resolution.before["facts"]
    facts = {str(key): fact for key, fact in _facts_now(entry, changed).items()}
    if resolution.kept is not None and str(resolution.kept_id) not in facts:
        succession.dismiss(resolution.kept, now())
    if resolution.kept is not None:
        decisions.withdraw(resolution.kept)
    # Update the challenger first: a slot never has two current values.
    for key in sorted(changed, key=lambda key: facts[key].status != ProfileFact.Status.CURRENT):
        _put_back(facts[key], changed[key]["was"])
    if not values_agree(entry.user_id, entry.slot):
        raise CannotUndo(_SOMETHING_NEWER)
    if resolution.kept is not None:
        # Conflicts that were repointed then, and those opened against the value since.
        repoint_open_conflicts(entry, resolution.kept, entry.old_fact)
    resolution.undone_at = now()
    resolution.save(update_fields=["undone_at"])
    # Clear the request for help, so that staff cannot read the values unless asked again.
    Contradiction.objects.filter(pk=entry.pk, user_id=entry.user_id).update(
        status=Status.OPEN, help_asked_at=None
    )
    audit.record(
        entry.user_id,
        Action.REOPENED,
        subject=entry.pk,
        slot=entry.slot,
        before=resolution.kept.value if resolution.kept else "",
        after=f"{entry.old_fact.value} / {entry.new_fact.value}",
    )
    return resolution


def _refuse_unwanted(entry: Contradiction) -> None:
    """Raise CannotUndo if the slot was blocked since."""
    allowed = allowances_of(entry.user_id)
    for fact in (entry.old_fact, entry.new_fact):
        request = PersistenceRequest(
            RecordKind.FACT, slot=fact.slot, value=fact.value, authority=Authority.CHANGE
        )
        decision = decide_persistence(request, allowed)
        if not decision.kept:
            raise CannotUndo(decision.reason.in_full)


def _refuse_too_late(resolution: Resolution) -> None:
    days = settings.MEMORY["undo_days"]
    if resolution.method == Method.OVERTAKEN or now() - resolution.at > timedelta(days=days):
        raise CannotUndo(
            f"This can only be undone within {days} days. Change the fact on your profile instead."
        )
    left_as = {key: state["is"] for key, state in resolution.before.get("facts", {}).items()}
    facts = ProfileFact.objects.filter(user_id=resolution.user_id, pk__in=left_as)
    unchanged = bool(left_as) and {str(fact.pk): fact.status for fact in facts} == left_as
    current = resolution.kept is not None and resolution.kept.status == ProfileFact.Status.CURRENT
    if not (unchanged and current):
        raise CannotUndo(_SOMETHING_NEWER)
