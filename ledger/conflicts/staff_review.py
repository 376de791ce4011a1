"""Conflicts for staff: listing them, and settling those whose users asked for help.

Staff see that a conflict exists, but both values only while it is open and its user asked for help;
each access is logged. Rows of a user are read within `acting_as(user)`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from uuid import UUID

from django.utils.timezone import localtime, now

from accounts import audit
from accounts.audit import Action, By
from accounts.database.isolation import acting_as, acting_as_staff
from accounts.models import AuditEvent, User
from accounts.support import formatting
from ledger.conflicts import weights
from ledger.conflicts.resolution import AlreadySettled, Answer, UnfitAnswer, resolve
from ledger.conflicts.weights import SideWeights
from ledger.models import Contradiction, ContradictionQuerySet, Resolution
from memory.core.slot_locks import lock_slot
from memory.models import ProfileFact

# Maximum number of conflicts on a page or in an action.
MOST = 25


class HelpNotAsked(ValueError):
    """Raised when the user has not asked for help: staff may neither read nor settle it."""


@dataclass(frozen=True)
class Side:
    """One of the two values of a conflict, with its evidence."""

    value: str
    since: datetime
    conversations: int
    weighed: SideWeights


@dataclass(frozen=True)
class ReviewedEntry:
    """What staff may read of a conflict; no values unless the user asked for help."""

    entry: Contradiction
    happened: list[str]
    old: Side | None = None
    new: Side | None = None
    are_close: bool = False

    @property
    def may_settle(self) -> bool:
        """Return whether the conflict waits for staff."""
        return self.old is not None


@dataclass
class Tally:
    """The results of a bulk action on conflicts."""

    done: list[Contradiction] = field(default_factory=list)
    too_close: int = 0
    settled_before: int = 0
    not_asked: int = 0


def waits_for_staff(entry: Contradiction) -> bool:
    """Return whether the conflict is open and the user asked for help."""
    return entry.is_open and entry.help_asked_at is not None


def values_of(entries: Iterable[Contradiction], staff: User) -> dict[UUID, tuple[str, str]]:
    """Return both values of conflicts that wait for staff, by key; one transaction per user."""
    read = {}
    asked = sorted(filter(waits_for_staff, entries), key=attrgetter("user_id"))
    for user_id, theirs in groupby(asked[:MOST], key=attrgetter("user_id")):
        with acting_as(user_id):
            rows = _asked(user_id).filter(pk__in=[entry.pk for entry in theirs])
            for row in rows:
                _log_staff_access(row, staff)
                read[row.pk] = (row.old_fact.value, row.new_fact.value)
    return read


def open_entry(key: UUID, staff: User) -> ReviewedEntry:
    """Return a conflict as staff may read it. Raises Contradiction.DoesNotExist."""
    with acting_as_staff():
        entry = Contradiction.objects.select_related("user").get(pk=key)
    if waits_for_staff(entry):
        with acting_as(entry.user_id):
            row = _asked(entry.user_id).filter(pk=key).first()
            if row is not None:
                _log_staff_access(row, staff)
                return _with_both_sides(row)
    end = [] if entry.is_open else [Contradiction.Status(entry.status).label.capitalize()]
    return ReviewedEntry(entry, _happened(entry, []) + end)


def settle(
    entry: Contradiction,
    answer: Answer,
    *,
    staff: User,
    reason: str,
    sides: tuple[str, str] | None = None,
) -> Resolution:
    """Settle a conflict for its user, who is shown by whom and why. Raises HelpNotAsked, and what
    `ledger.conflicts.resolution.resolve` raises.
    """
    with acting_as(entry.user_id):
        row = Contradiction.objects.for_user(entry.user_id).get(pk=entry.pk)
        if row.help_asked_at is None:
            raise HelpNotAsked("Nobody has asked for help with this conflict.")
        return resolve(row, answer, by=staff, reason=reason, sides=sides)


def settle_each(keys: Sequence[UUID], answer: Answer, *, staff: User, reason: str) -> Tally:
    """Give several conflicts the same answer, each in its own transaction."""
    tally = Tally()
    for entry in chosen(keys):
        try:
            settle(entry, answer, staff=staff, reason=reason)
            tally.done.append(entry)
        except UnfitAnswer:
            tally.too_close += 1
        except AlreadySettled:
            tally.settled_before += 1
        except HelpNotAsked:
            tally.not_asked += 1
    return tally


def chosen(keys: Sequence[UUID]) -> list[Contradiction]:
    """Return these conflicts, without values, oldest first."""
    with acting_as_staff():
        rows = Contradiction.objects.filter(pk__in=keys).select_related("user")
        return list(rows.order_by("opened_at", "pk")[:MOST])


def _asked(user_id: UUID) -> ContradictionQuerySet:
    rows = Contradiction.objects.for_user(user_id).open().select_related("user")
    return rows.filter(help_asked_at__isnull=False)


def _log_staff_access(entry: Contradiction, staff: User) -> None:
    """Log the access of staff for the user, once per staff member, conflict and day."""
    lock_slot(entry.user_id, f"looked {entry.pk}")
    today = localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    looked = AuditEvent.objects.for_user(entry.user_id).filter(
        subject=entry.pk, deed=Action.LOOKED, actor=staff.audit_pseudonym, at__gte=today
    )
    if staff.pk != entry.user_id and not looked.exists():
        audit.record(
            entry.user_id,
            Action.LOOKED,
            by=By.STAFF,
            actor=staff.pk,
            subject=entry.pk,
            slot=entry.slot,
            why="You asked for help.",
        )


def _with_both_sides(entry: Contradiction) -> ReviewedEntry:
    weighed = weights.scores(entry, now())
    return ReviewedEntry(
        entry,
        _happened(entry, entry.resolutions.all()),
        _side(entry.old_fact, entry.old_support, weighed.old),
        _side(entry.new_fact, entry.new_support, weighed.new),
        weighed.are_close,
    )


def _side(fact: ProfileFact, support: int, weighed: SideWeights) -> Side:
    return Side(fact.value, fact.valid_from, support, weighed)


def _happened(entry: Contradiction, answers: Iterable[Resolution]) -> list[str]:
    """Return the events of a conflict in order, as 'Opened, 4 November 09:42'."""
    name = entry.user.get_short_name()
    events = [(entry.opened_at, "Opened")]
    if entry.help_asked_at:
        events.append((entry.help_asked_at, f"{name} asked staff for help"))
    for resolution in answers:
        events.append((resolution.at, f"Settled by {_who(resolution, name)}"))
        if resolution.undone_at:
            events.append((resolution.undone_at, f"Opened again by {name}"))
    today = now()
    return [
        f"{event}, {formatting.day(at, today)} {localtime(at):%H:%M}"
        for at, event in sorted(events, key=itemgetter(0))
    ]


def _who(resolution: Resolution, name: str) -> str:
    by = By(resolution.by_whom)
    return {By.STAFF: "staff", By.RULE: "the rule"}.get(by, name)
