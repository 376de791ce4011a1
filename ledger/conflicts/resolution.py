"""Settling a conflict in one transaction, with one handler for each method."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.timezone import localtime, now

from accounts.audit import By
from accounts.models import User
from ledger import decisions
from ledger.conflicts import start_precision, weights
from ledger.conflicts.resolution_record import record_resolution
from ledger.conflicts.side_changes import repoint_open_conflicts
from ledger.conflicts.undo import collect_undo_state, snapshot
from ledger.models import Contradiction, Resolution
from memory.core.slot_locks import lock_slot
from memory.facts import revision, succession
from memory.facts.day_precision import midnight
from memory.models import ProfileFact, TrustChange
from memory.notes.note_store import settle_slot

Method = Resolution.Method
Status = Contradiction.Status


class AlreadySettled(ValueError):
    """Raised when the conflict has been settled already."""


class SidesChanged(ValueError):
    """Raised when the conflict now has other values than those answered."""


class UnfitAnswer(ValueError):
    """Raised for an incomplete or impossible answer; the message says what to do with `field`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Answer:
    """An answer to a conflict. A merge needs `value`; a timeline the days `until` and `since`."""

    method: str
    value: str = ""
    until: date | None = None
    since: date | None = None
    # The precision of its day; '' for that of the words that opened the conflict.
    precision: str = ""


def resolve(
    contradiction: Contradiction,
    answer: Answer,
    *,
    by: User | None,
    reason: str = "",
    sides: tuple[str, str] | None = None,
) -> Resolution:
    """Settle a conflict and return nothing; call it inside `acting_as(user)`.

    `by` is the user, a member of staff, or None for an automatic rule.

    `sides` are the keys of the old and the new fact shown when answering: settling another conflict
    about the same fact may have replaced the old one. Raises AlreadySettled, SidesChanged if the
    keys differ, and UnfitAnswer.
    """
    handler, status = _HANDLERS[Method(answer.method)]
    by_whom = _by_whom(contradiction, by)
    frozen_now = now()
    with transaction.atomic():
        lock_slot(contradiction.user_id, contradiction.slot)
        entry = _taken(contradiction, status, sides)
        before, echoes = snapshot(entry), succession.duplicates_of(entry.old_fact)
        fact = handler(entry, answer, frozen_now)
        if fact.pk != entry.old_fact_id:
            for echo in echoes:
                succession.end_duplicates(echo, entry.old_fact)
                repoint_open_conflicts(entry, echo, fact)
        for side in (fact, entry.old_fact, entry.new_fact):
            settle_slot(entry.user_id, side)
        repoint_open_conflicts(entry, entry.old_fact, fact)
        if by_whom == By.OWNER and answer.method not in _DECIDES_NOTHING:
            # A choice by the user gives full trust; staff and rules do not know better.
            decisions.record(fact, worthy=True)
            revision.set_full_trust(fact, TrustChange.Cause.SETTLED)
        return record_resolution(
            entry,
            **_as_given(answer),
            fact=fact,
            by_whom=by_whom,
            by=by,
            at=frozen_now,
            reason=reason,
            before=collect_undo_state(before, entry),
        )


def _taken(
    contradiction: Contradiction, status: str, sides: tuple[str, str] | None
) -> Contradiction:
    """Return the conflict, locked and reloaded. Raises AlreadySettled."""
    mine = Contradiction.objects.filter(
        pk=contradiction.pk, user_id=contradiction.user_id, status=Status.OPEN
    ).update(status=status)
    if not mine:
        raise AlreadySettled("This conflict has already been settled. Here’s how.")
    entry = contradiction.reload_with_sides()
    if sides is not None and sides != (str(entry.old_fact_id), str(entry.new_fact_id)):
        raise SidesChanged(
            "This conflict has changed since you opened it. Here’s how it looks now."
        )
    return entry


def _as_given(answer: Answer) -> dict[str, Any]:
    """Return the method, and the fields of the answer that belong to it."""
    dated, merged = answer.method == Method.TIMELINE, answer.method == Method.MERGE
    return {
        "method": answer.method,
        "until": answer.until if dated else None,
        "since": answer.since if dated else None,
        "value": answer.value if merged else "",
    }


def _by_whom(contradiction: Contradiction, by: User | None) -> By:
    if by is None:
        return By.RULE
    return By.OWNER if by.pk == contradiction.user_id else By.STAFF


# --- Handlers, one per method: each returns the fact that is current afterwards -------------------


def _keep_new(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """Make the new value current; the old one was a mistake and stays in the history."""
    succession.replace_with_challenger(entry.old_fact, entry.new_fact, at)
    return entry.new_fact


def _keep_old(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """Keep the old value; reject the new one."""
    succession.dismiss(entry.new_fact, at)
    return entry.old_fact


def _dismiss(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """Keep both values if their slots hold several, else the old one."""
    if not entry.both_can_hold:
        return _keep_old(entry, answer, at)
    succession.accept_both(entry.new_fact, at)
    return entry.old_fact


def _merge(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """Replace both values with a typed one; typing one of the two chooses that."""
    value = " ".join(answer.value.split())
    if not value:
        raise UnfitAnswer("value", "Enter what’s right, in a few words.")
    for fact, choose in ((entry.old_fact, _keep_old), (entry.new_fact, _keep_new)):
        if fact.value.casefold() == value.casefold():
            return choose(entry, answer, at)
    try:
        return revision.merge(entry.old_fact, entry.new_fact, value, at)
    except revision.SlotTaken as unfit:
        raise UnfitAnswer("value", str(unfit)) from unfit


def _timeline(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """Make the old value past from one day, and the new one current from another."""
    today = localtime(at).date()
    since = answer.since or today
    until = answer.until or since
    if since > today:
        raise UnfitAnswer("since", "That day is in the future. Pick today or an earlier day.")
    if until > since:
        raise UnfitAnswer(
            "until", "The first value must end before the second begins. Pick an earlier day."
        )
    # The last day is inclusive; if both are the same day, the change was on that day.
    ends = midnight(min(until + timedelta(days=1), since))
    exactly = answer.precision or start_precision.of_change(entry, answer.since)
    succession.hold_in_sequence(entry.old_fact, entry.new_fact, ends, midnight(since), exactly)
    return entry.new_fact


def _by_trust(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """Settle by the scores. Raises UnfitAnswer if they are too close."""
    weighed = weights.scores(entry, at)
    if weighed.are_close:
        raise UnfitAnswer("resolution", "I’m about equally sure of both values. Choose one.")
    return (_keep_old if weighed.old_wins else _keep_new)(entry, answer, at)


# Dismissing the question says nothing about the values, so their trust stays.
_DECIDES_NOTHING = {Method.DISMISS, Method.TRUST}
_Handler = Callable[[Contradiction, Answer, datetime], ProfileFact]
_HANDLERS: dict[Method, tuple[_Handler, Contradiction.Status]] = {
    Method.KEEP_NEW: (_keep_new, Status.RESOLVED),
    Method.KEEP_OLD: (_keep_old, Status.RESOLVED),
    Method.MERGE: (_merge, Status.RESOLVED),
    Method.TIMELINE: (_timeline, Status.ACCEPTED),
    Method.TRUST: (_by_trust, Status.RESOLVED),
    Method.DISMISS: (_dismiss, Status.DISMISSED),
}
KINDS = tuple(_HANDLERS)
