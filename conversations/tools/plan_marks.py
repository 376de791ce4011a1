"""Storing marks of plans: done, snoozed, and undone. Marks are never overwritten."""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Q
from django.utils.timezone import now

from accounts.models import User
from conversations.models import PlanMark

if TYPE_CHECKING:
    from conversations.tools.plans import Plan

Kind = PlanMark.Kind
# (id of the message or memory, number of the plan in it) -> planned day -> mark.
Marks = Mapping[tuple[UUID, int], Mapping[date, PlanMark]]


def standing(user_id: UUID, since: date) -> Marks:
    """Return the marks in force of plans for a day from `since` on, or snoozed to such a day."""
    rows = PlanMark.objects.filter(
        Q(day__gte=since) | Q(until__gte=since), user=user_id, undone_at=None
    )
    marks: dict[tuple[UUID, int], dict[date, PlanMark]] = {}
    for mark in rows.order_by("at", "pk"):
        source = mark.message_id or mark.memory_id
        assert source is not None
        marks.setdefault((source, mark.place), {})[mark.day] = mark
    return marks


def put_off(marks: Marks) -> list[UUID]:
    """Return the ids of the messages and memories whose plans were snoozed."""
    return [key for (key, _), days in marks.items() if any(mark.until for mark in days.values())]


def mark_done(user: User, plan: "Plan") -> None:
    """Mark a plan as done. Idempotent."""
    last = _last(user, plan)
    if last is None or last.kind != Kind.DONE:
        _mark(user, plan, Kind.DONE)


def snooze(user: User, plan: "Plan", until: date) -> None:
    """Snooze a plan to a later day. Idempotent."""
    last = _last(user, plan)
    if last is None or last.until != until:
        _mark(user, plan, Kind.SNOOZED, until)


def undo(user: User, plan: "Plan") -> None:
    """Undo the latest mark of a plan, if any."""
    last = _last(user, plan)
    if last is not None:
        last.undone_at = now()
        last.save(update_fields=["undone_at"])


def _mark(user: User, plan: "Plan", kind: str, until: date | None = None) -> None:
    source = {"memory_id": plan.id} if plan.is_note else {"message_id": plan.id}
    PlanMark.objects.create(
        user=user, place=plan.place, day=plan.planned_for, kind=kind, until=until, **source
    )


def _last(user: User, plan: "Plan") -> PlanMark | None:
    """Return the mark in force of a plan. Locks the user's marks against concurrent changes."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    source = {"memory": plan.id} if plan.is_note else {"message": plan.id}
    rows = PlanMark.objects.filter(
        user=user, place=plan.place, day=plan.planned_for, undone_at=None, **source
    )
    return rows.order_by("at", "pk").last()
