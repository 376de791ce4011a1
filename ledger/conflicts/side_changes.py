"""Updating open conflicts when one of their facts is removed or replaced."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.timezone import now

from accounts import audit
from accounts.audit import Action
from ledger.conflicts.resolution_record import record_resolution
from ledger.models import Contradiction, ContradictionQuerySet, Resolution
from memory.facts import succession
from memory.models import ProfileFact

Status = Contradiction.Status


def repoint_open_conflicts(entry: Contradiction, before: ProfileFact, after: ProfileFact) -> None:
    """Replace a fact in open conflicts with its successor."""
    if after.pk != before.pk:
        # Clear a request to staff, which was about the fact before.
        _open_of(entry.user_id, before).update(old_fact=after, help_asked_at=None)


# --- Manual changes ------------------------------------------------------------------------------


def settle_after_manual_change(*, fact: ProfileFact, rewritten: bool, **kwargs: Any) -> None:
    """Settle the conflicts about a fact that the user edited or removed by hand.

    An edit overrides both values. After a removal the newest challenger becomes current, and the
    other challengers conflict with that one.
    """
    frozen_now = now()
    waiting = list(_open_of(fact.user_id, fact).select_related("new_fact").order_by("-opened_at"))
    for position, entry in enumerate(waiting):
        if rewritten:
            succession.dismiss(entry.new_fact, frozen_now)
        elif position == 0:
            succession.succeed(entry.new_fact)
        else:
            _repoint(entry, waiting[0].new_fact)
            continue
        _overtake(entry, None if rewritten else entry.new_fact, frozen_now)


def repoint_after_refinement(*, replaced: ProfileFact, current: ProfileFact, **kwargs: Any) -> None:
    """Replace a fact in open conflicts with the more or less precise one that superseded it."""
    _open_of(current.user_id, replaced).update(old_fact=current, help_asked_at=None)


def settle_closed_slot(*, user_id: UUID, slot: str, **kwargs: Any) -> None:
    """Settle all open conflicts about a slot that the user blocked.

    A challenger in another slot (likes against dislikes) becomes current.
    """
    frozen_now = now()
    about = Q(old_fact__slot=slot) | Q(new_fact__slot=slot)
    entries = Contradiction.objects.filter(about, user_id=user_id, status=Status.OPEN)
    for entry in entries.select_related("old_fact", "new_fact"):
        left = entry.old_fact if entry.new_fact.slot == slot else entry.new_fact
        if left == entry.old_fact:
            succession.dismiss(entry.new_fact, frozen_now)
        else:
            succession.succeed(left)
        kept = None if left.slot == slot else left
        _overtake(entry, kept, frozen_now, "You asked me never to note this kind of fact.")


def find_replacements(user_id: UUID, going: Collection[UUID]) -> dict[UUID, ProfileFact]:
    """Return the newest challenger of each fact to be deleted, by the fact's key."""
    return {entry.old_fact_id: entry.new_fact for entry in _entries_losing_old_fact(user_id, going)}


def repoint_to_replacements(user_id: UUID, left: Mapping[UUID, ProfileFact]) -> None:
    """Replace facts to be erased in the remaining open conflicts."""
    for entry in _entries_losing_old_fact(user_id, left):
        if entry.new_fact_id != left[entry.old_fact_id].pk:
            _repoint(entry, left[entry.old_fact_id])


def make_replacements_current(left: Mapping[UUID, ProfileFact]) -> None:
    """Make the challengers that replace erased facts current."""
    for replacement in left.values():
        succession.succeed(replacement)
        audit.record(
            replacement.user_id,
            Action.SETTLED,
            subject=replacement.pk,
            slot=replacement.slot,
            after=replacement.value,
            why="The other value was erased",
        )


def _entries_losing_old_fact(user_id: UUID, going: Collection[UUID]) -> ContradictionQuerySet:
    """Return the open conflicts whose old fact, but not the new one, is deleted; oldest first."""
    rows = Contradiction.objects.filter(user_id=user_id, old_fact__in=going, status=Status.OPEN)
    return rows.exclude(new_fact__in=going).select_related("new_fact").order_by("opened_at", "pk")


def _repoint(entry: Contradiction, fact: ProfileFact) -> None:
    """Replace the old fact of a conflict, and withdraw a request to staff about it."""
    entry.old_fact, entry.help_asked_at = fact, None
    entry.save(update_fields=["old_fact", "help_asked_at"])


def _overtake(
    entry: Contradiction, fact: ProfileFact | None, at: datetime, reason: str = ""
) -> None:
    entry.status = Status.RESOLVED
    entry.save(update_fields=["status"])
    record_resolution(entry, fact=fact, method=Resolution.Method.OVERTAKEN, at=at, reason=reason)


def _open_of(user_id: UUID, fact: ProfileFact) -> ContradictionQuerySet:
    return Contradiction.objects.filter(user_id=user_id, old_fact=fact, status=Status.OPEN)
