"""Settling a contradiction: one handler a kind, one transaction, one row that says who and why."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.timezone import now

from accounts.models import User
from ledger.models import Contradiction, ContradictionQuerySet, Resolution
from memory import revision
from memory.locks import hold_slot
from memory.models import ProfileFact, TrustChange

Method = Resolution.Method


class AlreadySettled(ValueError):
    """Somebody, perhaps the same person in another window, was faster."""


class SidesChanged(ValueError):
    """The question is about other values by now than the ones its answer was given to."""


def resolve(
    contradiction: Contradiction,
    method: str,
    *,
    by: User,
    reason: str = "",
    sides: tuple[str, str] | None = None,
) -> Resolution:
    """Settle it. Raises AlreadySettled when it no longer waits, ValueError for an unknown method.

    `sides` are the keys of the old and the new fact as the answerer saw them: settling another
    entry about the same fact puts a new value on the old side, and "the old one" must not come to
    mean something that was never shown. Raises SidesChanged when they differ.
    """
    handler = _HANDLERS[Method(method)]
    frozen_now = now()
    with transaction.atomic():
        hold_slot(contradiction.user_id, contradiction.slot)
        # The row that says 'open' decides who settles it: of two answers, the first stands.
        mine = Contradiction.objects.filter(
            pk=contradiction.pk, user_id=contradiction.user_id, status=Contradiction.Status.OPEN
        ).update(status=Contradiction.Status.RESOLVED)
        if not mine:
            raise AlreadySettled("This was settled a moment ago.")
        # What it is about may have moved on since the caller read it: settling another entry
        # about the same fact turns this one against the winner.
        contradiction = Contradiction.objects.select_related("old_fact", "new_fact").get(
            pk=contradiction.pk, user_id=contradiction.user_id
        )
        now_between = (str(contradiction.old_fact_id), str(contradiction.new_fact_id))
        if sides is not None and sides != now_between:
            raise SidesChanged("This question has changed since you read it. Here it is now.")
        winner = handler(contradiction, frozen_now)
        if by.pk == contradiction.user_id:
            # The person chose: nothing is surer. Staff and rules decide without knowing better.
            revision.confirm(winner, TrustChange.Cause.SETTLED)
        return Resolution.objects.create(
            user_id=contradiction.user_id,
            contradiction=contradiction,
            method=method,
            by=by,
            at=frozen_now,
            reason=reason,
        )


def keep_new(contradiction: Contradiction, at: datetime) -> ProfileFact:
    """The new value becomes current; other challengers of the old one now stand against it."""
    revision.hand_over(contradiction.old_fact, contradiction.new_fact, at)
    _open_of(contradiction.user_id, contradiction.old_fact).update(old_fact=contradiction.new_fact)
    return contradiction.new_fact


def keep_old(contradiction: Contradiction, at: datetime) -> ProfileFact:
    """The old value stays; the new one is set aside."""
    revision.dismiss(contradiction.new_fact, at)
    return contradiction.old_fact


# Each settles one entry and returns the fact that holds from now on.
_HANDLERS: dict[Method, Callable[[Contradiction, datetime], ProfileFact]] = {
    Method.KEEP_NEW: keep_new,
    Method.KEEP_OLD: keep_old,
}


def follow_the_hand(*, fact: ProfileFact, rewritten: bool, **kwargs: Any) -> None:
    """After a person rewrote or removed a disputed fact by hand: settle what stood against it.

    A new wording outranks both sides. A removal leaves the newest challenger as the only value, and
    the other challengers stand against that one.
    """
    frozen_now = now()
    waiting = list(_open_of(fact.user_id, fact).select_related("new_fact").order_by("-opened_at"))
    for position, contradiction in enumerate(waiting):
        if rewritten:
            revision.dismiss(contradiction.new_fact, frozen_now)
        elif position == 0:
            revision.succeed(contradiction.new_fact)
        else:
            contradiction.old_fact = waiting[0].new_fact
            contradiction.save(update_fields=["old_fact"])
            continue
        contradiction.status = Contradiction.Status.RESOLVED
        contradiction.save(update_fields=["status"])
        Resolution.objects.create(
            user_id=fact.user_id,
            contradiction=contradiction,
            method=Method.OVERTAKEN,
            at=frozen_now,
        )


def _open_of(user_id: UUID, fact: ProfileFact) -> ContradictionQuerySet:
    return Contradiction.objects.filter(
        user_id=user_id, old_fact=fact, status=Contradiction.Status.OPEN
    )
