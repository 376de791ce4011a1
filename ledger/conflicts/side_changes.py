"""What follows for open contradictions when a value they are about goes, or another takes over."""

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
    """Point open conflicts about one fact at the fact that replaced it."""
    if after.pk != before.pk:
        # Staff were asked about the value before, if at all.
        _open_of(entry.user_id, before).update(old_fact=after, help_asked_at=None)


# --- The person's own hand -----------------------------------------------------------------------


def settle_after_manual_change(*, fact: ProfileFact, rewritten: bool, **kwargs: Any) -> None:
    """Settle the conflicts about a fact that its owner rewrote or removed by hand.

    A new wording outranks both sides. A removal leaves the newest challenger as the only value, and
    the other challengers stand against that one.
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
    """Point open conflicts at the fact that took the place of a wider or finer one."""
    _open_of(current.user_id, replaced).update(old_fact=current, help_asked_at=None)


def settle_closed_slot(*, user_id: UUID, slot: str, **kwargs: Any) -> None:
    """Settle all open conflicts about a slot that its owner blocked.

    What stands against a value of that kind, and is of another, is left and becomes current.
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
    """Return, by the key of each fact to be deleted that has challengers, its newest challenger."""
    return {entry.old_fact_id: entry.new_fact for entry in _entries_losing_old_fact(user_id, going)}


def repoint_to_replacements(user_id: UUID, left: Mapping[UUID, ProfileFact]) -> None:
    """Point the other open conflicts of facts to be erased at their replacements."""
    for entry in _entries_losing_old_fact(user_id, left):
        if entry.new_fact_id != left[entry.old_fact_id].pk:
            _repoint(entry, left[entry.old_fact_id])


def make_replacements_current(left: Mapping[UUID, ProfileFact]) -> None:
    """Make the replacements of erased facts current."""
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
    """Return the open conflicts of which only the old side is deleted, oldest first."""
    rows = Contradiction.objects.filter(user_id=user_id, old_fact__in=going, status=Status.OPEN)
    return rows.exclude(new_fact__in=going).select_related("new_fact").order_by("opened_at", "pk")


def _repoint(entry: Contradiction, fact: ProfileFact) -> None:
    """Point a conflict at another fact; a request to staff was about the one before."""
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
